// `npm run types`: the compiler over the three projects side by side. What it learnt is kept in `.tmp`, so that the next run looks at what has changed
// and at what depends on it; `--fresh` begins from nothing and keeps nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const projects = ['contract', 'server', 'web'] as const
/** Every checker works out the shared types anew: four of them did more than twice the work of one, and the three projects fill the cores. */
const checkers = '1'
/** The compiler is gone after seconds: collecting its garbage was a fifth of its work. The limit is each one's own, far above what a project needs. */
const memory = { GOGC: 'off', GOMEMLIMIT: '3GiB' }
const fresh = process.argv.includes('--fresh')

const codes = await Promise.all(projects.map(check))
process.exitCode = Math.max(...codes)

/** Checks one project; faults are printed as the compiler words them. */
async function check(project: string): Promise<number> {
  const kept = fresh ? [] : ['--incremental', '--tsBuildInfoFile', join(root, `.tmp/types/${project}.tsbuildinfo`)]
  const child = spawn(process.execPath, [compiler, '-p', `tsconfig.${project}.json`, '--checkers', checkers, ...kept], { cwd: root, env: { ...process.env, ...memory }, stdio: ['ignore', 'inherit', 'inherit'] })
  await once(child, 'exit')
  return child.exitCode ?? 1
}
