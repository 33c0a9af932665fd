import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { processEnv } from './process-env.ts'

const cli = join(import.meta.dirname, '../cli.ts')

/** Runs an operator's command as `npm run cli` does, with exactly these settings; what it said. @throws Error with its complaint when it failed */
export async function runCli(args: readonly string[], settings: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...processEnv(), ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (child.exitCode !== 0) throw new Error(complained.trim())
  return said
}
