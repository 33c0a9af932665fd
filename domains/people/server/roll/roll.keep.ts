import { asTables } from '@kit/server/db'
import type { Derived, Touched } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chunks } from '../bulk.ts'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'

/** Rows of one statement: enough that the way to the server does not count. */
const most_rows = 5000
const facts = ['state', 'dept_id', 'student_no', 'user_name', 'name_py', 'name_initials'] as const

/** Keeps the roll of today by every transaction that writes to what it follows from (decision 0042). */
export function rollOf(app: App): Derived {
  return {
    sources: {
      person: ['user_id', 'user_name', 'name_py', 'name_initials', 'status'],
      student: ['user_id', 'student_no'],
      student_span: ['user_id', 'state', 'valid_from', 'valid_to'],
      dept_member: ['user_id', 'dept_id', 'member_kind', 'valid_from', 'valid_to'],
    },
    settle: (db, school_id, touched) => settleRoll(asTables<PeopleDb>(db), school_id, schoolDay(app.clock.now()), touched),
  }
}

/**
 * Brings the roll of a school to what the dated rows say of a day. The line of the day is locked, so that of two transactions the later one sees
 * what the earlier one wrote.
 * @param touched whose rows may differ; everybody is compared on a new day
 */
export async function settleRoll(db: Db, school_id: number, on: string, touched: Touched = 'unknown'): Promise<void> {
  const kept = await lockDay(db, school_id, on)
  // Another process may be in the new day already.
  const day = kept !== null && kept > on ? kept : on
  const among = touched === 'unknown' || kept !== day ? undefined : touched
  if (kept !== day) await sql`update roll_day set day = ${day}::date where school_id = ${school_id}`.execute(db)
  const differing = await differingOf(db, school_id, day, among)
  for (const part of chunks(differing, most_rows)) await rewrite(db, school_id, day, part)
}

/** The day that the roll is of; null while it is of none. */
async function lockDay(db: Db, school_id: number, on: string): Promise<string | null> {
  const { rows: [line] } = await sql<{ day: string }>`select d.day::text as day from roll_day d where d.school_id = ${school_id} for update`.execute(db)
  if (line) return line.day
  // The day before the first one: whoever comes at the same moment waits for this line.
  await sql`insert into roll_day (school_id, day) values (${school_id}, ${on}::date - 1) on conflict (school_id) do nothing`.execute(db)
  const { rows: [made] } = await sql<{ day: string }>`select d.day::text as day from roll_day d where d.school_id = ${school_id} for update`.execute(db)
  return made?.day ?? null
}

/** Pupils of the day as the dated rows have them: living, in a state, with or without a class. */
function pupilsOn(school_id: number, on: string, among: readonly string[] | undefined): RawBuilder<unknown> {
  const these = (column: string) => (among === undefined ? sql`true` : oneOf(column, among))
  return sql`
    select t.user_id, t.state, coalesce(m.dept_id, 0) as dept_id, s.student_no, p.user_name, p.name_py, p.name_initials
    from student_span t
    join student s on s.school_id = t.school_id and s.user_id = t.user_id
    join person p on p.school_id = t.school_id and p.user_id = t.user_id
    left join (select c.user_id, c.dept_id from dept_member c
      where c.school_id = ${school_id} and c.member_kind = 'student' and ${validOn('c', on)} and ${these('c.user_id')}) m on m.user_id = t.user_id
    where t.school_id = ${school_id} and s.school_id = ${school_id} and p.school_id = ${school_id} and p.status = 'live'
      and ${validOn('t', on)} and ${these('t.user_id')} and ${these('s.user_id')} and ${these('p.user_id')}`
}

/** Whose row of the roll is missing, too many or another one than the dated rows say. */
export async function differingOf(db: Db, school_id: number, on: string, among?: readonly string[]): Promise<string[]> {
  const row = (alias: string) => sql`(${sql.join(facts.map(fact => sql.ref(`${alias}.${fact}`)))})`
  const { rows } = await sql<{ user_id: string }>`
    select coalesce(n.user_id, o.user_id) as user_id
    from (${pupilsOn(school_id, on, among)}) n
    full join (select r.user_id, r.state, r.dept_id, r.student_no, r.user_name, r.name_py, r.name_initials from roll_today r
      where r.school_id = ${school_id} and ${among === undefined ? sql`true` : oneOf('r.user_id', among)}) o on o.user_id = n.user_id
    where n.user_id is null or o.user_id is null or ${row('n')} is distinct from ${row('o')}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Writes the rows, words and counts of these pupils anew. */
async function rewrite(db: Db, school_id: number, on: string, ids: readonly string[]): Promise<void> {
  const { rows: gone } = await sql<{ dept_id: string }>`
    delete from roll_today where school_id = ${school_id} and ${oneOf('user_id', ids)} returning dept_id`.execute(db)
  const { rows: made } = await sql<{ dept_id: string }>`
    insert into roll_today (user_id, state, dept_id, student_no, user_name, name_py, name_initials, school_id)
    select n.user_id, n.state, n.dept_id, n.student_no, n.user_name, n.name_py, n.name_initials, ${school_id}::int from (${pupilsOn(school_id, on, ids)}) n
    returning dept_id`.execute(db)
  if (gone.length > 0) await sql`delete from roll_word where school_id = ${school_id} and ${oneOf('user_id', ids)}`.execute(db)
  await writeWords(db, school_id, ids)
  await count(db, school_id, [...new Set([...gone, ...made].map(({ dept_id }) => dept_id))])
}

/** Every ending of the name, so that a part of it is the beginning of a word: comparisons use an index behind the fence, patterns do not. */
async function writeWords(db: Db, school_id: number, ids: readonly string[]): Promise<void> {
  await sql`
    insert into roll_word (school_id, user_id, way, word)
    select ${school_id}::int, r.user_id, w.way, w.word
    from roll_today r
    cross join lateral (
      select 'n' as way, substr(lower(r.user_name), i) as word from generate_series(1, char_length(r.user_name)) i
      union select 'p', r.name_py where r.name_py <> ''
      union select 'p', r.name_initials where r.name_initials <> ''
      union select 'd', r.student_no) w
    where r.school_id = ${school_id} and ${oneOf('r.user_id', ids)}
    on conflict (school_id, way, word, user_id) do nothing`.execute(db)
}

async function count(db: Db, school_id: number, dept_ids: readonly string[]): Promise<void> {
  await sql`delete from roll_count where school_id = ${school_id} and ${oneOf('dept_id', dept_ids)}`.execute(db)
  await sql`
    insert into roll_count (school_id, state, dept_id, pupils)
    select ${school_id}::int, r.state, r.dept_id, count(*)::int from roll_today r
    where r.school_id = ${school_id} and ${oneOf('r.dept_id', dept_ids)} group by r.state, r.dept_id
    on conflict (school_id, state, dept_id) do update set pupils = excluded.pupils`.execute(db)
}
