import type { StoreKey } from '@kit/server/secrets'
import { AwsClient } from 'aws4fetch'
import { ossAuthorization, qiniuManageToken, qiniuPrivateUrl, qiniuUploadToken, urlSafe } from './signing.ts'

export type Driver = 'aliyun_oss' | 'qiniu' | 'minio_s3'
export const driver_of: Readonly<Record<1 | 2 | 3, Driver>> = { 1: 'aliyun_oss', 2: 'qiniu', 3: 'minio_s3' }

/** One bucket of an outside store, as the server itself reaches it. Answers and errors are the store's; `remove` also takes what is gone already. */
export type RemoteStore = {
  get(file_key: string): Promise<Response>
  put(file_key: string, body: Buffer, mime: string): Promise<void>
  remove(file_key: string): Promise<void>
}
type Place = { bucket: string; region: string }

const patience_ms = 60_000
const link_seconds = 300

/** Opens the bucket of a school. */
export function openRemote(key: StoreKey, place: Place): RemoteStore {
  if (key.oss_type === 1) return aliyun(key, place)
  return key.oss_type === 2 ? qiniu(key, place) : s3(key, place)
}

async function expectDone(answer: Promise<Response>): Promise<void> {
  const { ok, status } = await answer
  if (!ok && status !== 404 && status !== 612) throw new Error(`the store answered ${status}`)
}

function s3(key: StoreKey, { bucket, region }: Place): RemoteStore {
  const client = new AwsClient({ accessKeyId: key.access_key_id, secretAccessKey: key.access_key_secret, service: 's3', region, retries: 2 })
  const ask = (file_key: string, init: RequestInit) => client.fetch(`${key.origin}/${bucket}/${file_key}`, { ...init, signal: AbortSignal.timeout(patience_ms) })
  return {
    get: file_key => ask(file_key, { method: 'GET' }),
    put: (file_key, body, mime) => expectDone(ask(file_key, { method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': mime } })),
    remove: file_key => expectDone(ask(file_key, { method: 'DELETE' })),
  }
}

function aliyun(key: StoreKey, { bucket }: Place): RemoteStore {
  const ask = (method: string, file_key: string, body?: Buffer, type = '') => {
    const date = new Date().toUTCString()
    // `fetch` may not set Date; the store reads x-oss-date in its place.
    const authorization = ossAuthorization(key, { method, type, date, headers: { 'x-oss-date': date }, resource: `/${bucket}/${file_key}` })
    const headers = { authorization, 'x-oss-date': date, ...(type === '' ? {} : { 'content-type': type }) }
    return fetch(`${key.origin}/${file_key}`, { method, headers, signal: AbortSignal.timeout(patience_ms), ...(body ? { body: new Uint8Array(body) } : {}) })
  }
  return {
    get: file_key => ask('GET', file_key),
    put: (file_key, body, mime) => expectDone(ask('PUT', file_key, body, mime)),
    remove: file_key => expectDone(ask('DELETE', file_key)),
  }
}

function qiniu(key: StoreKey, { bucket }: Place): RemoteStore {
  const soon = () => Math.floor(Date.now() / 1000) + link_seconds
  const limit = () => AbortSignal.timeout(patience_ms)
  return {
    get: file_key => fetch(qiniuPrivateUrl(key, `${key.read_origin ?? key.origin}/${file_key}`, soon()), { signal: limit() }),
    put(file_key, body, mime) {
      const form = new FormData()
      form.append('key', file_key)
      form.append('token', qiniuUploadToken(key, JSON.stringify({ scope: `${bucket}:${file_key}`, deadline: soon() })))
      form.append('file', new Blob([new Uint8Array(body)], { type: mime }), 'file')
      return expectDone(fetch(key.origin, { method: 'POST', body: form, signal: limit() }))
    },
    remove(file_key) {
      const path = `/delete/${urlSafe(`${bucket}:${file_key}`)}`
      return expectDone(fetch(`${key.manage_origin}${path}`, { method: 'POST', headers: { authorization: `QBox ${qiniuManageToken(key, path)}` }, signal: limit() }))
    },
  }
}
