import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { commands } from '../cli/commands.ts'
import { processEnv } from './process-env.ts'

const cli = join(import.meta.dirname, '../dist/cli.js')

/** Runs an operator's command as `npm run cli` does, with exactly these settings; what it said. @throws Error with its complaint when it failed */
export async function runCli(args: readonly string[], settings: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [cli, ...args], { env: { ...processEnv(), ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  if (child.exitCode !== 0) throw new Error(complained.trim())
  return said
}

/** Runs it in this process, which loads nothing anew: for commands of which only the work is asked, not how the process ends. What it said. */
export async function runHere([name, ...args]: readonly string[], settings: Record<string, string>): Promise<string> {
  const command = commands.find(item => item.name === name)
  if (!command) throw new Error(`"${name}" is no command`)
  const said: string[] = []
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = part => said.push(String(part)) > 0
  await command.run(args, settings).finally(() => (process.stdout.write = write))
  return said.join('')
}
