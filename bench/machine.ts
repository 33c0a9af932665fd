import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { findPostgres } from '../tools/postgres.ts'

const Manifest = z.object({ version: z.string() })
const root = join(import.meta.dirname, '..')

/** Cores, memory and engine versions in one line; no date, so that measuring again changes the figures alone. */
export function describeMachine(): string {
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${availableParallelism()} cores, ${memory} GiB, Node ${process.versions.node}, ${postgresVersion()}, PGlite ${pgliteVersion()}`
}

function postgresVersion(): string {
  const bin = findPostgres()
  if (bin === undefined) return 'no PostgreSQL'
  const shown = spawnSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).stdout
  return `PostgreSQL ${/\d+(\.\d+)?/.exec(shown)?.[0] ?? '?'}`
}

function pgliteVersion(): string {
  return Manifest.parse(JSON.parse(readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8'))).version
}
