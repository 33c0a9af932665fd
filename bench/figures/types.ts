import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atMost, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median, timed } from '../measure.ts'

const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const projects = ['contract', 'server', 'web'] as const

/** What a developer waits for before anything is checked. */
export const types: Figure = {
  name: 'types',
  title: 'Checking the types',
  how: 'The three projects one after the other, from nothing; the middle of the rounds.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const found = projects.map(name => ({ name, ms: new Array<number>() }))
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
    for (const { name, ms } of found) ms.push(await timed(() => check(name)))
  }
  const medians = found.map(({ name, ms }) => ({ name, ms: median(ms) }))
  const total = medians.reduce((sum, { ms }) => sum + ms, 0)
  return [atMost('three projects', total, 10_000, seconds), reported('each', medians.map(({ name, ms }) => `${name} ${seconds(ms)}`).join(', '))]
}

/** A compiler that finds errors fails the figure: it may have stopped early. */
async function check(name: string): Promise<void> {
  const child = spawn(process.execPath, [compiler, '-p', `tsconfig.${name}.json`], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`tsconfig.${name}.json does not check`)
}
