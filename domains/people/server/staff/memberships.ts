import type { ArchiveChange } from '@campus/audit/server'
import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import type { KnownStaff } from './staff-file.queries.ts'

/** A department with what somebody is there. */
export type Post = { dept_id: string; position: string | null }
type Hire = { teacher_no: string; kind: string; join_month: string; from: string; state?: string; depts: readonly Post[] }
type Joining = Pick<PeopleCtx, 'db' | 'school_id'>

/** A person of the school who is no staff yet becomes staff; the first department is the primary one. */
export async function joinAsStaff({ db, school_id }: Joining, user_id: string, { from, depts, state = '11', ...staff }: Hire): Promise<void> {
  await db.insertInto('staff').values({ school_id, user_id, ...staff }).execute()
  await db.insertInto('staff_span').values({ school_id, user_id, state, valid_from: from, open_kind: 'IN' }).execute()
  for (const [at, dept] of depts.entries()) await insertPost({ db, school_id }, user_id, dept, { from, is_primary: at === 0 })
}

async function insertPost({ db, school_id }: Joining, user_id: string, { dept_id, position }: Post, { from, is_primary }: { from: string; is_primary: boolean }): Promise<void> {
  await sql`
    insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, is_primary, position, valid_from)
    select ${school_id}, ${user_id}, d.id, 'staff', d.dept_type, ${is_primary}, ${position}, ${from}::date from dept d where d.school_id = ${school_id} and d.id = ${dept_id} returning 1`.execute(db)
}

/**
 * Brings part-time departments and positions to what is wanted from today on.
 * @returns one line for the journal, none when nothing changes
 * @throws Refusal 422 when the primary department is missing: it changes by command
 */
export async function changeDepts(ctx: PeopleCtx, known: KnownStaff, wanted: readonly Post[], today: string): Promise<ArchiveChange[]> {
  const { db, school_id } = ctx
  const { user_id, depts } = known
  if (depts.some(dept => dept.is_primary && wanted.every(one => one.dept_id !== dept.dept_id))) {
    throw fail(peopleErrors.primaryByCommand, { errors: [{ field: 'depts', msg: peopleErrors.primaryByCommand.msg }] })
  }
  const before = await postsText(ctx, depts, today)
  const after = await postsText(ctx, wanted, today)
  if (before === after) return []
  for (const dept of depts) {
    const post = wanted.find(one => one.dept_id === dept.dept_id)
    if (post && post.position === dept.position) continue
    const row = sql`school_id = ${school_id} and user_id = ${user_id} and member_kind = 'staff' and dept_id = ${dept.dept_id} and valid_from <= ${today}::date and (valid_to is null or valid_to > ${today}::date)`
    if (post) await sql`update dept_member set position = ${post.position} where ${row}`.execute(db)
    else await endPost(db, row, today)
  }
  for (const post of wanted) if (depts.every(dept => dept.dept_id !== post.dept_id)) await insertPost(ctx, user_id, post, { from: today, is_primary: false })
  return [{ field: 'depts', label: '部门', before, after }]
}

async function endPost(db: PeopleCtx['db'], row: ReturnType<typeof sql>, today: string): Promise<void> {
  await sql`delete from dept_member where ${row} and valid_from = ${today}::date`.execute(db)
  await sql`update dept_member set valid_to = ${today}::date where ${row}`.execute(db)
}

async function postsText(ctx: PeopleCtx, posts: readonly Post[], today: string): Promise<string> {
  const labels = await labelsOn(ctx, posts.map(post => post.dept_id), today)
  return posts.map(post => `${labels.get(post.dept_id) ?? ''}${post.position ? `（${post.position}）` : ''}`).toSorted().join('；')
}
