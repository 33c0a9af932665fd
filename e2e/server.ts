import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { inject } from 'vitest'
import type { TestProject } from 'vitest/node'
import { copyDemo, emptyDirectory, prepareDemo } from './prepared-demo.ts'
import type { OwnData } from './prepared-demo.ts'

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
  /** the settings it runs with: where its data and its database are */
  settings: Record<string, string>
  start(): Promise<void>
  /** stops politely; `kill` is kill -9 */
  stop(): Promise<void>
  kill(): Promise<void>
  remove(): Promise<void>
}

const main = join(import.meta.dirname, '../apps/server/dist/main.js')
/** The server's sources are compiled by the first process of a run, not by each of the two dozen that journeys start. */
const compiled = join(import.meta.dirname, '../.tmp/compiled')
const ready_ms = 600_000

/** Prepares a server on a free port with a copy of the demo schools of its own; nothing runs yet. */
export async function prepareServer(): Promise<ServerUnderTest> {
  return serverOn(await copyDemo())
}

/** Prepares a server on an empty data directory and the embedded engine, as a school that has just unpacked it: its first start makes the demo schools. */
export async function prepareNewServer(): Promise<ServerUnderTest> {
  return serverOn(await emptyDirectory())
}

async function serverOn({ settings, remove }: OwnData): Promise<ServerUnderTest> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | undefined
  return {
    url,
    data_dir: settings.CAMPUS_DATA_DIR,
    settings,
    async start() {
      child = run(settings, port)
      await untilReady(`${url}/readyz`, child)
    },
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    remove,
  }
}

/** The server that stands for the whole run: for journeys that neither stop it nor count what others may add to. */
export function sharedServer(): { url: string } {
  return { url: inject('shared_url') }
}

/** Runs once around all journeys: the first start on an empty data directory makes the demo schools, then the shared server stands on a copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const clear = await prepareDemo(makeDemo)
  const shared = await prepareServer()
  await shared.start()
  project.provide('shared_url', shared.url)
  return async () => {
    await shared.stop()
    await shared.remove()
    await clear()
  }
}

async function makeDemo(settings: Record<string, string>): Promise<void> {
  const port = await freePort()
  const child = run(settings, port)
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, child)
  } finally {
    await end(child, 'SIGTERM')
  }
}

function run(settings: Record<string, string>, port: number): ChildProcess {
  // The guard of the tests is no setting of the product.
  const { CAMPUS_CITUS_GUARD: _guard, ...own } = process.env
  const env = { ...own, NODE_COMPILE_CACHE: compiled, CAMPUS_ENV: 'test', CAMPUS_PROFILE: 'demo', CAMPUS_PORT: String(port), CAMPUS_MQTT_PORT: '0', CAMPUS_DEMO_TERMINALS: '0', CAMPUS_DEMO_PAST_DAYS: '0', CAMPUS_DEMO_TODAY: '2026-11-20', ...settings }
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
