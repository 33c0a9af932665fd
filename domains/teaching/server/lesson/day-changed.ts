import { lessonChannel, teachingEvents } from '@campus/teaching/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { push } from '@kit/server/realtime'

/** Dates whose lessons are different, and whom they concern; empty lists: everybody. */
export type Changed = { dates: string[]; class_ids: string[]; place_ids: string[]; teacher_ids: string[] }

/** Boards, attendance and other domains follow by event, open timetables ask again at once (chapter 50 §7). */
export async function sayDayChanged(from: Publisher, changed: Changed, rev = 0): Promise<void> {
  await publish(from, teachingEvents.dayChanged, { ...changed, rev })
  await push(from, lessonChannel, [{ dates: changed.dates }])
}
