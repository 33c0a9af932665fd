import type { Call, Failure } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from './failures.ts'
import { header_lines, url_length } from './limits.ts'
import { sendRefusal } from './reply.ts'

/** Refuses oversized requests before anything is done for them, and lets no answer be kept by a cache unless it says so itself. */
export function guardRequests(server: FastifyInstance): void {
  server.addHook('onRequest', async request => {
    const failure = oversized(request)
    if (failure) throw fail(failure)
  })
  server.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

function oversized({ raw }: FastifyRequest): Failure | null {
  if ((raw.url ?? '').length > url_length) return httpErrors.addressTooLong
  return raw.rawHeaders.length / 2 > header_lines ? httpErrors.headersTooLarge : null
}

/** Answers an address that no route takes: 405 with the methods that it does take, else 404. */
export function answerUnknown(calls: readonly Call[]): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const known = calls.flatMap(call => call.paths.map(path => ({ method: call.method, parts: path.split('/') })))
  return (request, reply) => {
    const asked = (request.url.split('?')[0] ?? '').replace(/\/$/, '').split('/')
    const methods = new Set(known.filter(({ parts }) => fits(parts, asked)).map(({ method }) => method))
    if (methods.size === 0) return sendRefusal(reply, fail(commonErrors.notFound))
    reply.header('allow', [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '))
    if (request.method === 'OPTIONS') return reply.code(204).send()
    return sendRefusal(reply, fail(httpErrors.wrongMethod))
  }
}

function fits(parts: readonly string[], asked: readonly string[]): boolean {
  return parts.length === asked.length && parts.every((part, at) => part === asked[at] || (part.startsWith(':') && asked[at] !== ''))
}
