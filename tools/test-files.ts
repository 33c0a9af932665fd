import { globSync, readFileSync } from 'node:fs'

/** Which test files a step of `npm test` runs; paths from the project's root. Why: docs/decisions/0011-which-test-on-which-engine.md. */
export type TestFiles = {
  /** on the embedded engine: everything without a database and everything that depends on the engine */
  embedded: string[]
  /** on PostgreSQL: everything that opens a database */
  postgres: string[]
  /** tests of domains, which run on PostgreSQL; on the embedded engine only when asked for */
  domains: string[]
}

const of_the_screen = /\/(web|contract)\//
const uses_database = /from '[^']*(\/testing\b|engines-under-test)/
/** Connections, limits and headers are the same whatever the database. */
const of_the_wire = /\/faults\/(slow-connections|slow-readers|headers|file-headers|http-limits|draining|throttle|environments)\.test\.ts$/
/** What a domain answers over HTTP is the same on both engines; due work leans on locks and leases. */
const of_a_domain = /^domains\/(?!jobs\/)/
/** Refusals before or by the product's own conditions; a clock that starts what other tests prove on both engines; the demo's accounts, who sign in by the form in the journeys. */
const of_one_engine = /\/(suites\/(app-role|badges|closing|credentials|fence|malformed)|faults\/(caller-address|metrics)|backup\/schedule|demo\/sign-in|sheets\/[\w-]+)\.test\.ts$/
/** The demo's rows are the same wherever they lie; that it can be made on PostgreSQL is seen by signing in there. */
const of_the_demo = /^apps\/server\/demo\/(?!sign-in)/

/**
 * Sorts the test files that exist.
 * @throws Error when a kind is empty: then the pattern is wrong and the run would prove nothing
 */
export function sortTestFiles(): TestFiles {
  const all = globSync('{kit,domains,apps,tools}/**/*.test.{ts,tsx}', { exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'] }).toSorted()
  const with_database = new Set(all.filter(file => !of_the_screen.test(file) && uses_database.test(readFileSync(file, 'utf8'))))
  const domains = all.filter(file => with_database.has(file) && (of_a_domain.test(file) || of_one_engine.test(file)))
  const files = {
    embedded: all.filter(file => !domains.includes(file)),
    postgres: all.filter(file => with_database.has(file) && !of_the_wire.test(file) && !of_the_demo.test(file)),
    domains,
  }
  for (const [kind, list] of Object.entries(files)) if (list.length === 0) throw new Error(`No test file is of the kind "${kind}": the patterns in tools/test-files.ts are wrong.`)
  return files
}
