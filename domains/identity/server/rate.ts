import { MinuteWindow } from '@kit/server/http'
import type { App } from '@kit/server/http'

const windows = new WeakMap<App, MinuteWindow>()

/** Counts one more hit of a subject in this minute, on this node; answers the seconds to wait, 0 when it may go on. */
export function waitFor(app: App, subject: string, limit: number, now: Date): number {
  const window = windows.get(app) ?? new MinuteWindow()
  windows.set(app, window)
  return window.hit(subject, limit, now)
}
