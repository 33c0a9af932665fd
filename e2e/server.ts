import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A real server process on its own data directory, as `npm start` runs it, with the fixed captcha of the test environment. */
export type ServerUnderTest = {
  url: string
  data_dir: string
  start(): Promise<void>
  /** stops politely; `kill` is kill -9 */
  stop(): Promise<void>
  kill(): Promise<void>
  remove(): Promise<void>
}

const main = join(import.meta.dirname, '../apps/server/main.ts')
const ready_ms = 90_000

/** Prepares a server on a free port; nothing runs yet. */
export async function prepareServer(): Promise<ServerUnderTest> {
  const data_dir = await mkdtemp(join(tmpdir(), 'campus-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  const end = async (signal: NodeJS.Signals) => {
    if (!child || child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    url,
    data_dir,
    async start() {
      const env = { ...process.env, CAMPUS_ENV: 'test', CAMPUS_PROFILE: 'demo', CAMPUS_PORT: String(port), CAMPUS_DATA_DIR: data_dir, CAMPUS_DEMO_TODAY: '2026-11-20' }
      child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'inherit', 'inherit'] })
      await untilReady(`${url}/readyz`, child)
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    remove: () => rm(data_dir, { recursive: true, force: true }),
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + ready_ms
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error(`the server was not ready after ${ready_ms / 1000} s`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
