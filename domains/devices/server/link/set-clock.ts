import { canDo, control } from '../control/control.ts'
import { tellDevices } from '../device.watch.ts'
import { wrong_ms } from './clock-book.ts'
import type { Line } from './line.ts'
import type { Session, Sessions } from './sessions.ts'

const [minute_ms, most_chars] = [60_000, 200]
/** A clock that takes no time, or loses it again, is told it after ten minutes, an hour, six hours, and then once a day. */
const waits_ms = [10 * minute_ms, 60 * minute_ms, 360 * minute_ms, 1440 * minute_ms]
/** How long the command may take; and no clock is further ahead than a day that this could help. */
const [expires_ms, day_ms] = [15_000, 86_400_000]

/**
 * Tells a device the time whose clock is more than a minute wrong by the median of its heartbeats (chapter 30 rule 15, decision 0036); one that goes by a time server of its own knows no such command and is told none.
 * @param session its clock is asked first: a right one costs nothing
 */
export async function setClock(sessions: Sessions, session: Session): Promise<void> {
  const { clock, device } = session
  const { clock_skew_ms, clock_is_sure } = clock.told
  const now = sessions.app.clock.now().getTime()
  if (!device || !clock_is_sure || clock_skew_ms === null || Math.abs(clock_skew_ms) <= wrong_ms || now < clock.ask_after || !canDo(device.driver, 'time')) return
  clock.ask_after = (await sessions.inLine(session, line => askTime(line, clock_skew_ms))) ?? now
}

/** @returns when it may be told next, in milliseconds */
async function askTime(line: Line, skew_ms: number): Promise<number> {
  const { db, school_id, device_id, now } = line
  const device = await db.selectFrom('device').select(['clock_asked_at', 'clock_asked_times', 'online']).where('school_id', '=', school_id).where('device_id', '=', device_id).executeTakeFirstOrThrow()
  const next = (device.clock_asked_at?.getTime() ?? 0) + waitAfter(device.clock_asked_times)
  if (next > now.getTime() || !device.online) return Math.max(next, now.getTime() + minute_ms)
  // It judges by its own clock whether a command is too late.
  const ahead_ms = Math.min(Math.max(-skew_ms, 0), day_ms)
  await control({ db, school_id, now, asked_by: null }, device_id, 'time', { expires_at: new Date(now.getTime() + ahead_ms + expires_ms) })
  const clock_asked_times = device.clock_asked_times + 1
  await db.updateTable('device').set({ clock_asked_at: now, clock_asked_times, clock_refusal: null }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  return now.getTime() + waitAfter(clock_asked_times)
}

/** How long nobody tells it the time after it was told so often. */
function waitAfter(times: number): number {
  return times === 0 ? 0 : (waits_ms[Math.min(times, waits_ms.length) - 1] ?? day_ms)
}

/** It has answered: its clock is another one now, or why it is not is kept for whoever looks. */
export async function followTime(sessions: Sessions, session: Session, { code, text }: { code: string; text?: string | undefined }): Promise<void> {
  if (code === 'ok') return session.clock.setRight()
  await sessions.inLine(session, async ({ db, school_id, device_id }) => {
    await db.updateTable('device').set({ clock_refusal: (text ?? code).slice(0, most_chars) }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
    await tellDevices({ db, school_id }, [device_id], 'state')
  })
}
