import type { LeaveEffect, LeaveViews } from '@campus/leave/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { Db, TeachingDb } from '../db.ts'
import { sayDayChanged } from '../lesson/day-changed.ts'
import { undoInside } from './undo.ts'

type Place = { db: Db; school_id: number; now: Date }
const causeOf = (leave_id: string) => `leave:${leave_id}`

/**
 * Lessons not begun yet whose teacher is on leave become needs, whether the leave or the timetable came first (chapter 50 rule 32).
 * Idempotent.
 */
export async function openNeeds({ db, school_id, now }: Place, leave_id?: string): Promise<number> {
  const { rows } = await sql<{ lesson_day_id: string }>`
    insert into cover_need (school_id, date, lesson_day_id, teacher_id, cause_ref, state, updated_at)
    select distinct on (d.date, d.lesson_day_id, s.user_id) d.school_id, d.date, d.lesson_day_id, s.user_id, 'leave:' || s.leave_id,
      case when s.user_id = any(d.teacher_ids) then 0 else 1 end, ${now}::timestamptz
    from leave_span_v s
    join lesson_day d on d.school_id = ${school_id} and d.begin_at < s.end_at and d.end_at > s.begin_at and d.begin_at > ${now}::timestamptz and d.state not in (4, 5)
      and (s.user_id = any(d.teacher_ids) or s.user_id = any(coalesce(d.orig_teacher_ids, d.teacher_ids)))
    where s.school_id = ${school_id} and s.end_at > ${now}::timestamptz and (${leave_id ?? null}::bigint is null or s.leave_id = ${leave_id ?? null})
    order by d.date, d.lesson_day_id, s.user_id, s.leave_id
    on conflict (school_id, date, lesson_day_id, teacher_id) do update
      set state = case when cover_need.state = 4 then excluded.state else cover_need.state end, cause_ref = excluded.cause_ref, updated_at = excluded.updated_at
    returning lesson_day_id::text as lesson_day_id`.execute(asTables<TeachingDb & LeaveViews>(db))
  return rows.length
}

/** Needs of a leave that no longer covers them are over; what was arranged for them and has not begun is undone. */
async function closeNeeds(place: Place & { app: App }, leave_id: string): Promise<number> {
  const { db, school_id, now } = place
  const { rows } = await sql<{ date: string; lesson_day_id: string; teacher_id: string; state: number }>`
    select n.date::text as date, n.lesson_day_id::text as lesson_day_id, n.teacher_id::text as teacher_id, n.state::int as state
    from cover_need n join lesson_day d on d.school_id = ${school_id} and d.date = n.date and d.lesson_day_id = n.lesson_day_id
    where n.school_id = ${school_id} and n.cause_ref = ${causeOf(leave_id)} and n.state <> 4 and d.begin_at > ${now}::timestamptz and not exists (
      select 1 from leave_span_v s where s.school_id = ${school_id} and s.leave_id = ${leave_id} and s.user_id = n.teacher_id and s.begin_at < d.end_at and s.end_at > d.begin_at)
    order by n.date, n.lesson_day_id`.execute(asTables<TeachingDb & LeaveViews>(db))
  for (const { date, lesson_day_id, teacher_id } of rows) {
    const open = await db.selectFrom('change_item').select('order_id').where('school_id', '=', school_id).where('date', '=', date)
      .where('lesson_day_id', '=', lesson_day_id)
      .where('from_teacher_id', '=', teacher_id).where('open', '=', true).executeTakeFirst()
    const changed = open && (await undoInside(place, open.order_id, null))
    if (changed && changed.class_ids.length > 0) await sayDayChanged(place, changed)
    await db.updateTable('cover_need').set({ state: 4, updated_at: now }).where('school_id', '=', school_id).where('date', '=', date)
      .where('lesson_day_id', '=', lesson_day_id)
      .where('teacher_id', '=', teacher_id).execute()
  }
  return rows.length
}

/** What a leave of a teacher does to his lessons: approval, change and cancellation are the same call (chapter 70 §7). */
export const coverEffect: LeaveEffect = {
  code: 'lesson',
  title: '调课代课',
  undoable: true,
  async preview({ db, school_id, now }, { members }) {
    const tabled = asTables<TeachingDb>(db)
    let count = 0
    for (const { user_id, spans } of members) {
      for (const { begin_at, end_at } of spans) {
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from lesson_day d where d.school_id = ${school_id} and ${user_id}::bigint = any(d.teacher_ids) and d.state not in (4, 5)
            and d.begin_at > ${now}::timestamptz and d.begin_at < ${end_at}::timestamptz and d.end_at > ${begin_at}::timestamptz`.execute(tabled)
        count += rows[0]?.n ?? 0
      }
    }
    return count === 0 ? null : { text: `${count}节课需要安排代课`, count }
  },
  async converge({ app, db, school_id, now }, { leave_id }) {
    const place = { app, db: asTables<TeachingDb>(db), school_id, now }
    const closed = await closeNeeds(place, leave_id)
    const opened = await openNeeds(place, leave_id)
    if (opened + closed === 0) return { state: 5, text: '没有受影响的课', count: 0 }
    return { state: 2, text: opened > 0 ? `${opened}节课待安排代课` : `已撤回${closed}节代课安排`, count: opened + closed }
  },
}
