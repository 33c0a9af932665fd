import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { httpErrors } from './failures.ts'
import { json_body_ms, lingering_ms, unread_ms, upload_pace_bytes, upload_pace_ms } from './limits.ts'
import { answerRaw } from './raw-answer.ts'

/**
 * Ends connections whose body does not arrive or whose answer is not taken. Node's own limits cover headers and the request as a whole
 * only. An answer that goes on being read may take as long as its reader needs.
 */
export function endSlowConnections(server: FastifyInstance): void {
  server.addHook('preParsing', async request => {
    if (!isUpload(request)) watchJson(request)
  })
  server.addHook('onSend', async (request, reply) => watchReader(request, reply))
  server.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    const timer = setTimeout(() => raw.complete || raw.socket.destroy(), lingering_ms).unref()
    // At the request, not at its socket, which may serve thousands of them.
    raw.once('close', () => clearTimeout(timer))
  })
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') === true
}

function watchJson(request: FastifyRequest): void {
  const timer = setTimeout(() => request.raw.complete || cut(request), json_body_ms).unref()
  for (const event of ['end', 'close', 'error'] as const) request.raw.once(event, () => clearTimeout(timer))
}

/** Watches the pace of an upload while it is being read; call the answer when it is there. */
export function watchUpload(request: FastifyRequest): () => void {
  const { socket } = request.raw
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (socket.bytesRead - before < upload_pace_bytes && !request.raw.complete) cut(request)
    before = socket.bytesRead
  }, upload_pace_ms).unref()
  return () => clearInterval(timer)
}

/** Node's own time limit of a socket would take every byte that the caller sends for a sign of life. */
function watchReader({ raw: { socket } }: FastifyRequest, reply: FastifyReply): void {
  const taken = () => socket.bytesWritten - socket.writableLength
  let before = taken()
  const timer = setInterval(() => {
    if (socket.writableLength > 0 && taken() === before) socket.destroy()
    before = taken()
  }, unread_ms).unref()
  reply.raw.once('close', () => clearInterval(timer))
}

function cut(request: FastifyRequest): void {
  answerRaw(request.raw.socket, httpErrors.tooSlow)
  request.raw.destroy()
}
