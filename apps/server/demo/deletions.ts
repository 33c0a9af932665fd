import { makeDeletion } from '@campus/people/server'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

const day_ms = 86_400_000
const people_held = 9
const people_done = 3
const people_blocked = 2

/** What the school wants, and three batches: one that is held, one that is done with its proofs, one that is blocked (chapter 20 §8). */
export async function fillDeletions(work: Work): Promise<void> {
  const { db, school_id, today } = work
  const now = startOfDay(today)
  await sql`insert into user_delete_config (school_id, student_days, staff_days, archive_years) values (${school_id}, 60, 90, 10)`.execute(db)
  const gone = await ids(work, sql`
    select t.user_id from student_span t where t.school_id = ${school_id} and t.close_kind = 'OUT' and t.valid_to < ${ago(now, 60)}::date
      and not exists (select from student_span o where o.school_id = ${school_id} and o.user_id = t.user_id and o.valid_from >= t.valid_to)
    order by t.valid_to, t.user_id limit ${people_done + people_held}`)
  const alone = await ids(work, sql`
    select g.parent_user_id as user_id from guardian_link g join live_student s on s.school_id = g.school_id and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and s.school_id = ${school_id} and g.is_guardian and g.valid_to is null and not exists (
      select from guardian_link o where o.school_id = ${school_id} and o.student_user_id = g.student_user_id and o.id <> g.id and o.valid_to is null)
    order by g.parent_user_id limit ${people_blocked}`)
  const [by] = await ids(work, sql`select user_id from live_staff where school_id = ${school_id} order by teacher_no limit 1`)
  if (by === undefined) return
  const at = (days: number) => new Date(now.getTime() - days * day_ms)
  await make(work, { source: 'manual', reason: '转出满两个月，家长申请删除', by, at: at(20), user_ids: gone.slice(0, people_done), done: true })
  await make(work, { source: 'import', reason: '重复登记的家长', by, at: at(4), user_ids: alone, done: false })
  await make(work, { source: 'manual', reason: '转出学生，学籍已转走', by, at: at(1), user_ids: gone.slice(people_done), done: false })
}

/** A demo of another day may have nobody for a batch. */
async function make(work: Work, batch: Parameters<typeof makeDeletion>[1]): Promise<void> {
  if (batch.user_ids.length > 0) await makeDeletion(work, batch)
}

async function ids({ db }: Work, query: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`${query}`.execute(db)
  return rows.map(row => row.user_id)
}

function ago(now: Date, days: number): string {
  return new Date(now.getTime() - days * day_ms).toISOString().slice(0, 10)
}
