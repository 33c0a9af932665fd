import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { statusOf } from './client.ts'
import { cpuOf } from './cpu.ts'

/** A process under measurement: the product's own server, or the bare one it is compared with. */
export type Product = {
  url: string
  /** milliseconds from the start of the process until it answered */
  started_ms: number
  /** resident memory now, bytes; null when the process has ended */
  rss(): number | null
  /** processor time of the process so far, milliseconds */
  cpu_ms(): number
  /** asks the process to end and waits for it */
  stop(): Promise<void>
  /** ends it without a word, as a lost machine would */
  kill(): Promise<void>
}

const root = join(import.meta.dirname, '..')
const main = join(root, 'apps/server/dist/main.js')
const ready_ms = 180_000
const running = new Set<ChildProcess>()
const folders = new Set<string>()
let log_file: string | undefined

/** Starts the product's server, as `npm run serve` does, in the test environment with these settings, and waits for /readyz. */
export function startProduct(settings: Record<string, string>): Promise<Product> {
  return start(main, '/readyz', { CAMPUS_ENV: 'test', CAMPUS_LOG_LEVEL: 'error', ...settings })
}

/** Starts another program of this folder that listens on CAMPUS_PORT. */
export function startBare(file: string, settings: Record<string, string>): Promise<Product> {
  return start(join(import.meta.dirname, file), '/', settings)
}

/** Starts a program that is not ours and listens on PORT. */
export function startForeign(file: string, args: readonly string[], ready_path: string, settings: Record<string, string>): Promise<Product> {
  return start(file, ready_path, settings, args)
}

/** A folder of a run, removed with it. */
export function scratchFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `campus-bench-${name}-`))
  folders.add(folder)
  return folder
}

/** The last lines that the servers under measurement wrote, for a figure that failed. */
export function lastWords(): string {
  return log_file === undefined ? '' : readFileSync(log_file, 'utf8').split('\n').slice(-12).join('\n')
}

/** Ends every process that still runs and removes the folders of the run. */
export async function stopProducts(): Promise<void> {
  await Promise.all([...running].map(child => end(child)))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
  log_file = undefined
}

async function start(file: string, ready_path: string, settings: Record<string, string>, args: readonly string[] = []): Promise<Product> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = openSync(logFile(), 'a')
  const begun = performance.now()
  const child = spawn(process.execPath, [file, ...args], { cwd: root, env: { ...process.env, CAMPUS_MQTT_PORT: '0', CAMPUS_DEMO_TERMINALS: '0', CAMPUS_DEMO_PAST_DAYS: '0', ...settings, CAMPUS_PORT: String(port), PORT: String(port) }, stdio: ['ignore', log, log] })
  running.add(child)
  child.once('exit', (code, signal) => {
    if (running.delete(child)) process.stderr.write(`the server under measurement ended by itself: ${signal ?? code}\n`)
  })
  await untilReady(`${url}${ready_path}`, child)
  return { url, started_ms: performance.now() - begun, rss: () => residentOf(child), cpu_ms: () => cpuOf(child), stop: () => end(child), kill: () => end(child, 'SIGKILL') }
}

function logFile(): string {
  return (log_file ??= join(scratchFolder('log'), 'servers.log'))
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + ready_ms
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the server under measurement ended with ${child.exitCode}`)
    if ((await statusOf(url)) === 200) return
    await sleep(20)
  }
  throw new Error(`nothing answered ${url} within ${ready_ms / 1000} s`)
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  running.delete(child)
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** Bytes of memory that a process holds; null when it is gone. */
export function residentOf(child: ChildProcess): number | null {
  if (child.exitCode !== null || child.signalCode !== null) return null
  const text = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]) * 1024
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
