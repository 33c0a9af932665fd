import { setTimer } from '@kit/server/event'
import type { Act } from '../db.ts'
import { day_ms } from '../span/measure.ts'
import { spansOf } from './store.ts'

export const [ending_kind, undecided_kind] = ['leave.ending', 'leave.undecided'] as const
const minute_ms = 60_000

/** Plans the look after the end of the last span: who has not come back by then is late (chapter 70 L9). */
export async function planEnding(act: Act, leave_id: string): Promise<void> {
  const { db, school_id } = act
  const leave = await db.selectFrom('leave_apply').select(['fact_version', 'late_grace_min']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).executeTakeFirstOrThrow()
  const end = Math.max(...(await spansOf(db, school_id, leave_id)).map(one => one.end_at.getTime()))
  if (!Number.isFinite(end)) return
  await setTimer(act, { kind: ending_kind, ref: `${leave_id}:${leave.fact_version}`, due_at: new Date(end + leave.late_grace_min * minute_ms) })
}

/** Plans the end of an application that nobody has decided a day after it should have begun (chapter 70 §2.1). */
export async function planUndecided(act: Act, leave_id: string, begin: number): Promise<void> {
  await setTimer(act, { kind: undecided_kind, ref: leave_id, due_at: new Date(Math.max(begin, act.now.getTime()) + day_ms) })
}
