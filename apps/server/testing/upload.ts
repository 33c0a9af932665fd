import { tokenApi, uploadApi } from '@campus/files/contract'
import type { FileKind, UploadPurpose, UploadToken } from '@campus/files/contract'
import { sql } from 'kysely'
import type { Running } from '../boot.ts'
import { dataOf, send } from './request.ts'
import type { Answer } from './request.ts'

type Product = { url: string; running: Running }
type Uploader = { token: string; user_id: string; school_id: number }
export type Upload = { purpose: UploadPurpose; kind?: FileKind; name: string; body: Uint8Array }

const calls = { 1: tokenApi.aliyun, 2: tokenApi.qiniu, 3: tokenApi.minio } as const

/** A token for the store that the school uses today. */
export async function uploadToken(app: Product, by: Uploader, { purpose, kind }: Pick<Upload, 'purpose' | 'kind'>): Promise<UploadToken> {
  const { rows } = await app.running.database.tenant(by.school_id, db => sql<{ oss_type: 1 | 2 | 3 }>`select oss_type from school_config where school_id = ${by.school_id}`.execute(db))
  const call = calls[rows[0]?.oss_type ?? 2]
  return dataOf(call, await send(app.url, call, { purpose, kind }, { token: by.token }))
}

/** Sends a file with a token, as a browser's form does; `name` = object name under the token's folder. */
export function sendForm(app: Product, { host, dir, fields }: UploadToken, { name, body }: Pick<Upload, 'name' | 'body'>): Promise<Answer> {
  return send(app.url, uploadApi.save, { key: dir + name, ...fields }, { path: host, file: { name, body } })
}

/** Uploads a file and answers its key. @throws Error when it is refused */
export async function upload(app: Product, by: Uploader, file: Upload): Promise<string> {
  const token = await uploadToken(app, by, file)
  const answer = await sendForm(app, token, file)
  if (answer.status !== 200) throw new Error(`the upload was refused: ${answer.status} ${answer.body.msg}`)
  return token.dir + file.name
}
