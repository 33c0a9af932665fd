export type Tone = 'success' | 'warning' | 'error' | 'info'
type Sink = (tone: Tone, text: string) => void

let sink: Sink | undefined

/** Where messages appear; filled by `<Feedback>`, so that calls and rules need no component. */
export function setToastSink(given: Sink | undefined): void {
  sink = given
}

/** Messages of 2,000 ms; the same sentence is never shown twice at once. Success says 操作成功 unless told otherwise. */
export const toast = {
  success: (text = '操作成功') => sink?.('success', text),
  warning: (text: string) => sink?.('warning', text),
  error: (text: string) => sink?.('error', text),
  info: (text: string) => sink?.('info', text),
}
