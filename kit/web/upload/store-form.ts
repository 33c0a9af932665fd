import { upload_patience_ms } from '@kit/contract/checks'
import { CallError, jsonOf, judge } from '../call/envelope.ts'
import { reportNetwork } from '../call/network.ts'

/** What the uploader reads of a token: where the form goes and what stands in it. */
export type StoreToken = { oss_type: number; host: string; dir: string; fields: Readonly<Record<string, string>>; max_size: number }
export type Travel = { signal?: AbortSignal | undefined; onProgress?: ((part: number) => void) | undefined }

/**
 * Fields of the form in the order and by the names of each store: Aliyun OSS (1) and S3 (3) are told the type, Qiniu (2) finds it out. The
 * file comes last: stores read nothing behind it.
 */
export function formFields({ oss_type, fields }: Pick<StoreToken, 'oss_type' | 'fields'>, key: string, mime: string): [name: string, value: string][] {
  const type: [string, string][] = oss_type === 2 || mime === '' ? [] : [['Content-Type', mime]]
  return [['key', key], ...type, ...Object.entries(fields)]
}

/** Sends one file to its store: progress by bytes, 300 s at most. @throws CallError with the store's status; an abort rejects with its own reason */
export function sendForm(token: StoreToken, key: string, file: Blob, { signal, onProgress }: Travel): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', token.host)
    request.timeout = upload_patience_ms
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total)
    request.onload = () => {
      reportNetwork(true)
      const refusal = refusalOf(request.status, request.responseText, token)
      if (refusal) reject(refusal)
      else resolve()
    }
    request.ontimeout = () => reject(new CallError({ status: 0, code: 0, msg: '请求超时' }))
    request.onabort = () => reject(signal?.reason)
    request.onerror = () => reject(new CallError({ status: 0, code: 0, msg: '' }))
    signal?.addEventListener('abort', () => request.abort())
    if (signal?.aborted) return reject(signal.reason)
    const form = new FormData()
    for (const [name, value] of formFields(token, key, file.type)) form.append(name, value)
    form.append('file', file, key.slice(key.lastIndexOf('/') + 1))
    request.send(form)
  })
}

const megabyte = 1024 * 1024

/** Says that a file is too large, in the words of the server. */
export function tooLarge(max_size: number): CallError {
  return new CallError({ status: 413, code: 413, msg: `文件大小不能超过${Math.floor(max_size / megabyte)}MB` })
}

/** Our own store answers in envelopes, the others in words of their own: of those the status alone is read. */
function refusalOf(status: number, text: string, { max_size }: StoreToken): CallError | null {
  const body = jsonOf(text)
  const is_ours = typeof body === 'object' && body !== null && 'msg' in body && 'code' in body
  if (is_ours) {
    const judged = judge(status, body)
    const said = typeof body.msg === 'string' ? body.msg : judged.kind
    return judged.kind === 'ok' ? null : new CallError({ status, code: status, msg: status < 500 ? said : judged.error.msg })
  }
  if (status >= 200 && status < 300) return null
  if (status === 413 || text.includes('EntityTooLarge')) return tooLarge(max_size)
  return new CallError({ status, code: status, msg: status === 403 || status === 401 ? '上传凭证已失效，请重试' : '系统异常，请稍后重试' })
}
