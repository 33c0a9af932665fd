import type { Call, Request as RequestOf } from '@kit/contract'
import { authorized, guarded } from './call.ts'
import { withAnswer } from './exchange.ts'
import { sendingOf } from './request.ts'

/** File name of a Content-Disposition header: the UTF-8 form first, then the plain one, else `download`. */
export function fileNameOf(disposition: string | null): string {
  const utf8 = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1]
  if (utf8) return decoded(utf8.trim())
  const plain = /filename\s*=\s*"?([^";]+)"?/i.exec(disposition ?? '')?.[1]
  return plain?.trim() || 'download'
}

/** Calls a download endpoint and saves the file under the server's name; answers the job instead, where one makes the file. Refusals as with `call`. */
export function downloadFile<E extends Call>(endpoint: E, input: RequestOf<E>, options: { signal?: AbortSignal; quiet?: boolean } = {}): Promise<{ job_no: string } | null> {
  return saveFile(endpoint, input, options)
}

/** As `downloadFile` for input that was put together from the address bar and is checked by the server alone. */
export function saveFile(endpoint: Call, input: unknown, options: { signal?: AbortSignal; quiet?: boolean } = {}): Promise<{ job_no: string } | null> {
  const sending = sendingOf(endpoint, input)
  return guarded(options.quiet, async () => {
    const answer = await authorized(endpoint, (headers) => {
      const json = sending.body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' }
      return withAnswer({ ...sending, headers: json, signal: options.signal }, fileOf)
    })
    if (!answer.blob) return startedBy(answer.text)
    save(answer.blob, answer.name)
    return null
  })
}

// The server answers nothing else where it sends no file.
function startedBy(text: string): { job_no: string } | null {
  const { data }: { data: { job_no: string } | null } = JSON.parse(text)
  return data
}

type FileAnswer = { status: number; text: string; name: string; blob?: Blob }

async function fileOf(response: Response): Promise<FileAnswer> {
  const name = fileNameOf(response.headers.get('Content-Disposition'))
  const is_file = response.ok && response.headers.has('Content-Disposition')
  if (is_file) return { status: response.status, text: '', name, blob: await response.blob() }
  return { status: response.status, text: await response.text(), name }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
