import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { commonErrors } from '@kit/contract'
import type { Envelope, Failure } from '@kit/contract'
import { httpErrors } from './failures.ts'
import { farewell_ms } from './limits.ts'

/** The policy of answers that stand outside the pages. */
export const bare_policy = `default-src 'none'`

/** Answers where no request object exists (unreadable or unfinished requests) and ends the connection. */
export function answerRaw(socket: Socket, { id, status, code, msg }: Failure): void {
  if (socket.destroyed) return
  const body = JSON.stringify({ code, msg, data: null, error_id: id } satisfies Envelope)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`, 'content-type: application/json; charset=utf-8', `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store', 'x-content-type-options: nosniff', `content-security-policy: ${bare_policy}`, 'connection: close',
  ]
  if (socket.writable) socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
  // Who does not read would otherwise keep the connection for ever.
  setTimeout(() => socket.destroy(), farewell_ms).unref()
}

/** What Node could not read as a request. */
export function answerUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET') return void socket.destroy()
  if (error.code === 'HPE_HEADER_OVERFLOW') return answerRaw(socket, httpErrors.headersTooLarge)
  answerRaw(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? httpErrors.tooSlow : commonErrors.malformed)
}
