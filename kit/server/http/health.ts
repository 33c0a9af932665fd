import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Build } from '../config/index.ts'

const patience_ms = 5000

/** One thing a server needs to be of use; `check` throws, or answers false, when it fails. Without an optional one it is degraded and goes on. */
export type ReadyPart = { name: string; is_optional?: true; check(): Promise<boolean> }

/**
 * `/livez`: the process runs, and which build it is; nothing is touched. `/readyz`: every part is there, else 503 with the names of those that fail; parts that are
 * missed but not needed are named as degraded.
 */
export function serveHealth(server: FastifyInstance, parts: readonly ReadyPart[], build: Build): void {
  server.get('/livez', (_request, reply) => reply.send({ status: 'ok', ...build }))
  server.get('/readyz', async (_request, reply) => {
    const states = await Promise.all(parts.map(async part => ({ ...part, is_ready: await isReady(part) })))
    const missed = states.filter(state => !state.is_ready)
    const failing = missed.filter(state => !state.is_optional).map(state => state.name)
    const degraded = missed.filter(state => state.is_optional).map(state => state.name)
    if (failing.length > 0) return reply.code(503).header('retry-after', 5).send({ status: 'unavailable', failing })
    return reply.send(degraded.length > 0 ? { status: 'degraded', failing, degraded } : { status: 'ok', failing })
  })
}

async function isReady({ check }: ReadyPart): Promise<boolean> {
  const too_late = new AbortController()
  try {
    return await Promise.race([check(), sleep(patience_ms, false, { signal: too_late.signal })])
  } catch {
    return false
  } finally {
    too_late.abort()
  }
}
