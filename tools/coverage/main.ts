import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { domains } from '@apps/server/domains'
import { runCheck } from '../finding.ts'
import { countAcceptance, countCalls, countRoutes, countStrings } from './count.ts'
import { documentOf, lostSince } from './document.ts'
import type { Part } from './document.ts'
import { readNamedTests, readPages, readSeen } from './evidence.ts'

/**
 * Counts what the product description asks for: `node tools/coverage/main.ts` writes docs/coverage.md (as does `--write`), `--check`
 * compares it with the run of the tests that ended just now and ends with 1 when the page claims more.
 */
const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/coverage.md')

await runCheck('coverage', () => {
  const parts = countAll()
  for (const { counted, items } of parts) console.log(`${counted}: ${items.filter(item => item.by !== '').length} of ${items.length}`)
  if (process.argv.includes('--check')) return check(parts)
  writeFileSync(page, documentOf(parts))
  return 0
})

function countAll(): Part[] {
  const seen = readSeen(process.env.CAMPUS_TEST_COVERAGE_DIR ?? join(root, '.tmp/coverage'))
  return [
    { title: 'Routes', counted: 'routes built', by: 'domain', items: countRoutes(domains, readPages(root)) },
    { title: 'Named calls', counted: 'named calls registered', by: 'call', items: countCalls(domains, 'named') },
    { title: 'Described calls', counted: 'described calls registered', by: 'call', items: countCalls(domains, 'described') },
    { title: 'Sentences', counted: 'quoted sentences seen', by: 'seen in', items: countStrings(seen) },
    { title: 'Acceptance', counted: 'acceptance numbers with a test', by: 'test file', items: countAcceptance(readNamedTests(root)) },
  ]
}

function check(parts: readonly Part[]): number {
  const written = existsSync(page) ? readFileSync(page, 'utf8') : ''
  if (written === '') throw new Error('docs/coverage.md is missing: npm run coverage writes it.')
  const lost = lostSince(written, parts)
  for (const line of lost) console.error(line)
  if (lost.length === 0 && written !== documentOf(parts)) console.log('docs/coverage.md is behind: npm run coverage writes what was found.')
  return lost.length > 0 ? 1 : 0
}
