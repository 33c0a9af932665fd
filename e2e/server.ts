import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { copyPreparedDemo, prepareDemo } from './prepared-demo.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** address of the server that stands for the whole run */
    shared_url: string
  }
}

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
const ready_ms = 240_000

/** Prepares a server on a free port with a copy of the demo schools of its own; nothing runs yet. */
export async function prepareServer(): Promise<ServerUnderTest> {
  const data_dir = await mkdtemp(join(tmpdir(), 'campus-e2e-'))
  await copyPreparedDemo(data_dir)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  return {
    url,
    data_dir,
    async start() {
      child = run(data_dir, port)
      await untilReady(`${url}/readyz`, child)
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    remove: () => rm(data_dir, { recursive: true, force: true }),
  }
}

/** The server that stands for the whole run: for journeys that neither stop it nor count what others may add to. */
export function sharedServer(): { url: string } {
  return { url: inject('shared_url') }
}

/** Runs once around all journeys: the first start on an empty data directory makes the demo schools, then the shared server stands on a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await prepareDemo(makeDemo)
  const shared = await prepareServer()
  await shared.start()
  project.provide('shared_url', shared.url)
  return async () => {
    await shared.stop()
    await shared.remove()
  }
}

async function makeDemo(data_dir: string): Promise<void> {
  const port = await freePort()
  const child = run(data_dir, port)
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, child)
  } finally {
    await end(child, 'SIGTERM')
  }
}

function run(data_dir: string, port: number): ChildProcess {
  const env = { ...process.env, CAMPUS_ENV: 'test', CAMPUS_PROFILE: 'demo', CAMPUS_PORT: String(port), CAMPUS_DATA_DIR: data_dir, CAMPUS_DEMO_TODAY: '2026-11-20' }
  return spawn(process.execPath, [main], { env, stdio: ['ignore', 'inherit', 'inherit'] })
}

async function end(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
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
