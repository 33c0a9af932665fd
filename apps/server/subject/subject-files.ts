import { existsSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { purpose_facts } from '@campus/files/contract'
import { read } from '@campus/files/server'
import { Refusal } from '@kit/contract'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** A file as it was handed out. `file_name`: null when its bytes are gone; `was_sealed`: it lies encrypted and was opened for this. */
export type TakenFile = { file_key: string; purpose: string | null; file_name: string | null; was_sealed: boolean }

/** Puts the files of these keys into a folder as anybody can open them, each under a name made of its whole key. */
export async function takeFiles({ app, database }: Boot, school_id: number, keys: readonly string[], folder: string): Promise<TakenFile[]> {
  if (keys.length === 0) return []
  const purposes = await database.tenant<unknown, ReadonlyMap<string, string>>(school_id, db => purposesOf(db, school_id, keys), { read_only: true })
  const desk = { app, now: app.clock.now(), own: <DB, R>(id: number, fn: (db: Kysely<DB>) => Promise<R>) => database.tenant<DB, R>(id, fn) }
  const taken: TakenFile[] = []
  for (const file_key of keys.filter(key => key.startsWith(`${school_id}/`))) {
    const purpose = purposes.get(file_key) ?? null
    const file_name = file_key.replaceAll('/', '-')
    const bytes = purpose === null ? null : await read(desk, { school_id, file_key }).then(file => file.bytes, gone)
    const was_sealed = bytes !== null && Object.entries(purpose_facts).some(([name, facts]) => name === purpose && facts.is_sealed === true)
    const target = join(folder, file_name)
    const is_there = bytes ? await writeFile(target, bytes, { mode: 0o600 }).then(() => true) : purpose === null && (await copyOld(app.files.pathOf(file_key), target))
    taken.push({ file_key, purpose, file_name: is_there ? file_name : null, was_sealed })
  }
  return taken
}

async function purposesOf(db: Kysely<unknown>, school_id: number, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ file_key: string; purpose: string }>`select file_key, purpose from file_object where school_id = ${school_id} and file_key in (${sql.join(keys)})`.execute(db)
  return new Map(rows.map(row => [row.file_key, row.purpose]))
}

/** Pictures that were taken in before files had rows lie plain. */
async function copyOld(path: string, target: string): Promise<boolean> {
  if (!existsSync(path)) return false
  await copyFile(path, target)
  return true
}

function gone(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
