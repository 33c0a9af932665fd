import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostFault, part_tests } from '@kit/terminal-protocol/console'
import type { Debug, Names, Ping } from '@kit/terminal-protocol/console'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Desk } from './desk.ts'
import { Refused } from './pages.ts'

const adb_port = 5555
const refused = 422
const [tries, try_ms, ping_port] = [3, 2000, 80]
const Host = z.object({ host: z.string().max(253) })
const Adb = z.object({ on: z.boolean() })
const Part = z.object({ part: z.enum(part_tests) })

/** What a technician needs at a terminal that does not do what it should. */
export function addDebugCalls(app: FastifyInstance, desk: Desk): void {
  app.get('/api/debug', () => debugOf(desk))
  app.post('/api/debug/adb', request => {
    desk.switchAdb(Adb.parse(request.body).on)
    return debugOf(desk)
  })
  app.post('/api/debug/part', request => {
    desk.tryPart(Part.parse(request.body).part)
    return desk.door
  })
  app.post('/api/debug/ping', request => ping(hostOf(request.body)))
  app.post('/api/debug/dns', request => resolve(hostOf(request.body)))
  app.get('/api/debug/log', (_request, reply) => reply.type('text/plain; charset=utf-8').header('content-disposition', `attachment; filename="${desk.terminal.sn}.log"`).send(desk.log.text()))
}

function debugOf({ adb_seconds, messages, capture }: Desk): Debug {
  return { adb: { on: adb_seconds !== null, port: adb_port, seconds: adb_seconds }, messages: messages.list(), capture }
}

/** @throws Refused when it names no machine */
function hostOf(body: unknown): string {
  const { host } = Host.parse(body)
  const fault = hostFault(host)
  if (fault) throw new Refused(refused, { code: fault, key: 'host' })
  return host
}

async function ping(host: string): Promise<Ping> {
  const answers: { ms: number | null }[] = []
  for (let at = 0; at < tries; at += 1) answers.push({ ms: await reach(host) })
  return { host, tries: answers }
}

async function resolve(host: string): Promise<Names> {
  return { host, addresses: await lookup(host, { all: true }).then(found => found.map(({ address }) => address), () => []) }
}

/** How long a machine takes to answer, in milliseconds, whether it opens the port or refuses it; null when it says nothing. */
async function reach(host: string): Promise<number | null> {
  const begun = performance.now()
  const socket = connect({ host, port: ping_port })
  const answered = new Promise<boolean>(settle => {
    socket.once('connect', () => settle(true))
    socket.once('error', error => settle('code' in error && error.code === 'ECONNREFUSED'))
  })
  const is_there = await Promise.race([answered, sleep(try_ms, false, { ref: false })])
  socket.destroy()
  return is_there ? Math.round(performance.now() - begun) : null
}
