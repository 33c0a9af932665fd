import { mayCallHost } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import type { StoreKey } from '@kit/server/secrets'
import { AwsClient } from 'aws4fetch'
import { ossAuthorization, qiniuManageToken, qiniuPrivateUrl, qiniuUploadToken, urlSafe } from './signing.ts'

export type Driver = 'aliyun_oss' | 'qiniu' | 'minio_s3'
export const driver_of: Readonly<Record<1 | 2 | 3, Driver>> = { 1: 'aliyun_oss', 2: 'qiniu', 3: 'minio_s3' }

/** One bucket of an outside store, as the server itself reaches it. Answers and errors are the store's; `remove` also takes what is gone already. */
export type RemoteStore = {
  /** @throws TooLarge, also while the body is read, as soon as it holds more than `most_bytes` */
  get(file_key: string, most_bytes: number): Promise<StoreAnswer>
  put(file_key: string, body: Buffer, mime: string): Promise<void>
  remove(file_key: string): Promise<void>
}
type Place = { bucket: string; region: string }
type Rule = Pick<Config, 'CAMPUS_ENV' | 'CAMPUS_OUTSIDE_HOSTS'>
/** What goes to the store, by one of its addresses; `most_bytes` of an answer that is read. */
type Call = { address: string; method: string; headers?: Record<string, string>; body?: Uint8Array<ArrayBuffer> | FormData; most_bytes?: number }
/** Qiniu says 612 for what is not there, a number that no `Response` may be made with. */
type StoreAnswer = { ok: boolean; status: number; body: ReadableStream<Uint8Array> | null }
type Ask = (call: Call) => Promise<StoreAnswer>

/** A store sent more than a file of that purpose may hold. */
export class TooLarge extends Error {}

const patience_ms = 60_000
/** A store that answers more slowly is given up. */
const slowest_bytes_per_ms = 2 * 1024 * 1024 / 1000
const link_seconds = 300

/** Opens the bucket of a school. Nothing is asked of a host that the operator has not named, and nobody is followed elsewhere. */
export function openRemote(rule: Rule, key: StoreKey, place: Place): RemoteStore {
  if (key.oss_type === 1) return aliyun(asker(rule), key, place)
  return key.oss_type === 2 ? qiniu(asker(rule), key, place) : s3(rule, key, place)
}

function asker(rule: Rule, send: (address: string, init: RequestInit) => Promise<Response> = fetch): Ask {
  return async ({ address, most_bytes = 0, ...init }) => {
    const { hostname } = new URL(address)
    if (!mayCallHost(rule, hostname)) throw new Error(`CAMPUS_OUTSIDE_HOSTS does not name the store ${hostname}`)
    const signal = AbortSignal.timeout(patience_ms + Math.ceil(most_bytes / slowest_bytes_per_ms))
    return bounded(await send(address, { ...init, redirect: 'manual', signal }), most_bytes)
  }
}

/** The answer, whose body fails as soon as it holds more than it may, whatever its header says. */
function bounded({ ok, status, body }: Response, most_bytes: number): StoreAnswer {
  let bytes = 0
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, into) {
      bytes += piece.length
      if (bytes > most_bytes) throw new TooLarge(`the store sends more than ${most_bytes} bytes`)
      into.enqueue(piece)
    },
  })
  return { ok, status, body: body?.pipeThrough(limit) ?? null }
}

async function expectDone(answer: Promise<StoreAnswer>): Promise<void> {
  const { ok, status, body } = await answer
  await body?.cancel()
  if (!ok && status !== 404 && status !== 612) throw new Error(`the store answered ${status}`)
}

function s3(rule: Rule, key: StoreKey, { bucket, region }: Place): RemoteStore {
  const client = new AwsClient({ accessKeyId: key.access_key_id, secretAccessKey: key.access_key_secret, service: 's3', region, retries: 2 })
  const ask = asker(rule, (address, init) => client.fetch(address, init))
  const addressOf = (file_key: string) => `${key.origin}/${bucket}/${file_key}`
  return {
    get: (file_key, most_bytes) => ask({ address: addressOf(file_key), method: 'GET', most_bytes }),
    put: (file_key, body, mime) => expectDone(ask({ address: addressOf(file_key), method: 'PUT', body: new Uint8Array(body), headers: { 'content-type': mime } })),
    remove: file_key => expectDone(ask({ address: addressOf(file_key), method: 'DELETE' })),
  }
}

function aliyun(ask: Ask, key: StoreKey, { bucket }: Place): RemoteStore {
  const sign = (method: string, file_key: string, type = '') => {
    const date = new Date().toUTCString()
    // `fetch` may not set Date; the store reads x-oss-date in its place.
    const authorization = ossAuthorization(key, { method, type, date, headers: { 'x-oss-date': date }, resource: `/${bucket}/${file_key}` })
    const headers = { authorization, 'x-oss-date': date, ...(type === '' ? {} : { 'content-type': type }) }
    return { address: `${key.origin}/${file_key}`, method, headers }
  }
  return {
    get: (file_key, most_bytes) => ask({ ...sign('GET', file_key), most_bytes }),
    put: (file_key, body, mime) => expectDone(ask({ ...sign('PUT', file_key, mime), body: new Uint8Array(body) })),
    remove: file_key => expectDone(ask(sign('DELETE', file_key))),
  }
}

function qiniu(ask: Ask, key: StoreKey, { bucket }: Place): RemoteStore {
  const soon = () => Math.floor(Date.now() / 1000) + link_seconds
  return {
    get: (file_key, most_bytes) => ask({ address: qiniuPrivateUrl(key, `${key.read_origin ?? key.origin}/${file_key}`, soon()), method: 'GET', most_bytes }),
    put(file_key, body, mime) {
      const form = new FormData()
      form.append('key', file_key)
      form.append('token', qiniuUploadToken(key, JSON.stringify({ scope: `${bucket}:${file_key}`, deadline: soon() })))
      form.append('file', new Blob([new Uint8Array(body)], { type: mime }), 'file')
      return expectDone(ask({ address: key.origin, method: 'POST', body: form }))
    },
    remove(file_key) {
      const path = `/delete/${urlSafe(`${bucket}:${file_key}`)}`
      return expectDone(ask({ address: `${key.manage_origin}${path}`, method: 'POST', headers: { authorization: `QBox ${qiniuManageToken(key, path)}` } }))
    },
  }
}
