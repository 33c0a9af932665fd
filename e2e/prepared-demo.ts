import { createHash } from 'node:crypto'
import { cp, glob, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const scratch = join(root, '.tmp')
const prefix = 'demo-'
/** Another run may still be copying a younger one. */
const stale_ms = 3_600_000
/** What decides about the contents of a data directory: the server's sources and data, and the versions of its packages. */
const sources = ['{apps,kit}/server/**/*.{ts,json,sql,svg}', 'kit/contract/**/*.ts', 'domains/*/{server,contract}/**/*.{ts,json,sql,csv}', 'package-lock.json']
const prepared_folder = 'E2E_PREPARED_DEMO'
const left_out = /node_modules|\.test\.ts$/

/**
 * Makes a data directory with the demo schools by `make` when the sources have changed since the last time, and keeps it in `.tmp`, so that
 * the journeys of a run share one. Once before a run: journeys that run side by side would make two.
 */
export async function prepareDemo(make: (folder: string) => Promise<void>): Promise<void> {
  const prepared = join(scratch, `${prefix}${await sourcesKey()}`)
  if (!existsSync(prepared)) await prepare(prepared, make)
  // The journeys of this run stay with it, whatever becomes of the sources meanwhile; their processes begin with this environment.
  process.env[prepared_folder] = prepared
}

/** Copies the prepared data directory into `folder`. */
export async function copyPreparedDemo(folder: string): Promise<void> {
  const prepared = process.env[prepared_folder]
  if (prepared === undefined) throw new Error('no demo was prepared before this run')
  await cp(prepared, folder, { recursive: true })
}

async function prepare(prepared: string, make: (folder: string) => Promise<void>): Promise<void> {
  await mkdir(scratch, { recursive: true })
  await removeStale()
  const making = `${prepared}-making-${process.pid}`
  await mkdir(making)
  await make(making)
  await rename(making, prepared).catch(async (error: unknown) => {
    // Another run beside this one was quicker.
    if (!existsSync(prepared)) throw error
    await rm(making, { recursive: true, force: true })
  })
}

async function removeStale(): Promise<void> {
  for (const name of await readdir(scratch)) {
    const folder = join(scratch, name)
    if (name.startsWith(prefix) && Date.now() - (await stat(folder)).mtimeMs > stale_ms) await rm(folder, { recursive: true, force: true })
  }
}

async function sourcesKey(): Promise<string> {
  const files: string[] = []
  for await (const file of glob(sources, { cwd: root })) if (!left_out.test(file)) files.push(file)
  const hash = createHash('sha256')
  for (const file of files.toSorted()) hash.update(file).update(await readFile(join(root, file)))
  return hash.digest('hex').slice(0, 16)
}
