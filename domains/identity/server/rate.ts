import type { App } from '@kit/server/http'

type Window = { minute: number; hits: Map<string, number> }
const windows = new WeakMap<App, Window>()
const most_subjects = 100_000

/** Counts one more hit of a subject in this minute, on this node; answers the seconds to wait, 0 when it may go on. */
export function waitFor(app: App, subject: string, limit: number, now: Date): number {
  const minute = Math.floor(now.getTime() / 60_000)
  const known = windows.get(app)
  const window = known && known.minute === minute && known.hits.size < most_subjects ? known : { minute, hits: new Map() }
  windows.set(app, window)
  const hits = (window.hits.get(subject) ?? 0) + 1
  window.hits.set(subject, hits)
  return hits > limit ? 60 - (Math.floor(now.getTime() / 1000) % 60) : 0
}
