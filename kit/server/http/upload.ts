import { extname } from 'node:path'
import type { Call, UploadedFile } from '@kit/contract'
import { commonErrors, fail } from '@kit/contract'
import type { FastifyRequest } from 'fastify'
import type { FileStore } from '../files/index.ts'

/**
 * Streams the one file of a multipart body into a temporary file; the other fields come back as text.
 * @throws Refusal 400 without a file, 413 above the call's limit (before the body ends), 415 for another extension
 */
export async function receiveUpload(call: Call, request: FastifyRequest, files: FileStore): Promise<{ file: UploadedFile; fields: Record<string, string> }> {
  const rule = call.details.upload
  if (!rule || !request.isMultipart()) throw fail(commonErrors.unsupportedType)
  const too_large = () => fail(commonErrors.tooLarge, { params: { n: rule.max_mb } })
  const limit = rule.max_mb * 1024 * 1024
  if (Number(request.headers['content-length'] ?? 0) > limit + 1_000_000) throw too_large()
  const fields: Record<string, string> = {}
  const part = await request.file({ limits: { fileSize: limit, files: 1, fields: 20, fieldSize: 10_000 } })
  if (!part) throw fail(commonErrors.malformed, { errors: [{ field: 'file', msg: '请选择要上传的文件' }] })
  if (!rule.extensions.includes(extname(part.filename).toLowerCase())) {
    part.file.resume()
    throw fail(commonErrors.unsupportedType)
  }
  const received = await files.receive(part.file)
  if (part.file.truncated) {
    await files.discard(received.path)
    throw too_large()
  }
  for (const [name, value] of Object.entries(part.fields)) {
    if (value && 'value' in value && typeof value.value === 'string') fields[name] = value.value
  }
  return { file: { path: received.path, file_name: part.filename, size: received.size }, fields }
}
