export type Tone = 'success' | 'warning' | 'error' | 'info'
type Sink = (tone: Tone, text: string) => void

let sink: Sink | undefined
let waiting: [Tone, string][] = []

/** Where messages appear; filled by `<Feedback>`, so that calls and rules need no component. What was said before is shown then. */
export function setToastSink(given: Sink | undefined): void {
  sink = given
  if (!given) return
  for (const [tone, text] of waiting) given(tone, text)
  waiting = []
}

/** Messages of 2,000 ms; the same sentence is never shown twice at once. Success says 操作成功 unless told otherwise. */
export const toast = {
  success: (text = '操作成功') => say('success', text),
  warning: (text: string) => say('warning', text),
  error: (text: string) => say('error', text),
  info: (text: string) => say('info', text),
}

function say(tone: Tone, text: string): void {
  if (sink) sink(tone, text)
  else waiting.push([tone, text])
}
