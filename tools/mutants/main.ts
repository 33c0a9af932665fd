import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { copySources } from './copy.ts'
import { takeAway } from './mutant.ts'
import type { Mutant } from './mutant.ts'
import { traps } from './traps.ts'

/**
 * `npm test -- mutants`: takes every rule away that keeps one of the traps of the terminal protocol (chapter 31 §5.8), one at a time and in a copy, and runs the one test that has to see it.
 * Ends with 1 when a test stays green without its rule. A word behind it chooses traps: `npm run mutants -- getKey`.
 */
const root = join(import.meta.dirname, '../..')
const Report = z.object({ testResults: z.array(z.object({ assertionResults: z.array(z.object({ title: z.string(), status: z.string() })) })) })

const copy = mkdtempSync(join(tmpdir(), 'campus-mutants-'))
try {
  copySources(root, copy)
  process.exitCode = main(process.argv.slice(2))
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function main(words: readonly string[]): number {
  const chosen = traps.filter(({ trap }) => words.every(word => trap.includes(word)))
  const mutants = chosen.flatMap(({ trap, mutants: of }) => of.map(mutant => ({ trap, mutant })))
  const unsound = mutants.filter(({ mutant }, at) => mutants.findIndex(other => other.mutant.of === mutant.of && other.mutant.test === mutant.test) === at && outcome(mutant) !== 'passed')
  for (const { mutant } of unsound) console.log(`does not pass with all rules: ${mutant.of}: ${mutant.test}`)
  if (unsound.length > 0) return 1
  const survivors = mutants.filter(({ trap, mutant }) => {
    const is_seen = without(mutant) === 'failed'
    console.log(`${is_seen ? 'seen    ' : 'SURVIVES'}  ${trap}  ${mutant.file}: ${mutant.rule.trim()}`)
    return !is_seen
  })
  console.log(`${mutants.length} rules of ${chosen.length} traps taken away, ${survivors.length} not seen`)
  return survivors.length > 0 ? 1 : 0
}

/** What becomes of the test when its rule is missing. */
function without(mutant: Mutant): string {
  const path = join(copy, mutant.file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, takeAway(mutant, root))
  const came = outcome(mutant)
  writeFileSync(path, whole)
  return came
}

/** How one test ends in the copy: `absent` when it did not run, as when its file cannot be read any more. */
function outcome({ of, test }: Mutant): string {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', copy, '--testTimeout=60000', '--no-isolate', '--reporter=json', `--outputFile=${report}`, '-t', test.replaceAll(/[^\p{L}\p{N} ]/gu, '.'), of], { stdio: 'ignore' })
  if (!existsSync(report)) return 'absent'
  const { testResults } = Report.parse(JSON.parse(readFileSync(report, 'utf8')))
  const found = testResults.flatMap(one => one.assertionResults).filter(one => one.title === test).map(one => one.status)
  if (found.length === 0) return 'absent'
  return found.includes('failed') ? 'failed' : (found.find(status => status === 'passed') ?? 'absent')
}
