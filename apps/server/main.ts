import { ConfigError, loadConfig } from '@kit/server/config'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { bootServer } from './boot.ts'
import type { Running } from './boot.ts'
import { doorLines } from './device-doors.ts'
import { openDevSocket } from './demo/dev-socket.ts'
import { demoLines, ensureDemo } from './demo/index.ts'
import { startPast } from './demo/past-days.ts'
import { startDemoTerminals } from './demo/terminals.ts'

const longest_stop_ms = 25_000

// The heap may grow by this share over what lives before it is cleared: else an import leaves hundreds of megabytes of garbage lying for minutes.
setFlagsFromString('--heap-growing-percent=60')

await start().catch(end)

/** Ends the process with one clear line. */
function end(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(error instanceof ConfigError ? 2 : 1)
}

async function start(): Promise<void> {
  const config = loadConfig(process.env)
  const server = await bootServer({ config, env: process.env, ...(config.demo ? { prepare: ensureDemo } : {}) })
  openDevSocket(server)
  // Whoever reads that it is ready may stop it in the same moment.
  stopOnSignal(server)
  const doors = await server.openToDevices()
  await server.http.listen({ host: config.CAMPUS_HOST, port: config.CAMPUS_PORT })
  await announce(server, doors)
  if (config.demo && config.CAMPUS_DEMO_TERMINALS > 0) await startDemoTerminals(server, doors[0] ?? '')
  if (config.demo) startPast(server, config.CAMPUS_DEMO_PAST_DAYS)
}

async function announce({ http, app, database }: Running, doors: readonly string[]): Promise<void> {
  const { port } = addressOf(http.server.address())
  const host = app.config.CAMPUS_HOST === '0.0.0.0' ? 'localhost' : app.config.CAMPUS_HOST
  const lines = [`智慧校园管理平台已启动：http://${host}:${port}/`, `API 文档：http://${host}:${port}/api/docs`, ...doorLines(app, doors), `数据库：${database.engine}`]
  if (app.config.demo) lines.push(...(await demoLines(app.config)))
  process.stdout.write(`${lines.join('\n')}\n`)
}

function addressOf(address: string | AddressInfo | null): { port: number } {
  return typeof address === 'object' && address !== null ? address : { port: 0 }
}

/** A stop finishes what is under way; a second signal, or 25 seconds, ends it at once. */
function stopOnSignal(server: Running): void {
  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    setTimeout(() => process.exit(1), longest_stop_ms).unref()
    void server
      .drain()
      .then(() => server.close())
      .then(() => process.exit(0), end)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
