import { sentenceOf } from '@kit/web'

/** How long the page waits for the settings (chapter 20 §4). */
const limit_ms = 10_000

/** The signal of a query that gives up after ten seconds, by the clock of the page. */
export function withLimit(signal: AbortSignal): AbortSignal {
  const late = new AbortController()
  setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), limit_ms)
  return AbortSignal.any([signal, late.signal])
}

/** What a failed reading says; one that took too long says that. */
export function failedText(cause: unknown): string {
  const is_late = cause instanceof DOMException && cause.name === 'TimeoutError'
  return is_late ? '服务器响应超过10秒，请稍后重试' : sentenceOf(cause)
}
