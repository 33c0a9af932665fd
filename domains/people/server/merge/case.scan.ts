import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { likelyPairs } from './case.pairs.ts'
import type { Kin, Known } from './case.pairs.ts'

/**
 * Looks for people of a school who may be one human being (chapter 20 rule 20) and keeps the list of pairs: new ones are opened, open ones that no sign speaks
 * for any more go, dismissed ones come back for a new sign alone.
 * @returns how many pairs are open
 */
export async function scanDuplicates(db: Db, school_id: number, on: string, now: Date): Promise<number> {
  const found = likelyPairs(await readKnown(db, school_id, on), await readKin(db, school_id, on))
  const rows = JSON.stringify(found)
  const { rows: standing } = await sql<{ id: string }>`
    insert into merge_case as c (school_id, a_user_id, b_user_id, kind, score, signals, opened_at)
    select ${school_id}::int, e.a, e.b, e.kind, e.score, e.signals, ${now} from jsonb_to_recordset(${rows}::jsonb) as e(a bigint, b bigint, kind text, score smallint, signals text[])
    on conflict (school_id, a_user_id, b_user_id) do update set kind = excluded.kind, score = excluded.score, signals = excluded.signals,
      state = case when c.state = 'dismissed' and not excluded.signals <@ c.signals then 'open' else c.state end,
      opened_at = case when c.state = 'dismissed' and not excluded.signals <@ c.signals then excluded.opened_at else c.opened_at end
    where c.state <> 'merged'
    returning c.id`.execute(db)
  // A face that a terminal refused was told once and is not found again.
  await sql`
    delete from merge_case c where c.school_id = ${school_id} and c.state = 'open' and not 'face' = any(c.signals)
      and not c.id = any(${standing.map(row => row.id)}::bigint[])`.execute(db)
  const { n } = await db.selectFrom('merge_case').select(sql<number>`count(*)::int`.as('n')).where('school_id', '=', school_id).where('state', '=', 'open').executeTakeFirstOrThrow()
  return n
}

/** Everybody in school on the day. One plain query a table: what an import or the demo has just filled the planner knows nothing about. */
async function readKnown(db: Db, school_id: number, on: string): Promise<Known[]> {
  const pupils = await db.selectFrom('student_span as t').select('t.user_id').where('t.school_id', '=', school_id).where(validOn('t', on)).execute()
  const staff = await db.selectFrom('staff_span as t').select('t.user_id').where('t.school_id', '=', school_id).where(validOn('t', on)).execute()
  const places = await db.selectFrom('dept_member as m').select(['m.user_id', 'm.dept_id']).where('m.school_id', '=', school_id).where('m.member_kind', '=', 'student').where(validOn('m', on)).execute()
  const [is_student, is_staff, class_of] = [new Set(pupils.map(row => row.user_id)), new Set(staff.map(row => row.user_id)), new Map(places.map(row => [row.user_id, row.dept_id]))]
  const parents = (await readKin(db, school_id, on)).flatMap(({ student_user_id, parent_user_id }) => (is_student.has(student_user_id) ? [parent_user_id] : []))
  const here = [...new Set([...is_student, ...is_staff, ...parents])]
  const people = await db
    .selectFrom('person')
    .select(['user_id', 'user_name', 'name_py', 'birthday', 'mobile', 'tel'])
    .where('school_id', '=', school_id)
    .where('status', '=', 'live')
    .where(oneOf('user_id', here))
    .execute()
  return people.map(person => ({ ...person, is_student: is_student.has(person.user_id), is_staff: is_staff.has(person.user_id), dept_id: class_of.get(person.user_id) ?? null }))
}

function readKin(db: Db, school_id: number, on: string): Promise<Kin[]> {
  return db.selectFrom('guardian_link as g').select(['g.student_user_id', 'g.parent_user_id']).where('g.school_id', '=', school_id).where(validOn('g', on)).execute()
}
