import type { Call } from '@kit/contract'

/** How long the same content sent again counts as the same click: six of them are one submission. */
const same_click_ms = 1500
/** How long a submission without an answer may be tried again as the same one. */
const retry_ms = 120_000
type Submission = { content: string; key: string; until: number }

const latest = new Map<string, Submission>()

/** A call that changes something and whose answer can be given again. */
function isSubmission({ method, details }: Call): boolean {
  return method !== 'GET' && details.reads === undefined && details.upload === undefined && !('auth' in details) && !('open' in details)
}

/**
 * The key of a submission, so that what is sent twice happens once: by several clicks, while the first is on its way, or again because no answer came
 * (`00 §5`: the same key answers the same). Other content, or the same a moment after its answer, is another submission. @returns null for readings
 */
export function submissionKey(endpoint: Call, content: string, now = Date.now()): string | null {
  if (!isSubmission(endpoint)) return null
  const known = latest.get(endpoint.call)
  if (known && known.content === content && now < known.until) return known.key
  const key = crypto.randomUUID()
  latest.set(endpoint.call, { content, key, until: now + retry_ms })
  return key
}

/** An answer has come: the key is good for the clicks of this moment, and for none at all after a refusal. Without an answer it waits for the next try. */
export function submissionEnded(endpoint: Call, key: string | null, done: boolean, now = Date.now()): void {
  const known = latest.get(endpoint.call)
  if (key === null || known?.key !== key) return
  if (done) known.until = Math.min(known.until, now + same_click_ms)
  else latest.delete(endpoint.call)
}
