import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { readCsvTable, SheetRefused } from '@kit/server/excel'
import { readPacked, readZip, ZipRefused } from '../photo/zip.ts'
import { roster_files } from './one-roster.ts'
import type { RosterFile, RosterFiles, RosterRow } from './one-roster.ts'

const versions: ReadonlySet<string> = new Set(['1.0', '1.1', '1.2'])
const refused = (msg: string) => fail({ ...peopleErrors.rosterFile, msg })

/**
 * Reads the CSV files of a OneRoster export; every other file of the archive is left alone.
 * @throws Refusal 422 rosterFile with a sentence that says what to do
 */
export async function readRoster(path: string): Promise<RosterFiles> {
  const archive = await open(path)
  try {
    const entries = await readZip(archive, (await archive.stat()).size)
    const files = new Map<RosterFile, RosterRow[]>()
    for (const entry of entries) {
      const file = roster_files.find(one => `${one}.csv` === basename(entry.name).toLowerCase())
      if (file === undefined) continue
      const bytes = await readPacked(archive, entry)
      if (bytes === null) throw refused(`压缩包中的 ${file}.csv 已损坏，请从上游系统重新导出`)
      files.set(file, tableOf(file, bytes))
    }
    refuseVersion(files.get('manifest'))
    return Object.fromEntries(files)
  } catch (error) {
    if (error instanceof ZipRefused) throw refused('名册不是可用的 zip 压缩包，请从上游系统重新导出 OneRoster CSV')
    throw error
  } finally {
    await archive.close()
  }
}

function tableOf(file: RosterFile, bytes: Buffer): RosterRow[] {
  try {
    return readCsvTable(bytes)
  } catch (error) {
    if (error instanceof SheetRefused) throw refused(`${file}.csv：${error.message}`)
    throw error
  }
}

/** The manifest says which version an export has; a file without one is read as it stands. */
function refuseVersion(manifest: readonly RosterRow[] | undefined): void {
  const said = manifest?.find(row => row.propertyName === 'oneroster.version')?.value
  if (said !== undefined && !versions.has(said)) throw refused(`不支持 OneRoster ${said}，请导出 1.1 或 1.2 版`)
}
