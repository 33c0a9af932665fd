// `npm test`: what every change must pass; `npm test -- all`: the long tests too. `npm test -- lint house` runs the named steps only; `npm test -- domains states mutants`
// are for the night.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { giveHugePages } from './huge-pages.ts'
import { browserNeeds, faultNeeds, prepareMachine } from './machine.ts'
import type { Need } from './machine.ts'
import { startCluster } from './postgres.ts'
import type { Cluster } from './postgres.ts'
import { makeScratch } from './scratch.ts'
import { filesForSecondTry } from './second-try.ts'
import { slowestFiles } from './slowest-files.ts'
import { longOf, quickOf, sortTestFiles } from './test-files.ts'

/**
 * `runs`: a `quick` step always, a `long` one when all are asked for, one of the `night` when it is named.
 * `beside`: on one core and with little to say, so that all such steps in a row run side by side.
 */
type Step = { name: string; script: string; runs: 'quick' | 'long' | 'night'; args?: (of_all: boolean) => string[]; needs?: Need[]; on_postgres?: boolean; beside?: boolean }
type Result = { name: string; seconds: number; passed: boolean; last_lines: string[]; tried_again: string[] }

const files = sortTestFiles()
const steps: Step[] = [
  { name: 'types', script: 'types', runs: 'quick' },
  { name: 'lint', script: 'lint', runs: 'quick', beside: true },
  { name: 'house', script: 'house', runs: 'quick', beside: true },
  { name: 'boundaries', script: 'boundaries', runs: 'quick', beside: true },
  { name: 'unused', script: 'unused', runs: 'quick', beside: true },
  { name: 'tables', script: 'tables', runs: 'quick', args: () => ['--check'], beside: true },
  { name: 'embedded', script: 'test:unit', runs: 'quick', args: () => quickOf(files.embedded) },
  { name: 'postgres', script: 'test:unit', runs: 'quick', args: () => quickOf(files.postgres), needs: faultNeeds, on_postgres: true },
  { name: 'browser', script: 'test:browser', runs: 'quick', args: () => quickOf(files.browser), needs: browserNeeds, on_postgres: true },
  { name: 'embedded-long', script: 'test:unit', runs: 'long', args: () => longOf(files.embedded) },
  { name: 'postgres-long', script: 'test:unit', runs: 'long', args: () => longOf(files.postgres), needs: faultNeeds, on_postgres: true },
  { name: 'browser-long', script: 'test:browser', runs: 'long', args: () => longOf(files.browser), needs: browserNeeds, on_postgres: true },
  // What the long tests alone see counts when they ran.
  { name: 'coverage', script: 'coverage', runs: 'quick', args: of_all => [of_all ? '--check' : '--check-quick'] },
  // For the night and before a release: what domains answer, on the embedded engine too; the older screens slow, broken, long, by key and in detail.
  { name: 'domains', script: 'test:unit', runs: 'night', args: () => files.domains, needs: faultNeeds },
  { name: 'states', script: 'test:states', runs: 'night', needs: browserNeeds },
  // After a change to a driver or to its virtual terminal: whether the tests see each rule of theirs that is taken away.
  { name: 'mutants', script: 'mutants', runs: 'night' },
]
const kept_lines = 120
const root = join(import.meta.dirname, '..')
const coverage_dir = join(root, '.tmp/coverage')

const running = new Set<ChildProcess>()
let interrupted_with: number | undefined

process.on('SIGINT', () => interrupt(130))
process.on('SIGTERM', () => interrupt(143))
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  return 1
})

async function main(names: string[]): Promise<number> {
  const unknown = names.filter(name => name !== 'all' && !steps.some(step => step.name === name))
  if (unknown.length > 0) throw new Error(`No such step: ${unknown.join(', ')}. Steps: ${steps.map(step => step.name).join(', ')}, all.`)
  const of_all = names.includes('all')
  const isChosen = ({ name, runs }: Step) => names.includes(name) || (of_all && runs !== 'night') || (names.length === 0 && runs === 'quick')
  const chosen = steps.filter(isChosen)
  // Old recordings must not vouch for a new run.
  if (chosen.some(({ script }) => script.startsWith('test:'))) rmSync(coverage_dir, { recursive: true, force: true })
  prepareMachine([...new Set(chosen.flatMap(step => step.needs ?? []))])
  const clearScratch = makeScratch()
  const putPagesBack = giveHugePages()
  let cluster: Cluster | undefined
  try {
    if (chosen.some(step => step.on_postgres)) cluster = await startCluster()
    const results: Result[] = []
    for (const together of sideBySide(chosen)) {
      if (interrupted_with === undefined) results.push(...(await Promise.all(together.map(step => runStep(step, of_all, cluster)))))
    }
    printFaults(results)
    printTable(results)
    return interrupted_with ?? (results.every(result => result.passed) ? 0 : 1)
  } finally {
    await cluster?.stop()
    clearScratch()
    putPagesBack()
  }
}

/** The steps in their order, those in a row that run beside each other as one. */
function sideBySide(chosen: readonly Step[]): Step[][] {
  const groups: Step[][] = []
  for (const step of chosen) {
    const last = groups.at(-1)
    if (step.beside && last?.[0]?.beside) last.push(step)
    else groups.push([step])
  }
  return groups
}

/** Runs one step; a step that fails does not stop the next ones. Test files that failed while others ran beside them are run once more, alone. */
async function runStep(step: Step, of_all: boolean, cluster: Cluster | undefined): Promise<Result> {
  console.log(`\n── ${step.name}`)
  const started = performance.now()
  const last_lines: string[] = []
  const report = join(root, `.tmp/reports/${step.name}.json`)
  const reports = step.script.startsWith('test:') ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : []
  rmSync(report, { force: true })
  let passed = await runScript(step, [...(step.args?.(of_all) ?? []), ...reports], cluster, last_lines)
  for (const { file, seconds } of slowestFiles(report, root)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
  const tried_again = passed || interrupted_with !== undefined ? [] : filesForSecondTry(report, root)
  if (tried_again.length > 0) {
    console.log(`\n── ${step.name}: second try of ${tried_again.join(', ')}`)
    passed = await runScript(step, tried_again, cluster, last_lines)
  }
  return { name: step.name, seconds: (performance.now() - started) / 1000, passed, last_lines, tried_again }
}

/** Runs one npm script to its end. */
async function runScript(step: Step, args: readonly string[], cluster: Cluster | undefined, last_lines: string[]): Promise<boolean> {
  const database = cluster && step.on_postgres ? { CAMPUS_TEST_ENGINE: 'postgres', CAMPUS_TEST_PG_ADMIN_URL: cluster.url } : {}
  const env = { ...process.env, ...database, CAMPUS_TEST_COVERAGE_DIR: coverage_dir }
  // A group of its own, so that an interrupted run can end everything the step has started.
  const child = spawn('npm', ['run', '--silent', step.script, '--', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env, detached: true })
  running.add(child)
  for (const stream of [child.stdout, child.stderr]) passOn(stream, last_lines)
  const [code] = await once(child, 'close')
  running.delete(child)
  return code === 0
}

/** Prints what a step says and keeps its last lines: there stand the faults. */
function passOn(stream: Readable, last_lines: string[]): void {
  createInterface({ input: stream }).on('line', line => {
    console.log(line)
    last_lines.push(line)
    if (last_lines.length > kept_lines) last_lines.shift()
  })
}

/** Says again how the failed steps ended: a log that is cut at its beginning still tells what to mend. */
function printFaults(results: Result[]): void {
  for (const { name, last_lines } of results.filter(({ passed }) => !passed)) {
    console.log(`\n── ${name} failed; its last lines:\n${last_lines.join('\n')}`)
  }
}

function printTable(results: Result[]): void {
  const width = Math.max(...results.map(({ name }) => name.length))
  console.log('\nstep'.padEnd(width + 1), '  seconds  result')
  for (const { name, seconds, passed, tried_again } of results) {
    const again = tried_again.length > 0 ? `, second try: ${tried_again.join(', ')}` : ''
    console.log(name.padEnd(width), seconds.toFixed(1).padStart(9), `${passed ? ' passed' : ' FAILED'}${again}`)
  }
}

/** The first signal asks the running step to end, the next one ends it; either way the database is stopped and cleared away. */
function interrupt(code: number): void {
  for (const { pid } of running) if (pid !== undefined) process.kill(-pid, interrupted_with === undefined ? 'SIGTERM' : 'SIGKILL')
  interrupted_with = code
}
