import { globSync, readFileSync } from 'node:fs'

/** Which test files a step of `npm test` runs; paths from the project's root. Why: docs/decisions/0011-which-test-on-which-engine.md. */
export type TestFiles = {
  /** on the embedded engine: everything without a database and everything that depends on the engine */
  embedded: string[]
  /** on PostgreSQL: everything that opens a database */
  postgres: string[]
  /** on PostgreSQL; on the embedded engine only when asked for */
  domains: string[]
}

const of_the_screen = /\/(web|contract)\//
const uses_database = /from '[^']*(\/testing\b|engines-under-test)/
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
  const all = globSync('{kit,domains,apps,tools}/**/*.test.{ts,tsx}', { exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'] }).toSorted()
  const with_database = new Set(all.filter(file => !of_the_screen.test(file) && uses_database.test(readFileSync(file, 'utf8'))))
  const domains = all.filter(file => with_database.has(file) && !of_the_engine.test(file))
  const files = {
    embedded: all.filter(file => !domains.includes(file)),
    postgres: all.filter(file => with_database.has(file)),
    domains,
  }
  for (const [kind, list] of Object.entries(files)) if (list.length === 0) throw new Error(`No test file is of the kind "${kind}": the patterns in tools/test-files.ts are wrong.`)
  return files
}
