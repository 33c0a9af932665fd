import { linkGuardians, lockMerge, mergePeople, partPeople, scanDuplicates } from '@campus/people/server'
import type { MergeDesk } from '@campus/people/server'
import { sql } from 'kysely'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'

/** Merges of the last days: how long ago each was, and whether it was taken back a day later (chapter 20 §8). */
const merges = [{ days: 12, taken_back: false }, { days: 6, taken_back: true }, { days: 3, taken_back: false }] as const
/** Open pairs in all: some the people of the demo make by themselves, the others share a number. */
export const open_cases = 14
const day_ms = 86_400_000

type Father = { user_id: string; user_name: string; student_user_id: string; relation: string }

/** Fathers who were entered twice, and what was done about it; then the pairs that wait for somebody. */
export async function fillMerges(work: Work): Promise<void> {
  const { db, app, school_id, now, today } = work
  const { rows: fathers } = await sql<Father>`
    select distinct on (g.parent_user_id) g.parent_user_id as user_id, p.user_name, g.student_user_id, g.relation
    from guardian_link g join live_student s on s.school_id = g.school_id and s.user_id = g.student_user_id join person p on p.school_id = g.school_id and p.user_id = g.parent_user_id
    where g.school_id = ${school_id} and p.school_id = ${school_id} and s.school_id = ${school_id} and g.valid_to is null and g.relation = '51'
      and not exists (select from staff f where f.school_id = ${school_id} and f.user_id = g.parent_user_id)
      and not exists (select from account a where a.user_id = g.parent_user_id and a.username is not null)
    order by g.parent_user_id, g.student_user_id`.execute(db)
  const clerk = await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').executeTakeFirstOrThrow()
  const chosen = spread(fathers, merges.length)
  for (const [at, { days, taken_back }] of merges.entries()) {
    const father = chosen[at]
    if (!father) continue
    const on = { app, db, school_id, now: new Date(now.getTime() - days * day_ms), by: clerk.user_id }
    await mergeTwice(work, on, father, { number: at, taken_back })
  }
  await shareNumbers(work, fathers, open_cases - (await scanDuplicates(db, school_id, today, now)))
  await scanDuplicates(db, school_id, today, now)
}

/** The same father with another mobile and a slip in his name; who is taken apart again is left as he was entered, without a child. */
async function mergeTwice({ db, app, school_id, from }: Work, desk: MergeDesk, father: Father, { number, taken_back }: { number: number; taken_back: boolean }): Promise<void> {
  const { student_user_id, relation, user_name, user_id } = father
  const again = { student_user_id, relation, user_name: `${user_name}（家长）`, mobile: `1690999998${number}`, is_first: false, is_guardian: true, from }
  const [drop_user_id] = await linkGuardians(db, app.secrets, school_id, [again])
  if (!drop_user_id) return
  const merged = await mergePeople(desk, { kind: 'parent', keep_user_id: user_id, drop_user_id, chosen: new Map() })
  if (!taken_back) return
  const log = await lockMerge(db, school_id, merged.merge_id)
  if (log) await partPeople({ ...desk, now: new Date(desk.now.getTime() + day_ms) }, log)
  await sql`update guardian_link set valid_to = ${desk.now}::date where school_id = ${school_id} and parent_user_id = ${drop_user_id}`.execute(db)
}

/** Mothers and grandparents whose telephone is the number of somebody of another family. */
async function shareNumbers({ db, school_id }: Work, fathers: readonly Father[], count: number): Promise<void> {
  const [first, second] = [spread(fathers.slice(10), Math.max(0, count)), spread(fathers.slice(11), Math.max(0, count))]
  const pairs = JSON.stringify(first.map((father, at) => ({ user_id: father.user_id, other: second[at]?.user_id })))
  await sql`
    update person p set tel = o.mobile from jsonb_to_recordset(${pairs}::jsonb) x(user_id bigint, other bigint) join person o on o.school_id = ${school_id} and o.user_id = x.other
    where p.school_id = ${school_id} and p.user_id = x.user_id and x.user_id <> x.other`.execute(db)
}
