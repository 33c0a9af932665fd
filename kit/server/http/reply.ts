import type { Readable } from 'node:stream'
import { commonErrors, fail, Refusal, success_code } from '@kit/contract'
import type { Envelope } from '@kit/contract'
import type { FastifyReply } from 'fastify'
import { isDatabaseDown } from '../db/index.ts'
import type { FileReply } from './context.ts'
import { httpErrors } from './failures.ts'

/** Sends the envelope of a success. */
export function sendData(reply: FastifyReply, data: unknown): FastifyReply {
  const envelope: Envelope = { code: success_code, msg: '操作成功', data: data ?? null }
  return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(envelope))
}

/** Sends a file; the name is given in both forms, so that Chinese names survive. */
export function sendFile(reply: FastifyReply, file: FileReply): FastifyReply {
  const name = encodeURIComponent(file.file_name)
  reply.header('cache-control', 'no-store').header('content-disposition', `attachment; filename="download"; filename*=UTF-8''${name}`)
  if (file.size !== undefined) reply.header('content-length', file.size)
  const body: Buffer | Readable = file.body
  return reply.type(file.mime).send(body)
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
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? Number(error.statusCode) : 500
  return statuses[status] ?? (status >= 400 && status < 500 ? fail(commonErrors.malformed) : null)
}
