import { createHmac } from 'node:crypto'

/** A key of a store: the public name and the secret that never leaves the server. */
export type Credentials = { access_key_id: string; access_key_secret: string }

type Bytes = Buffer | string
const sha256 = (key: Bytes, text: string) => createHmac('sha256', key).update(text).digest()
const sha1 = (key: Bytes, text: string) => createHmac('sha1', key).update(text)

/** Base64 with `-` and `_` and with its padding: the form that Qiniu signs. */
export function urlSafe(bytes: Bytes): string {
  return Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
}

/** Signature Version 4 of a POST policy in base64; `date` as yyyyMMdd (AWS: Authenticating Requests in Browser-Based Uploads Using POST). */
export function signS3Policy(secret: string, { date, region }: { date: string; region: string }, policy: string): string {
  const key = sha256(sha256(sha256(sha256(`AWS4${secret}`, date), region), 's3'), 'aws4_request')
  return sha256(key, policy).toString('hex')
}

/** Signature of an OSS form (PostObject, V1): HMAC-SHA1 of the policy in base64. */
export function signOssPolicy(secret: string, policy: string): string {
  return sha1(secret, policy).digest('base64')
}

/** What an OSS request signs (V1 header signature). `headers`: the x-oss- ones, in lower case. */
export type OssRequest = { method: string; md5?: string; type?: string; date: string; headers?: Record<string, string>; resource: string }

/** The Authorization header of an OSS request. */
export function ossAuthorization({ access_key_id, access_key_secret }: Credentials, { method, md5 = '', type = '', date, headers = {}, resource }: OssRequest): string {
  const lines = Object.keys(headers).toSorted().map(name => `${name}:${headers[name]}\n`).join('')
  const signature = sha1(access_key_secret, `${method}\n${md5}\n${type}\n${date}\n${lines}${resource}`).digest('base64')
  return `OSS ${access_key_id}:${signature}`
}

/** Qiniu's upload token of a put policy (its JSON text). */
export function qiniuUploadToken({ access_key_id, access_key_secret }: Credentials, policy: string): string {
  const encoded = urlSafe(policy)
  return `${access_key_id}:${urlSafe(sha1(access_key_secret, encoded).digest())}:${encoded}`
}

/** Qiniu's management token of a path without body. */
export function qiniuManageToken({ access_key_id, access_key_secret }: Credentials, path: string): string {
  return `${access_key_id}:${urlSafe(sha1(access_key_secret, `${path}\n`).digest())}`
}

/** Qiniu's address of a private file until `deadline` (seconds). */
export function qiniuPrivateUrl({ access_key_id, access_key_secret }: Credentials, url: string, deadline: number): string {
  const dated = `${url}?e=${deadline}`
  return `${dated}&token=${access_key_id}:${urlSafe(sha1(access_key_secret, dated).digest())}`
}
