export type Tone = 'success' | 'warning' | 'error' | 'info'
type Sink = (tone: Tone, text: string, undo?: () => void) => void

let sink: Sink | undefined
let waiting: Parameters<Sink>[] = []

/** Where messages appear; filled by `<Feedback>`, so that calls and rules need no component. What was said before is shown then. */
export function setToastSink(given: Sink | undefined): void {
  sink = given
  if (!given) return
  for (const said of waiting) given(...said)
  waiting = []
}

/** Messages of 2,000 ms; the same sentence is never shown twice at once. Success says 操作成功 unless told otherwise. */
export const toast = {
  success: (text = '操作成功') => say('success', text),
  warning: (text: string) => say('warning', text),
  error: (text: string) => say('error', text),
  info: (text: string) => say('info', text),
  /** a success that can be taken back: 撤销 stands beside it for 10 s */
  undo: (text: string, undo: () => void) => say('success', text, undo),
}

function say(...said: Parameters<Sink>): void {
  if (sink) sink(...said)
  else waiting.push(said)
}
