import { api, get, Instant } from '@kit/contract'
import { z } from 'zod'
import { file_kind, token_seconds, upload_purposes } from './dictionary.ts'

const flag = z.enum(['0', '1']).default('0')

/** `kind` narrows size and types to one FILE_KIND of the purpose; without it the purpose's first. */
export const TokenQuery = z.object({
  purpose: z.enum(upload_purposes).default('resource'),
  kind: z.enum(file_kind).optional(),
  is_override: flag,
  expire_seconds: z.coerce.number().int().min(60).max(token_seconds).default(token_seconds),
})

/**
 * What one browser form needs to put files into a store: `fields` go into the form as they are, before them the object's name (`dir` and a
 * name), after them the file. `accessKeySecret` and `securityToken` are the form's own signature and policy, never the store's secret.
 */
export const UploadToken = z.object({
  accessKeyId: z.string(),
  accessKeySecret: z.string(),
  securityToken: z.string(),
  /** Qiniu's upload token */
  token: z.string().optional(),
  /** where the form goes */
  host: z.string(),
  dir: z.string(),
  fields: z.record(z.string(), z.string()),
  /** bytes of one file */
  max_size: z.number().int(),
  expire_at: Instant,
})
export type UploadToken = z.output<typeof UploadToken>

const token = { query: TokenQuery, reply: UploadToken, need: 'files.file.upload', within: 'school' } as const

/** One token call a store (product spec §7); each answers for its own storage type only. */
export const tokenApi = api('web', 'files.token', {
  aliyun: get('alioss/token', token),
  qiniu: get('userInfo/getQiniuUploadToken', token),
  minio: get('minio/token', token),
})
