import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test_settings } from '../testing/database.ts'
import { processEnv } from './process-env.ts'

const main = join(import.meta.dirname, '../dist/main.js')
const ready_ms = 120_000
const announced = /http:\/\/[^:/]+:(\d+)\//

/** How a server process ended, and what it said. */
export type End = { code: number | null; signal: NodeJS.Signals | null; said: string }
export type ServerProcess = { url: string; pid: number; said(): string; signal(name: NodeJS.Signals): void; ended: Promise<End> }

/** Runs the built server as `npm start` does, with the settings of the tests under these, until it listens. */
export async function startServer(settings: Record<string, string>): Promise<ServerProcess> {
  const { child, ended, said } = spawnServer({ ...test_settings, ...settings })
  const url = await untilListening(child, ended, said)
  return { url, pid: child.pid ?? 0, said, ended, signal: name => void child.kill(name) }
}

/** Runs it with exactly these settings, for starts that are expected to be refused. */
export async function tryStart(settings: Record<string, string>): Promise<End> {
  const { child, ended } = spawnServer(settings)
  const timer = setTimeout(() => child.kill('SIGKILL'), ready_ms)
  return ended.finally(() => clearTimeout(timer))
}

/** kill -9 when it still runs. */
export async function endServer(server: ServerProcess | undefined): Promise<void> {
  server?.signal('SIGKILL')
  await server?.ended
}

function spawnServer(settings: Record<string, string>) {
  const child = spawn(process.execPath, [main], { env: { ...processEnv(), CAMPUS_MQTT_PORT: '0', ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  const ended = once(child, 'close').then((): End => ({ code: child.exitCode, signal: child.signalCode, said: text }))
  return { child, ended, said: () => text }
}

async function untilListening(child: ChildProcess, ended: Promise<End>, said: () => string): Promise<string> {
  const deadline = Date.now() + ready_ms
  while (Date.now() < deadline) {
    const port = announced.exec(said())?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}`
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the server did not start: ${(await ended).said}`)
    await Promise.race([ended, new Promise(resolve => setTimeout(resolve, 50))])
  }
  child.kill('SIGKILL')
  throw new Error(`the server did not listen after ${ready_ms / 1000} s: ${said()}`)
}
