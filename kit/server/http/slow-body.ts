import type { FastifyInstance, FastifyRequest } from 'fastify'
import { httpErrors } from './failures.ts'
import { json_body_ms, lingering_ms, upload_pace_bytes, upload_pace_ms } from './limits.ts'
import { answerRaw } from './raw-answer.ts'

/** Ends connections whose body does not arrive. Node's own limits cover headers and the request as a whole only. */
export function refuseSlowBodies(server: FastifyInstance): void {
  server.addHook('preParsing', async request => {
    if (!isUpload(request)) watchJson(request)
  })
  server.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    const timer = setTimeout(() => raw.complete || raw.socket.destroy(), lingering_ms).unref()
    raw.socket.once('close', () => clearTimeout(timer))
  })
}

function isUpload({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.startsWith('multipart/') === true
}

function watchJson(request: FastifyRequest): void {
  const timer = setTimeout(() => cut(request), json_body_ms).unref()
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

function cut(request: FastifyRequest): void {
  answerRaw(request.raw.socket, httpErrors.tooSlow)
  request.raw.destroy()
}
