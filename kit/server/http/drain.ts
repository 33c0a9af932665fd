import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { drain_ms, last_requests_ms } from './limits.ts'

const look_ms = 50

/** Stops a server without breaking a request: `is_draining` while under way, `drain` resolves when no connection is left. */
export type Drain = { is_draining(): boolean; drain(): Promise<void> }

/**
 * Every answer after the stop says `Connection: close`. The listener closes first; requests that were on their way are served;
 * idle connections end after a moment, since a request may have crossed the stop; what still runs after `drain_ms` is cut.
 */
export function prepareDrain(server: FastifyInstance): Drain {
  let draining = false
  let running = 0
  server.addHook('onRequest', async (_request, reply) => {
    running += 1
    reply.raw.once('close', () => (running -= 1))
    if (draining) reply.header('connection', 'close')
  })
  // An answer that was begun before the stop still learns of it when its headers are written.
  server.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  return {
    is_draining: () => draining,
    async drain() {
      draining = true
      // The close of an HTTP server would also cut idle connections, with whatever request is just arriving on them.
      Server.prototype.close.call(server.server)
      const begun = performance.now()
      while (performance.now() - begun < drain_ms) {
        await sleep(look_ms)
        if (running > 0) continue
        if (performance.now() - begun >= last_requests_ms || (await openConnections(server)) === 0) break
      }
      server.server.closeAllConnections()
    },
  }
}

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((error, count) => resolve(error ? 1 : count)))
}
