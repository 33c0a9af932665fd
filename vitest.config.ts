import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tools/longest-first.ts'
import { sortTestFiles } from './tools/test-files.ts'

const test_timeout_ms = 60_000
const browser_timeout_ms = 120_000
/** How long a test waits for something that is about to happen: patience, not a measure. */
const poll_timeout_ms = 20_000
/** Tests of one file that wait side by side for the server's time limits. */
const waiting_together = 10
/** Tests that open no database and start nothing: the modules they share are loaded once for each worker, not once for each file. */
const { plain } = sortTestFiles()
/** The embedded engine is WebAssembly, and a process that opens and drops many of them may die in its code cache: only on PostgreSQL tests of the server share a process. */
const shares_process = process.env.CAMPUS_TEST_ENGINE === 'postgres'
const fresh_build = join(import.meta.dirname, 'tools/fresh-build.ts')
const left_out = ['**/node_modules/**', '**/dist/**', '**/fixtures/**']

/** Packages are compiled once for all workers and the server processes that tests start, not once in each. Statements that a Citus cluster refuses fail (decision 0042). */
const env = { NODE_COMPILE_CACHE: join(import.meta.dirname, '.tmp/compiled'), CAMPUS_CITUS_GUARD: process.env.CAMPUS_CITUS_GUARD ?? 'fail' }

const on_the_server = {
  environment: 'node',
  testTimeout: test_timeout_ms,
  hookTimeout: browser_timeout_ms,
  maxConcurrency: waiting_together,
  env,
  expect: { poll: { timeout: poll_timeout_ms } },
} as const

/** These tests mock nothing: Node loads them, and what they import of the server, by itself, in a third of the time that Vite's runner takes for it. */
const loaded_by_node = { experimental: { viteModuleRunner: false, nodeLoader: false } } as const

const in_the_browser = {
  isolate: false,
  ...loaded_by_node,
  env,
  environment: 'node',
  exclude: left_out,
  globalSetup: [fresh_build, join(import.meta.dirname, 'e2e/server.ts')],
  testTimeout: browser_timeout_ms,
  hookTimeout: browser_timeout_ms,
  expect: { poll: { timeout: poll_timeout_ms } },
}

export default defineConfig({
  test: {
    // Three workers for two cores: a test that waits leaves room for another one. Every one may hold an embedded database of half a gigabyte.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'pure', ...on_the_server, include: plain, exclude: left_out, isolate: false } },
      { test: { name: 'domains', ...on_the_server, ...loaded_by_node, include: ['domains/**/*.test.{ts,tsx}'], exclude: [...left_out, ...plain], isolate: !shares_process } },
      { test: { name: 'unit', ...on_the_server, ...loaded_by_node, globalSetup: fresh_build, isolate: !shares_process, include: ['{kit,apps,tools}/**/*.test.{ts,tsx}'], exclude: [...left_out, ...plain] } },
      { test: { name: 'e2e', ...in_the_browser, include: ['e2e/*.test.ts'] } },
      { test: { name: 'night', ...in_the_browser, include: ['e2e/night/*.test.ts'] } },
    ],
  },
})
