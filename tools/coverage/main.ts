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
 * compares it with the run of the tests that ended just now and ends with 1 when the page claims more; `--check-quick` leaves out the sentences,
 * some of which the long tests alone get to see.
 */
const root = join(import.meta.dirname, '../..')
const page = join(root, 'docs/coverage.md')

await runCheck('coverage', () => {
  const parts = countAll()
  for (const { counted, items } of parts) console.log(`${counted}: ${items.filter(item => item.by !== '').length} of ${items.length}`)
  if (process.argv.includes('--check')) {
    if (writtenPage() !== documentOf(parts)) console.log('docs/coverage.md differs from what was found: npm run coverage writes it.')
    return check(parts)
  }
  if (process.argv.includes('--check-quick')) return check(parts.filter(({ title }) => title !== 'Sentences'))
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
  const lost = lostSince(writtenPage(), parts)
  for (const line of lost) console.error(line)
  return lost.length > 0 ? 1 : 0
}

function writtenPage(): string {
  const written = existsSync(page) ? readFileSync(page, 'utf8') : ''
  if (written === '') throw new Error('docs/coverage.md is missing: npm run coverage writes it.')
  return written
}
