import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Which test files a step runs; paths from the project's root. Why: docs/decisions/0011-which-test-on-which-engine.md, and for the long ones
 * docs/decisions/0037-quick-and-long-tests.md.
 */
export type TestFiles = {
  /** on the embedded engine: everything without a database and everything that depends on the engine */
  embedded: string[]
  /** on PostgreSQL: everything that opens a database */
  postgres: string[]
  /** on PostgreSQL; on the embedded engine only when asked for */
  domains: string[]
  /** the journeys through a browser, but those of `e2e/night` */
  browser: string[]
  /** of those on the embedded engine, what neither opens a database nor starts a process: such files share a process instead of having one each */
  plain: string[]
}

/** Folders whose tests start servers or open the engine in their own process, and means by which a test changes what others of its process have loaded. */
const opens_or_starts = /^apps\/server\/faults\/|^kit\/server\/db\/|'node:child_process'|vi\.mock|resetModules/
/** A file that takes long and does not belong to what every change must pass. */
const long = /\.long\.test\.tsx?$/
const root = join(import.meta.dirname, '..')
const of_the_screen = /\/(web|contract)\//
/** What opens a database, for whoever imports it, and the helpers of tests, which may do so themselves. */
const opens_database = /from '[^']*(@apps\/server\/testing|engines-under-test)|from '@[^']*\/testing'/
const helpers = /from '(\.[^']*\/testing\/[^']+)'/g
const of_the_server = /^apps\/server\/testing\//
/**
 * What stands and falls with the engine: the clock of due work with its leases, and the taking back of a batch. Everything else that opens a database
 * answers the same on both. The tests of `kit/server/db` open both engines by themselves.
 */
const of_the_engine = /^domains\/jobs\/server\/(runner\/runner|import\/undo)\.test\.ts$/

/**
 * Sorts the test files that exist.
 * @throws Error when a kind is empty: then the pattern is wrong and the run would prove nothing
 */
export function sortTestFiles(): TestFiles {
  const all = globSync('{kit,domains,apps,tools}/**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'] }).toSorted()
  const with_database = new Set(all.filter(file => !of_the_screen.test(file) && usesDatabase(file)))
  const domains = all.filter(file => with_database.has(file) && !of_the_engine.test(file))
  const embedded = all.filter(file => !domains.includes(file))
  const files = {
    embedded,
    plain: embedded.filter(file => !with_database.has(file) && (of_the_screen.test(file) || !opens_or_starts.test(`${file}\n${read(file)}`))),
    postgres: all.filter(file => with_database.has(file)),
    domains,
    browser: globSync('e2e/*.test.ts', { cwd: root }).toSorted(),
  }
  for (const [kind, list] of Object.entries(files)) if (list.length === 0) throw new Error(`No test file is of the kind "${kind}": the patterns in tools/test-files.ts are wrong.`)
  return files
}

/** The quick ones of a step's files, which every change must pass. */
export function quickOf(files: readonly string[]): string[] {
  return files.filter(file => !long.test(file))
}

/** The long ones of a step's files. */
export function longOf(files: readonly string[]): string[] {
  return files.filter(file => long.test(file))
}

/** Whether a file, or a helper that it imports, opens a database: what only plays in memory does not. */
function usesDatabase(file: string): boolean {
  const text = read(file)
  return of_the_server.test(file) || opens_database.test(text) || [...text.matchAll(helpers)].some(([, path = '']) => usesDatabase(join(dirname(file), path)))
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
