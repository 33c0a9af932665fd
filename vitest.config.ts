import { defineConfig } from 'vitest/config'

const test_timeout_ms = 30_000
const browser_timeout_ms = 120_000
const left_out = ['**/node_modules/**', '**/dist/**', '**/fixtures/**']

export default defineConfig({
  test: {
    // Two workers: every one may hold an embedded database of half a gigabyte.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: ['{kit,domains,apps,tools}/**/*.test.{ts,tsx}'],
          exclude: left_out,
          testTimeout: test_timeout_ms,
          hookTimeout: browser_timeout_ms,
        },
      },
      {
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['e2e/**/*.test.ts'],
          exclude: left_out,
          fileParallelism: false,
          testTimeout: browser_timeout_ms,
          hookTimeout: browser_timeout_ms,
        },
      },
    ],
  },
})
