import { qiniuUploadToken, signOssPolicy, signS3Policy } from './signing.ts'
import type { Credentials } from './signing.ts'

/** What a form may put into a store, over nothing that lies there (S3 cannot be told so): names under `dir`, one file of at most `max_size` bytes, of these types (one `type/` for all means any of them). */
export type FormRule = { bucket: string; region: string; dir: string; max_size: number; mimes: readonly string[]; now: Date; expire_at: Date }
/** Fields of the form as the store names them; `policy` and `signature` also alone. */
export type StoreForm = { fields: Record<string, string>; policy: string; signature: string; token?: string }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

/** The three field maps: Aliyun OSS (1), Qiniu (2), S3 and minio (3). */
export const storeForms: Readonly<Record<1 | 2 | 3, (keys: Credentials, rule: FormRule) => StoreForm>> = { 1: ossForm, 2: qiniuForm, 3: s3Form }

function ossForm({ access_key_id, access_key_secret }: Credentials, rule: FormRule): StoreForm {
  const { bucket, dir, max_size, mimes, expire_at } = rule
  const forbid = { 'x-oss-forbid-overwrite': 'true' }
  const conditions = [{ bucket }, ['starts-with', '$key', dir], ['content-length-range', 1, max_size], ['in', '$content-type', mimes], forbid, { success_action_status: '200' }]
  const policy = encode({ expiration: expire_at.toISOString(), conditions })
  const signature = signOssPolicy(access_key_secret, policy)
  const fields = { OSSAccessKeyId: access_key_id, policy, Signature: signature, success_action_status: '200', ...forbid }
  return { fields, policy, signature }
}

function qiniuForm(keys: Credentials, rule: FormRule): StoreForm {
  const { bucket, dir, max_size, mimes, expire_at } = rule
  const text = JSON.stringify({
    scope: `${bucket}:${dir}`, isPrefixalScope: 1, deadline: Math.floor(expire_at.getTime() / 1000),
    insertOnly: 1, fsizeMin: 1, fsizeLimit: max_size, detectMime: 1, mimeLimit: mimes.join(';'),
  })
  const token = qiniuUploadToken(keys, text)
  const [, signature = '', policy = ''] = token.split(':')
  return { fields: { token }, policy, signature, token }
}

function s3Form({ access_key_id, access_key_secret }: Credentials, rule: FormRule): StoreForm {
  const { bucket, region, dir, max_size, mimes, now, expire_at } = rule
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const date = stamp.slice(0, 8)
  const facts = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256', 'x-amz-credential': `${access_key_id}/${date}/${region}/s3/aws4_request`, 'x-amz-date': stamp, success_action_status: '204',
  }
  const type = commonStart(mimes)
  const conditions = [{ bucket }, ['starts-with', '$key', dir], ['content-length-range', 1, max_size], ['starts-with', '$Content-Type', type], ...Object.entries(facts).map(([name, value]) => ({ [name]: value }))]
  const policy = encode({ expiration: expire_at.toISOString(), conditions })
  const signature = signS3Policy(access_key_secret, { date, region }, policy)
  return { fields: { ...facts, policy, 'x-amz-signature': signature }, policy, signature }
}

/** S3 knows no list of types, only how they begin. */
function commonStart(mimes: readonly string[]): string {
  const [first = '', ...rest] = mimes
  const type = `${first.split('/')[0]}/`
  return rest.every(mime => mime.startsWith(type)) ? type : ''
}
