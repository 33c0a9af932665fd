import { leave_states } from '@campus/leave/contract'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { Act, LeaveDb } from '../db.ts'
import { by_gate, returnMembers } from './acts.ts'
import { lockLeave, settleState } from './store.ts'

type Place = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
const { agreed, out, overdue } = leave_states
/** The gates open so long before a leave begins (chapter 35 R13). */
const early_ms = 15 * 60_000

/**
 * Somebody passed the edge of the campus: going out within a leave makes him 已离校, coming in after that ends his leave (chapter 70 L8).
 * Called for each pass that access observes; one without a leave changes nothing.
 */
export async function followPresence({ app, db: handle, school_id, now }: Place, { user_id, is_inside, at }: { user_id: string; is_inside: boolean; at: Date }): Promise<void> {
  const db = asTables<LeaveDb>(handle)
  const act: Act = { app, db, school_id, now, by: null }
  const found = await db
    .selectFrom('leave_span as s')
    .innerJoin('leave_member as m', join => join.onRef('m.school_id', '=', 's.school_id').onRef('m.leave_id', '=', 's.leave_id').onRef('m.user_id', '=', 's.user_id'))
    .select(['s.leave_id', 'm.state'])
    .where('s.school_id', '=', school_id).where('m.school_id', '=', school_id).where('s.user_id', '=', user_id).where('s.live', '=', true).where('s.begin_at', '<=', is_inside ? at : new Date(at.getTime() + early_ms))
    .where('m.state', 'in', is_inside ? [out, overdue] : [agreed])
    .where(eb => (is_inside ? eb.lit(true) : eb('s.end_at', '>', at)))
    .orderBy('s.begin_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!found) return
  const leave = await lockLeave(db, school_id, found.leave_id)
  if (is_inside) {
    await returnMembers(act, leave, { user_ids: [user_id], at, basis: by_gate })
    return
  }
  await db.updateTable('leave_member').set({ state: out, out_at: at }).where('school_id', '=', school_id).where('leave_id', '=', leave.leave_id).where('user_id', '=', user_id).execute()
  await settleState(act, leave.leave_id)
}

/**
 * Proves the return of somebody without a gate: a tick (basis 3) or the dorm's door (basis 4); nothing happens where he is on no leave (90 §2 leave.returned).
 */
export async function returned({ app, db: handle, school_id, now }: Place, { user_id, at, basis }: { user_id: string; at: Date; basis: 3 | 4 }): Promise<void> {
  const db = asTables<LeaveDb>(handle)
  const found = await db.selectFrom('leave_span_v').select('leave_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('begin_at', '<=', at).where('state', 'in', [agreed, out, overdue]).limit(1).executeTakeFirst()
  if (!found) return
  await returnMembers({ app, db, school_id, now, by: null }, await lockLeave(db, school_id, found.leave_id), { user_ids: [user_id], at, basis })
}
