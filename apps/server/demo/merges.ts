import { linkGuardians, lockMerge, mergePeople, partPeople, scanDuplicates } from '@campus/people/server'
import type { MergeDesk } from '@campus/people/server'
import { sql } from 'kysely'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

/** Merges of the last days: how long ago each was, and whether it was taken back a day later (chapter 20 §8). */
const merges = [{ days: 12, taken_back: false }, { days: 6, taken_back: true }, { days: 3, taken_back: false }] as const
/** Pairs that wait for somebody: some the people of the demo make by themselves, the others share a number. */
const open_cases = 14
const day_ms = 86_400_000
const father_code = '51'
const kept_fathers = 60

type Father = { user_id: string; user_name: string; student_user_id: string; relation: string }

/** Fathers who were entered twice, and what was done about it; then the pairs that wait for somebody. */
export async function fillMerges(work: Work): Promise<void> {
  const { db, app, school_id, today } = work
  const now = startOfDay(today)
  const fathers = await fathersOf(work)
  const clerk = await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').executeTakeFirstOrThrow()
  const chosen = spread(fathers, merges.length)
  for (const [at, { days, taken_back }] of merges.entries()) {
    const father = chosen[at]
    if (!father) continue
    const on = { app, db, school_id, now: new Date(now.getTime() - days * day_ms), by: clerk.user_id }
    await mergeTwice(work, on, father, { number: at, taken_back })
  }
  await shareNumbers(work, fathers, open_cases)
  await scanDuplicates(db, school_id, today, now)
  await dismissOthers(work, clerk.user_id)
}

/** The likeliest ones wait; somebody has looked at the others and known better. */
async function dismissOthers({ db, school_id, today }: Work, by: string): Promise<void> {
  await sql`
    update merge_case c set state = 'dismissed', decided_by = ${by}, decided_at = ${startOfDay(today)}
    where c.school_id = ${school_id} and c.id in (select o.id from merge_case o where o.school_id = ${school_id} and o.state = 'open' order by o.score desc, o.id offset ${open_cases})`.execute(db)
}

/** Fathers of pupils in school with nothing but that: not on the staff, without a login. One plain query a table: the planner knows nothing of what was just filled. */
async function fathersOf({ db, school_id }: Work): Promise<Father[]> {
  const links = await db.selectFrom('guardian_span').select(['parent_user_id', 'student_user_id', 'relation']).where('school_id', '=', school_id).where('relation', '=', father_code).where('valid_to', 'is', null).orderBy('parent_user_id').orderBy('student_user_id').execute()
  const { rows: others } = await sql<{ user_id: string }>`
    select user_id from staff_membership where school_id = ${school_id} union select user_id from account where username is not null`.execute(db)
  const left_out = new Set(others.map(row => row.user_id))
  const pupils = await db.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).execute()
  const in_school = new Set(pupils.map(row => row.user_id))
  const firsts = [...Map.groupBy(links.filter(link => in_school.has(link.student_user_id)), link => link.parent_user_id).values()].flatMap(([link]) => (link && !left_out.has(link.parent_user_id) ? [link] : []))
  const names = await db.selectFrom('person_label').select(['user_id', 'display_name']).where('school_id', '=', school_id).where('user_id', 'in', spread(firsts, kept_fathers).map(link => link.parent_user_id)).execute()
  const name_of = new Map(names.map(row => [row.user_id, row.display_name]))
  return firsts.flatMap(({ parent_user_id, student_user_id, relation }) => {
    const user_name = name_of.get(parent_user_id)
    return user_name === undefined ? [] : [{ user_id: parent_user_id, user_name, student_user_id, relation }]
  })
}

/** The same father with another mobile and a slip in his name; who is taken apart again is left as he was entered, without a child. */
async function mergeTwice({ db, app, school_id }: Work, desk: MergeDesk, father: Father, { number, taken_back }: { number: number; taken_back: boolean }): Promise<void> {
  const { student_user_id, relation, user_name, user_id } = father
  const again = { student_user_id, relation, user_name: `${user_name}（家长）`, mobile: `1690999998${number}`, is_first: false, is_guardian: true, from: dayOf(desk.now) }
  const [drop_user_id] = await linkGuardians(db, app.secrets, school_id, [again])
  if (!drop_user_id) return
  const merged = await mergePeople(desk, { kind: 'parent', keep_user_id: user_id, drop_user_id, chosen: new Map() })
  if (!taken_back) return
  const log = await lockMerge(db, school_id, merged.merge_id)
  if (log) await partPeople({ ...desk, now: new Date(desk.now.getTime() + day_ms) }, log)
  await sql`delete from guardian_link where school_id = ${school_id} and parent_user_id = ${drop_user_id}`.execute(db)
}

/** The day in Asia/Shanghai. */
function dayOf(at: Date): string {
  return new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

/** Fathers whose telephone is the number of somebody of another family. */
async function shareNumbers({ db, school_id }: Work, fathers: readonly Father[], count: number): Promise<void> {
  const others = fathers.slice(10)
  const pairs = JSON.stringify(Array.from({ length: count }, (_, at) => ({ user_id: others[2 * at]?.user_id, other: others[2 * at + 1]?.user_id })))
  await sql`
    update person p set tel = o.mobile from jsonb_to_recordset(${pairs}::jsonb) x(user_id bigint, other bigint) join person o on o.school_id = ${school_id} and o.user_id = x.other
    where p.school_id = ${school_id} and p.user_id = x.user_id`.execute(db)
}
