import { sql } from 'kysely'
import type { Step } from '../db.ts'

/** A pupil who went out by a gate; `grade` null: of no class at that moment. */
export type Exit = { key: string; user_id: string; grade: string | null; date: string; at: Date }

/** A leave lets out so long before it begins (access_setting leave_before_min). */
const before_min = 15

/** Exits in the middle of a lesson of the pupil's grade without a leave for that time (chapter 35 R54, kind 8). @returns their keys */
export async function leftLessons({ db, school_id }: Step, exits: readonly Exit[]): Promise<ReadonlySet<string>> {
  if (exits.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    select x.key from jsonb_to_recordset(${JSON.stringify(exits)}::jsonb) x(key text, user_id bigint, grade text, date date, at timestamptz)
    where exists (select 1 from bell_of_day_v b where b.school_id = ${school_id} and b.date = x.date and b.grade = x.grade
        and b.section is not null and b.begin_at <= x.at and b.end_at > x.at)
      and not exists (select 1 from leave_span_v v where v.school_id = ${school_id} and v.user_id = x.user_id
        and v.begin_at - make_interval(mins => ${before_min}) <= x.at and v.end_at > x.at)`.execute(db)
  return new Set(rows.map(row => row.key))
}
