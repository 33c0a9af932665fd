import { course_post, evaluationErrors, evaluationEvents, mostHolders, post_names } from '@campus/evaluation/contract'
import type { Committee, committeeApi, Holder } from '@campus/evaluation/contract'
import { deptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, EvaluationCtx, Work } from './db.ts'
import { readLimits } from './committee-limits.ts'
import { classesOf, requireScopeDept, requireStarred } from './subjects.ts'

const of_class = 2
const names: Readonly<Record<string, string>> = post_names
type Save = Input<typeof committeeApi.save>

/** The holders of a day; names of the time are the person's own. */
async function holdersOn(db: Db, school_id: number, dept_id: string, on: string): Promise<(Holder & { committee_id: string })[]> {
  const { rows } = await sql<Holder & { committee_id: string }>`
    select c.committee_id::text as committee_id, c.post_code, c.course_id::text as course_id, k.course_name, c.user_id::text as user_id,
      coalesce(p.display_name, '') as user_name, c.elected_by::int as elected_by, c.valid_from::text as valid_from,
        c.valid_to::text as valid_to
    from class_committee c
    left join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    left join (select distinct n.course_id, coalesce(w.name, n.subject) as course_name from teaching_now_v n
    left join dictionary_v w on w.school_id = ${school_id} and w.sc_code_type = 'SUBJECT' and w.sc_code_item = n.subject
      where n.school_id = ${school_id} and n.dept_id = ${dept_id}) k on k.course_id = c.course_id
    where c.school_id = ${school_id} and c.dept_id = ${dept_id} and c.valid_from <= ${on}::date and (c.valid_to is null
    or c.valid_to > ${on}::date) order by c.post_code::int, c.committee_id`.execute(db)
  return rows
}

/** The class page of a day: on 3 March it shows the committee of March (chapter 55 rule 47). @throws Refusal 404 */
export async function readCommittee(
  ctx: EvaluationCtx,
  { dept_id, on = schoolDay(ctx.now) }: Input<typeof committeeApi.list>,
): Promise<Committee> {
  const { db, school_id } = ctx
  const { dept_name } = await requireScopeDept(ctx, await deptScope(ctx, 'student'), dept_id)
  const holders = await holdersOn(db, school_id, dept_id, on)
  const version = await db
    .selectFrom('class_committee_class')
    .select('row_version')
    .where('school_id', '=', school_id)
    .where('dept_id', '=', dept_id)
    .executeTakeFirst()
  const courses = await sql<Committee['courses'][number]>`
    select distinct n.course_id::text as course_id, coalesce(w.name, n.subject) as course_name from teaching_now_v n
      left join dictionary_v w on w.school_id = ${school_id} and w.sc_code_type = 'SUBJECT' and w.sc_code_item = n.subject
    where n.school_id = ${school_id} and n.dept_id = ${dept_id} order by 2`.execute(db)
  const pupils = await sql<Committee['pupils'][number]>`
    select m.user_id::text as user_id, coalesce(p.display_name, '') as user_name from student_membership m
      left join person_label p on p.school_id = ${school_id} and p.user_id = m.user_id
    where m.school_id = ${school_id} and m.dept_id = ${dept_id} and m.valid_from <= ${on}::date and (m.valid_to is null
    or m.valid_to > ${on}::date) order by m.user_id limit 200`.execute(db)
  return {
    dept_id,
    dept_name,
    on,
    row_version: version?.row_version ?? 0,
    limits: (await readLimits(ctx)).limits,
    list: holders.map(({ committee_id: _id, ...holder }) => holder),
    courses: courses.rows,
    pupils: pupils.rows,
  }
}

const keyOf = (one: { post_code: string; course_id: string | null; user_id: string }) =>
  `${one.post_code} ${one.course_id ?? '0'} ${one.user_id}`

/**
 * The whole committee from a day on: what is missing ends, what is new begins. One save at a time holds the class (55-A33). @throws
 * Refusal committeeFull, committeeNotInClass, committeeCourse, stale
 */
export async function saveCommittee(ctx: EvaluationCtx, asked: Save): Promise<Reply<typeof committeeApi.save>> {
  const { db, school_id, me } = ctx
  const { dept_id, from } = asked
  await requireStarred(ctx, of_class, [dept_id], await deptScope(ctx, 'student'))
  await lockClass(ctx, asked)
  const posts = [...new Map(asked.posts.map(one => [keyOf(one), one])).values()]
  if (posts.some(one => one.post_code === course_post && one.course_id === null)) throw fail(evaluationErrors.committeeCourse)
  await requireMembers(
    ctx,
    dept_id,
    from,
    posts.map(one => one.user_id),
  )
  const { limits } = await readLimits(ctx)
  for (const [post, of_post] of Map.groupBy(posts, one => `${one.post_code} ${one.course_id ?? ''}`)) {
    const code = post.split(' ')[0] ?? ''
    const most = mostHolders(code, limits)
    if (of_post.length > most) throw fail(evaluationErrors.committeeFull, { params: { post: names[code] ?? '', n: String(most) } })
  }
  const held = await holdersOn(db, school_id, dept_id, from)
  const wanted = new Set(posts.map(keyOf))
  const ended = held.filter(one => !wanted.has(keyOf(one)))
  const added = posts.filter(one => !held.some(each => keyOf(each) === keyOf(one)))
  if (ended.length > 0)
    await db
      .updateTable('class_committee')
      .set({ valid_to: from })
      .where('school_id', '=', school_id)
      .where(
        'committee_id',
        'in',
        ended.map(one => one.committee_id),
      )
      .execute()
  await insertMany(
    db,
    'class_committee',
    added.map(one => ({ school_id, dept_id, ...one, valid_from: from, set_by: me.user_id })),
  )
  await publish(ctx, evaluationEvents.committeeChanged, { dept_id })
  ctx.note({
    target_kind: 'evaluation.committee',
    target_id: dept_id,
    target_name: `新任${added.length}人，卸任${ended.length}人`,
    after: { from },
  })
  return { row_version: asked.row_version + 1, added: added.length, ended: ended.length }
}

/** @throws Refusal stale when another one saved first; he is waited for */
async function lockClass({ db, school_id }: EvaluationCtx, { dept_id, row_version }: Save): Promise<void> {
  const { rows } =
    await sql`insert into class_committee_class (school_id, dept_id, row_version) values (${school_id}, ${dept_id}, ${row_version + 1})
    on conflict (school_id, dept_id) do update set row_version = excluded.row_version
      where class_committee_class.row_version = ${row_version}::int returning dept_id`.execute(db)
  if (rows.length === 0) throw fail(evaluationErrors.stale)
}

async function requireMembers({ db, school_id }: EvaluationCtx, dept_id: string, on: string, user_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ user_id: string; user_name: string; is_member: boolean }>`
    select p.user_id::text as user_id, p.display_name as user_name, m.user_id is not null as is_member from person_label p
    left join (select distinct m.user_id from student_membership m where m.school_id = ${school_id} and m.dept_id = ${dept_id}
    and m.valid_from <= ${on}::date and (m.valid_to is null or m.valid_to > ${on}::date)) m on m.user_id = p.user_id
    where p.school_id = ${school_id} and p.user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  if (rows.length < new Set(user_ids).size) throw fail(commonErrors.notFound)
  const foreign = rows.find(row => !row.is_member)
  if (foreign) throw fail(evaluationErrors.committeeNotInClass, { params: { name: foreign.user_name } })
}

/** Class teachers and teachers of the class with their courses; teachers are those of the current term. @throws Refusal 404 */
export async function readTeachers(
  ctx: EvaluationCtx,
  { dept_id, on = schoolDay(ctx.now) }: Input<typeof committeeApi.teachers>,
): Promise<Reply<typeof committeeApi.teachers>> {
  const { db, school_id } = ctx
  await requireScopeDept(ctx, await deptScope(ctx, 'student'), dept_id)
  const heads = await sql<{ user_id: string; user_name: string }>`
    select y.user_id::text as user_id, coalesce(p.display_name, '') as user_name from duty_span y
      left join person_label p on p.school_id = ${school_id} and p.user_id = y.user_id
    where y.school_id = ${school_id} and y.dept_id = ${dept_id} and y.duty = 'head' and y.valid_from <= ${on}::date
    and (y.valid_to is null or y.valid_to > ${on}::date) order by y.user_id`.execute(db)
  const teachers = await sql<{ user_id: string; user_name: string; courses: string[] }>`
    select n.user_id::text as user_id, coalesce(max(p.display_name), '') as user_name, array_agg(distinct coalesce(w.name,
      n.subject)) as courses
    from teaching_now_v n
    left join person_label p on p.school_id = ${school_id} and p.user_id = n.user_id
    left join dictionary_v w on w.school_id = ${school_id} and w.sc_code_type = 'SUBJECT' and w.sc_code_item = n.subject
    where n.school_id = ${school_id} and n.dept_id = ${dept_id} group by n.user_id order by 2`.execute(db)
  return { heads: heads.rows, list: teachers.rows }
}

export async function listClasses(ctx: EvaluationCtx): Promise<Reply<typeof committeeApi.classes>> {
  const classes = await classesOf(ctx, await deptScope(ctx, 'student'))
  return { list: classes.map(({ dept_id, dept_name }) => ({ dept_id, dept_name })) }
}

/** Who left the school or the class holds no post of it any more (chapter 55 rule 47). */
export async function endPosts({ db, school_id, now }: Work, user_ids: readonly string[]): Promise<void> {
  const today = schoolDay(now)
  const { rows } = await sql<{ committee_id: string }>`
    select c.committee_id::text as committee_id from class_committee c
    left join (select m.user_id, m.dept_id from student_membership m where m.school_id = ${school_id}
    and m.user_id = any(${[...user_ids]}::bigint[]) and m.valid_from <= ${today}::date and (m.valid_to is null
    or m.valid_to > ${today}::date)) m
      on m.user_id = c.user_id and m.dept_id = c.dept_id
    where c.school_id = ${school_id} and c.user_id = any(${[...user_ids]}::bigint[]) and (c.valid_to is null
    or c.valid_to > ${today}::date) and m.user_id is null`.execute(db)
  if (rows.length === 0) return
  await db
    .updateTable('class_committee')
    .set({ valid_to: sql<string>`greatest(valid_from, ${today}::date)` })
    .where('school_id', '=', school_id)
    .where(
      'committee_id',
      'in',
      rows.map(row => row.committee_id),
    )
    .execute()
}
