import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, glob, mkdir, mkdtemp, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyDatabase, databaseName, makeDatabase } from '@apps/server/testing'

/** Where the data of one server is, as settings of it, and how to clear it away. */
export type OwnData = { settings: { CAMPUS_DATA_DIR: string } & Record<string, string>; remove(): Promise<void> }
type Make = (settings: Record<string, string>) => Promise<void>

const root = join(import.meta.dirname, '..')
const scratch = join(root, '.tmp')
const prefix = 'demo-'
/** Another run may still be copying a younger one. */
const stale_ms = 3_600_000
/** What decides about the contents of a data directory: the server's sources and data, and the versions of its packages. */
const sources = ['{apps,kit}/server/**/*.{ts,json,sql,svg}', 'kit/contract/**/*.ts', 'domains/*/{server,contract}/**/*.{ts,json,sql,csv}', 'package-lock.json']
const left_out = /node_modules|\.test\.ts$/
/** The environment in which the processes of a run find what was prepared for it. */
const folder_name = 'E2E_PREPARED_DEMO'
const template_name = 'E2E_PREPARED_DATABASE'
/** A PostgreSQL server on which the journeys run instead of the embedded engine (`npm test` gives one). */
const admin_url = process.env.CAMPUS_TEST_ENGINE === 'postgres' ? process.env.CAMPUS_TEST_PG_ADMIN_URL : undefined

/**
 * Makes the demo schools once by `make`, for all journeys of a run: those that run side by side would make them more than once.
 * @returns how to clear away what was made for this run alone
 */
export async function prepareDemo(make: Make): Promise<() => Promise<void>> {
  return admin_url === undefined ? prepareDirectory(make) : prepareTemplate(admin_url, make)
}

/** A copy of the prepared demo of its own. */
export async function copyDemo(): Promise<OwnData> {
  const prepared = process.env[folder_name]
  if (prepared === undefined) throw new Error('no demo was prepared before this run')
  const { settings, remove } = await emptyDirectory()
  await cp(prepared, settings.CAMPUS_DATA_DIR, { recursive: true })
  const template = process.env[template_name]
  if (admin_url === undefined || template === undefined) return { settings, remove }
  const database = await copyDatabase(admin_url, databaseName(), template)
  return { settings: { ...settings, ...database.settings }, remove: () => Promise.all([remove(), database.drop()]).then(() => undefined) }
}

/** A data directory in which nothing is, for the embedded engine. */
export async function emptyDirectory(): Promise<OwnData> {
  const folder = await mkdtemp(join(tmpdir(), 'campus-e2e-'))
  return { settings: { CAMPUS_DATA_DIR: folder }, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** On the embedded engine everything lies in one directory: it is kept in `.tmp` until the sources change. */
async function prepareDirectory(make: Make): Promise<() => Promise<void>> {
  const prepared = join(scratch, `${prefix}${await sourcesKey()}`)
  if (!existsSync(prepared)) await makeDirectory(prepared, make)
  // The journeys of this run stay with it, whatever becomes of the sources meanwhile; their processes begin with this environment.
  process.env[folder_name] = prepared
  return () => Promise.resolve()
}

/** On PostgreSQL the database server is of this run alone, and so are the template on it and the directory of its files. */
async function prepareTemplate(url: string, make: Make): Promise<() => Promise<void>> {
  const { settings, remove } = await emptyDirectory()
  const name = databaseName()
  const database = await makeDatabase(url, name)
  await make({ ...settings, ...database.settings })
  process.env[folder_name] = settings.CAMPUS_DATA_DIR
  process.env[template_name] = name
  return () => Promise.all([remove(), database.drop()]).then(() => undefined)
}

async function makeDirectory(prepared: string, make: Make): Promise<void> {
  await mkdir(scratch, { recursive: true })
  await removeStale()
  const making = `${prepared}-making-${process.pid}`
  await mkdir(making)
  await make({ CAMPUS_DATA_DIR: making })
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
