import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { atMost, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median, timed } from '../measure.ts'

const root = join(import.meta.dirname, '../..')
const limit_ms = 10_000

/** What a developer waits for before anything is checked. */
export const types: Figure = {
  name: 'types',
  title: 'Checking the types',
  how: 'The three projects side by side as `npm run types` checks them, from nothing; the middle of the rounds.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const found: number[] = []
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) found.push(await timed(check))
  return [atMost('three projects', median(found), limit_ms, seconds)]
}

/** A compiler that finds errors fails the figure: it may have stopped early. */
async function check(): Promise<void> {
  const child = spawn(process.execPath, [join(root, 'tools/types.ts'), '--fresh'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error('the types do not check')
}
