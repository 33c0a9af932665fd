import { Server } from 'node:net'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { commonErrors, fail } from '@kit/contract'
import type { FastifyInstance } from 'fastify'
import { drain_ms, last_connections_ms, last_requests_ms, noticed_ms, quiet_ms } from './limits.ts'
import { sendRefusal } from './reply.ts'

const look_ms = 50
const retry_s = 2
const most_turns = 1000

/** Stops a server without breaking a request: `is_draining` while under way, `drain` resolves when no connection is left. */
export type Drain = { is_draining(): boolean; drain(): Promise<void> }

/**
 * Every answer after the stop says `Connection: close`. New connections are taken for a moment longer, but their calls are answered 503 untouched, so that
 * a balancer learns of the stop and asks somebody else (docs/deploy/nginx.conf: `@again`). The listener closes when no more come; idle connections end
 * a moment after that, since a request may have crossed the stop; what still runs after `drain_ms` is cut.
 */
export function prepareDrain(server: FastifyInstance): Drain {
  let draining = false
  let running = 0
  let last_came_at = 0
  const late = new WeakSet<Socket>()
  server.server.on('connection', (socket: Socket) => {
    last_came_at = performance.now()
    if (draining) late.add(socket)
  })
  server.addHook('onRequest', async (request, reply) => {
    running += 1
    reply.raw.once('close', () => (running -= 1))
    if (!draining) return
    reply.header('connection', 'close')
    // A writing call that has not begun may go to another server; nginx does that of itself for reading ones alone.
    if (late.has(request.raw.socket) && request.routeOptions.config.call) return sendRefusal(reply.header('x-accel-redirect', '@again').header('retry-after', retry_s), fail(commonErrors.busy))
  })
  // An answer that was begun before the stop still learns of it when its headers are written.
  server.addHook('onSend', async (_request, reply) => {
    if (draining) reply.header('connection', 'close')
  })
  return {
    is_draining: () => draining,
    async drain() {
      draining = true
      await sleep(last_connections_ms)
      const asked = performance.now()
      while (performance.now() - last_came_at < quiet_ms && performance.now() - asked < noticed_ms) await sleep(look_ms)
      await closeListener(server)
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

/**
 * Closes the listener in a turn of the event loop that took no connection: what waits in the kernel's queue when it closes is reset.
 * The close of the HTTP server would also cut idle connections, with whatever request is just arriving on them.
 */
async function closeListener({ server }: FastifyInstance): Promise<void> {
  let taken = true
  const take = () => (taken = true)
  server.on('connection', take)
  for (let turn = 0; taken && turn < most_turns; turn += 1) {
    taken = false
    await nextTurn()
  }
  server.off('connection', take)
  Server.prototype.close.call(server)
}

function openConnections({ server }: FastifyInstance): Promise<number> {
  return new Promise(resolve => server.getConnections((error, count) => resolve(error ? 1 : count)))
}
