import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Fault } from '@kit/terminal-protocol/console'
import fastify from 'fastify'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'

/** Where the pages of the terminal's console are built to. */
const built = join(import.meta.dirname, '../../terminal-console/dist')
const loopback = '127.0.0.1'
const any_address = '0.0.0.0'
const most_body = 64 * 1024
const [malformed, misdirected, too_large, server_error, unbuilt] = [400, 421, 413, 500, 503]
const policy = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

/** A refusal with its status. */
export class Refused extends Error {
  readonly status: number
  readonly faults: readonly Fault[]
  constructor(status: number, ...faults: Fault[]) {
    super(faults.map(fault => fault.code).join())
    this.status = status
    this.faults = faults
  }
}

/** Where it listens; `is_exposed`: on every address of the machine, not on this one alone. Port 0: any free one. */
export type Listening = { port: number; is_exposed?: boolean }
export type Opened = { port: number; url: string; close(): Promise<void> }

/** A server of a terminal's pages: the calls that `add` puts in, and `page` for every other address. */
export async function openPages(page: 'index.html' | 'face.html', { port: wanted, is_exposed = false }: Listening, add: (app: FastifyInstance) => void): Promise<Opened> {
  const app = fastify({ bodyLimit: most_body, forceCloseConnections: true })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'content-security-policy': policy, 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' })
    // A foreign name that somebody has pointed here is a page of his that wants to read ours.
    if (!is_exposed && !isOwnHost(request.hostname)) throw new Refused(misdirected, { code: 'host' })
  })
  app.setErrorHandler((error, _request, reply) => {
    const { status, faults } = refusalOf(error)
    return reply.code(status).header('cache-control', 'no-store').send({ faults })
  })
  add(app)
  await servePages(app, page)
  await app.listen({ port: wanted, host: is_exposed ? any_address : loopback })
  const address = app.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted
  return { port, url: `http://${loopback}:${port}/`, close: () => app.close() }
}

/** Does something once the answer is on its way: the device is not there while it does it. */
export function afterwards(reply: FastifyReply, work: () => Promise<void>): void {
  reply.raw.once('finish', () => void work())
}

async function servePages(app: FastifyInstance, page: string): Promise<void> {
  if (existsSync(built)) await app.register(fastifyStatic, { root: built, index: false, wildcard: false })
  app.setNotFoundHandler((request, reply) => {
    if (request.url.startsWith('/api/') || request.method !== 'GET') return reply.code(404).send({ faults: [{ code: 'unknown' }] })
    if (!existsSync(join(built, page))) return reply.code(unbuilt).type('text/plain').send('The pages are not built: npm run terminal builds them.\n')
    return reply.code(200).header('cache-control', 'no-cache').sendFile(page)
  })
}

function isOwnHost(host: string): boolean {
  return host === 'localhost' || isIP(host.replace(/^\[|\]$/gu, '')) > 0
}

function refusalOf(error: unknown): { status: number; faults: readonly Fault[] } {
  if (error instanceof Refused) return error
  if (error instanceof z.ZodError) return { status: malformed, faults: [{ code: 'malformed' }] }
  const status = z.object({ statusCode: z.number() }).safeParse(error).data?.statusCode ?? server_error
  return { status, faults: [{ code: status === too_large ? 'too_large' : 'malformed' }] }
}
