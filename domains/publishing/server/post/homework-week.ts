import { addDays, mondayOf } from '@campus/calendar/contract'
import { homework_kind, publishingEvents, reply } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { publish, setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { sql } from 'kysely'
import { workOf } from '../db.ts'
import type { Work } from '../db.ts'

const week_kind = 'publishing.homework_week'
/** Before evaluation settles the week in the same night (chapter 55 §2.8). */
const week_clock = '01:15'
const follow_ms = 60_000
const week_days = 7
const [to_families, sent, expired] = [1, 2, 5] as const

/** The week in which homework is due is counted when it is over, and again soon where it is over already. Other posts do nothing. */
export async function planHomeworkWeek(work: Work, { kind, due_at }: { kind: string; due_at: Date | null }): Promise<void> {
  if (kind !== homework_kind || due_at === null) return
  const monday = mondayOf(schoolDay(due_at))
  const night = new Date(`${addDays(monday, week_days)}T${week_clock}:00+08:00`)
  const soon = new Date(work.now.getTime() + follow_ms)
  await setTimer(work, { kind: week_kind, ref: monday, due_at: night > work.now ? night : soon })
}

/**
 * Pupils who handed in, in time, everything that was due from them in a week. A submission that was given back or written anew was in time
 * all the same; homework that asks for no answer, or was recalled, does not count.
 */
async function readPunctual({ db, school_id }: Work, monday: string): Promise<string[]> {
  const [from, to] = [monday, addDays(monday, week_days)].map(day => new Date(`${day}T00:00:00+08:00`))
  const { rows } = await sql<{ user_id: string }>`
    select u.user_id::text as user_id from (
      select r.post_id, r.subject_user_id as user_id, bool_or((r.submitted_at is not null and not coalesce(r.late, false))
        or s.subject_user_id is not null) as in_time
      from publishing_post p
      join publishing_recipient r on r.school_id = ${school_id} and r.sent_month = p.sent_month and r.post_id = p.post_id
        and r.left_at is null
      left join (select distinct g.post_id, g.subject_user_id from publishing_submission g where g.school_id = ${school_id} and not g.late) s
        on s.post_id = r.post_id and s.subject_user_id = r.subject_user_id
      where p.school_id = ${school_id} and p.scene = ${to_families} and p.kind = ${homework_kind} and p.state in (${sent}, ${expired})
        and p.reply_kind <> ${reply.none} and p.due_at >= ${from} and p.due_at < ${to}
      group by r.post_id, r.subject_user_id) u
    group by u.user_id having bool_and(u.in_time) order by u.user_id`.execute(db)
  return rows.map(row => row.user_id)
}

/** Tells the others who was punctual in a week that is over, as a whole each time: a consumer compares it with what it knew. */
export const homeworkWeekTimer: TimerKind = {
  kind: week_kind,
  async run(db, due) {
    const work = workOf({ ...due, db })
    await publish(work, publishingEvents.homeworkWeek, { monday: due.ref, user_ids: await readPunctual(work, due.ref) })
  },
}
