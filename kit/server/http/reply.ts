import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { commonErrors, fail, Refusal, success_code } from '@kit/contract'
import type { Envelope } from '@kit/contract'
import type { FastifyReply } from 'fastify'
import { isDatabaseDown } from '../db/index.ts'
import type { FileReply, RedirectReply, SeekableReply } from './context.ts'
import { httpErrors } from './failures.ts'
import { partOf } from './range.ts'

/** Sends the envelope of a success. */
export function sendData(reply: FastifyReply, data: unknown): FastifyReply {
  const envelope: Envelope = { code: success_code, msg: '操作成功', data: data ?? null }
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(envelope))
}

/** The same with an ETag of the content; 304 without a body for whoever shows it again. */
export function sendTagged(reply: FastifyReply, data: unknown): FastifyReply {
  const tag = `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, tag_signs)}"`
  reply.header('etag', tag)
  const shown = reply.request.headers['if-none-match']
  return shown?.split(',').some(one => one.trim().replace(/^W\//, '') === tag) ? reply.header('cache-control', 'no-store').code(304).send() : sendData(reply, data)
}

const tag_signs = 22

/** Whether an answer is a file rather than data. */
export function isFile(answer: unknown): answer is FileReply {
  return typeof answer === 'object' && answer !== null && ('body' in answer || 'open' in answer) && 'file_name' in answer
}

/** Sends a file; the name is given in both forms, so that Chinese names survive. */
export function sendFile(reply: FastifyReply, file: FileReply): FastifyReply {
  const name = encodeURIComponent(file.file_name)
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="download"; filename*=UTF-8''${name}`)
  if ('open' in file) return sendPart(reply.type(file.mime), file)
  const { body } = file
  const size = Buffer.isBuffer(body) ? body.length : file.size
  if (size !== undefined) reply.header('content-length', size)
  return reply.type(file.mime).send(Buffer.isBuffer(body) && body.length > piece_bytes ? Readable.from(inPieces(body), { objectMode: false }) : body)
}

/** Sends the browser on to another address. */
export function sendOn(reply: FastifyReply, { location }: RedirectReply): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(location, 302)
}

/** Answers the part that a Range header asks for: players and broken downloads go on where they are. */
function sendPart(reply: FastifyReply, { size, open }: SeekableReply): FastifyReply {
  const { range, 'if-range': condition } = reply.request.headers
  // No file is given out with a mark, so that nothing can have the same one: all of it is sent (RFC 9110 §13.1.5).
  const asked = condition === undefined ? partOf(range, size) : null
  reply.header('accept-ranges', 'bytes')
  if (asked === 'outside') return reply.header('content-range', `bytes */${size}`).code(416).send()
  if (asked === null) return reply.header('content-length', size).send(open())
  const { start, end } = asked
  return reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`).header('content-length', end - start + 1).send(open(asked))
}

const piece_bytes = 64 * 1024

/** What is handed over in one piece shows no progress until the last byte is taken: a slow reader would look like one who does not read. */
function* inPieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += piece_bytes) yield body.subarray(at, at + piece_bytes)
}

/** Sends the envelope of a refusal with its honest status. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { failure, details } = refusal
  const data = details.errors || details.data ? { ...details.data, ...(details.errors ? { errors: details.errors } : {}) } : null
  const envelope: Envelope = { code: failure.code, msg: refusal.message, data, error_id: failure.id }
  if (details.retry_after !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(details.retry_after)))
  return reply.code(failure.status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(envelope))
}

/** What the file system and PostgreSQL say when nothing more can be written. */
const full_codes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** What PostgreSQL says of a text or a JSON text with U+0000 or half a surrogate pair; the edge refuses them, unless they came in a sealed field. */
const ill_formed_codes = new Set(['22021', '22P05'])

function isIllFormedText(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && ill_formed_codes.has(error.code)
}

function isDiskFull(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' && full_codes.has(error.code)
}

const statuses: Record<number, Refusal> = {
  400: fail(commonErrors.malformed),
  404: fail(commonErrors.notFound),
  413: fail(commonErrors.bodyTooLarge),
  415: fail(commonErrors.unsupportedType),
  503: fail(commonErrors.busy, { retry_after: 5 }),
}

/** What any thrown thing looks like from outside; null when it is our own fault and must be logged. */
export function asRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error
  if (isDatabaseDown(error)) return fail(commonErrors.busy, { retry_after: 5 })
  if (isDiskFull(error)) return fail(httpErrors.storageFull)
  if (isIllFormedText(error)) return fail(commonErrors.malformed)
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  return statuses[status] ?? (status >= 400 && status < 500 ? fail(commonErrors.malformed) : null)
}
