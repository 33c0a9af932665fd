import { commonErrors, fail } from '@kit/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/index.ts'
import { addressList } from './address-list.ts'
import type { App } from './context.ts'
import { Port } from './port.ts'

const loopback = '127.0.0.0/8,::1'
const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** name of the registry's call that a route answers */
    call?: string
  }
}

/** A figure that a domain or the app tells at `/metrics`; `read` runs when somebody asks. Labels are of a closed set, never ids or paths. */
export type Meter = { name: string; about: string; labels: readonly string[]; read(): Promise<readonly { labels: Record<string, string>; value: number }[]> }

/** Filled by whoever has a figure to tell. */
export const meterPort = new Port<Meter>('http.meter')

/** The figures of one running server. */
export type Metrics = { registry: Registry; duration: Histogram<'call' | 'status'>; wait: Histogram; waiting: Gauge; open: Gauge }

/** Figures of the process (memory, event loop lag, garbage collection), of HTTP and of the database's sessions. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    duration: new Histogram({ name: 'campus_http_seconds', help: 'Answered requests by call and status', labelNames: ['call', 'status'], buckets: seconds, registers }),
    wait: new Histogram({ name: 'campus_database_wait_seconds', help: 'From asking for a transaction to its beginning', buckets: [0.001, ...seconds], registers }),
    waiting: new Gauge({ name: 'campus_database_waiting', help: 'Transactions that wait for a session (pool) or their turn (embedded)', registers }),
    open: new Gauge({ name: 'campus_database_open', help: 'Transactions under way', registers }),
  }
}

/** The same database, its transactions counted. */
export function measureDatabase(database: Database, { wait, waiting, open }: Metrics): Database {
  return {
    ...database,
    async tenant<T, R>(school_id: number, fn: (db: Kysely<T>) => Promise<R>, options?: { read_only?: boolean }) {
      const told = wait.startTimer()
      let has_begun = false
      waiting.inc()
      const counted = (db: Kysely<T>) => {
        has_begun = true
        waiting.dec()
        open.inc()
        told()
        return fn(db)
      }
      try {
        return await database.tenant<T, R>(school_id, counted, options)
      } finally {
        if (has_begun) open.dec()
        else waiting.dec()
      }
    },
  }
}

/** Measures every answer and serves `/metrics` to this machine and CAMPUS_METRICS_ALLOW; anybody else finds nothing there. */
export function serveMetrics(server: FastifyInstance, app: App, { registry, duration }: Metrics): void {
  const isLocal = addressList(loopback)
  const isNamed = addressList(app.config.CAMPUS_METRICS_ALLOW)
  for (const meter of meterPort.all(app)) addMeter(registry, app, meter)
  server.addHook('onResponse', async (request, reply) => {
    duration.observe({ call: request.routeOptions.config.call ?? 'other', status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  server.get('/metrics', async (request, reply) => {
    if (!isNamed(request.ip) && !(isLocal(request.ip) && !isForwarded(request, app))) throw fail(commonErrors.notFound)
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** A proxy on this machine that nobody named in CAMPUS_TRUST_PROXY makes the whole world look local. */
function isForwarded({ headers }: FastifyRequest, { config }: App): boolean {
  return config.CAMPUS_TRUST_PROXY === '' && (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined)
}

function addMeter(registry: Registry, app: App, { name, about, labels, read }: Meter): void {
  const gauge = new Gauge({
    name,
    help: about,
    labelNames: labels,
    registers: [registry],
    async collect() {
      try {
        const values = await read()
        gauge.reset()
        for (const row of values) gauge.set(row.labels, row.value)
      } catch (error) {
        // The other figures are wanted most when the database is away.
        gauge.reset()
        app.log.warn({ err: error, meter: name }, 'a figure could not be read')
      }
    },
  })
}
