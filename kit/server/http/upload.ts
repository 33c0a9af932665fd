import { createHash } from 'node:crypto'
import type { Hash } from 'node:crypto'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { MultipartFile } from '@fastify/multipart'
import type { Call, Refusal, Upload, UploadedFile } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FastifyRequest } from 'fastify'
import type { FileStore } from '../files/index.ts'
import { watchUpload } from './slow-body.ts'

export type Received = { file: UploadedFile; fields: Record<string, string>; digest: string }

const form_bytes = 1_000_000
const mebi = 1024 * 1024

/**
 * Streams the one file of a multipart body into a temporary file; the other fields come back as text. `digest` is the file's SHA-256.
 * `most_bytes`: a narrower limit than the call's own, found out by its `admit`.
 * @throws Refusal 400 without a file, 413 above the call's limit (before the body ends), 415 for another extension
 */
export async function receiveUpload(call: Call, request: FastifyRequest, { files, most_bytes }: { files: FileStore; most_bytes?: number | undefined }): Promise<Received> {
  const own = call.details.upload
  if (!own || !request.isMultipart()) throw fail(commonErrors.unsupportedType)
  const rule = most_bytes === undefined ? own : { ...own, max_mb: Math.min(own.max_mb, most_bytes / mebi) }
  const limit = rule.max_mb * mebi
  if (Number(request.headers['content-length'] ?? 0) > limit + form_bytes) throw tooLarge(rule)
  const unwatch = watchUpload(request)
  try {
    const part = await request.file({ limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000 } })
    if (!part) throw fail(commonErrors.malformed, { errors: [{ field: 'file', msg: '请选择要上传的文件' }] })
    return await keepPart(rule, part, files)
  } finally {
    unwatch()
  }
}

async function keepPart(rule: Upload, part: MultipartFile, files: FileStore): Promise<Received> {
  const { file, filename: file_name } = part
  if (!rule.extensions.includes(extname(file_name).toLowerCase())) {
    file.resume()
    throw fail(commonErrors.unsupportedType)
  }
  const hash = createHash('sha256')
  const { path, size } = await files.receive(Readable.from(hashing(file, hash)))
  if (file.truncated) {
    await files.discard(path)
    throw tooLarge(rule)
  }
  return { file: { path, file_name, size }, fields: fieldsOf(part), digest: hash.digest('hex') }
}

async function* hashing(file: Readable, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of file) {
    hash.update(chunk)
    yield chunk
  }
}

function fieldsOf(part: MultipartFile): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const [name, value] of Object.entries(part.fields)) {
    if (value && 'value' in value && typeof value.value === 'string') fields[name] = value.value
  }
  return fields
}

function tooLarge({ max_mb }: Upload): Refusal {
  return fail(commonErrors.tooLarge, { params: { n: max_mb } })
}
