import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** One migration: `sql` makes tables, then the fence is put up, then `links` adds the foreign keys that must come last (shared tables, cycles). `name` (e.g. 20261120_01_school) orders them. */
export type Migration = { name: string; sql: string; links?: string }

const LINKS_LINE = /^-- links[ \t]*\r?$/m

/** Reads every *.sql file of the folders, sorted by file name over all of them. Throws when two files have the same name. */
export async function readMigrations(dirs: string[]): Promise<Migration[]> {
  const files = (await Promise.all(dirs.map(sqlFiles))).flat()
  const migrations = await Promise.all(files.map(readMigration))
  migrations.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const [at, { name }] of migrations.entries()) {
    if (migrations[at + 1]?.name === name) throw new Error(`two migrations are named ${name}`)
  }
  return migrations
}

async function sqlFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir)
  return names.filter((name) => name.endsWith('.sql')).map((name) => join(dir, name))
}

async function readMigration(file: string): Promise<Migration> {
  const text = await readFile(file, 'utf8')
  const name = basename(file, '.sql')
  const line = LINKS_LINE.exec(text)
  if (!line) return { name, sql: text }
  return { name, sql: text.slice(0, line.index), links: text.slice(line.index + line[0].length) }
}
