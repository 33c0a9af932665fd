import type { CollectAudience } from '@campus/people/contract'
import { sql } from 'kysely'
import type { RawBuilder, Updateable } from 'kysely'
import { insertRows } from '../bulk.ts'
import { oneOf, validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { inScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import type { PeopleTables } from '../tables.gen.ts'

/** Whose answers the reader may see; `whose`: his own tasks are his whatever they ask. */
export type TaskKey = { school_id: number; scope: DeptScope; whose: string }
type Counts = { total: number; answered: number; waiting: number }

/** What counts as answered (chapter 20 rule 29). */
const is_answered = sql<boolean>`a.state in ('answered', 'confirmed_same', 'accepted')`
const counts = sql<number>`count(*) filter (where ${is_answered})::int`.as('answered')
const waiting = sql<number>`count(*) filter (where a.state = 'answered')::int`.as('waiting')

/** Tasks the reader gave, or which ask people he may see; the newest first. */
export async function pageTasks(db: Db, key: TaskKey, { page_index, page_size }: { page_index: number; page_size: number }) {
  const from = db.selectFrom('collect_task as t').where('t.school_id', '=', key.school_id).where(isSeen(key))
  const { total } = await from.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const list = await from.selectAll('t').orderBy('t.id', 'desc').limit(page_size).offset((page_index - 1) * page_size).execute()
  return { list, total: Number(total) }
}
export type TaskRecord = Awaited<ReturnType<typeof pageTasks>>['list'][number]

function isSeen({ school_id, scope, whose }: TaskKey) {
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(t.created_by = ${whose} or exists (
    select from collect_answer a where a.school_id = ${school_id} and a.task_id = t.id and ${inScope('a.dept_id', scope)}))`
}

/** One such task, locked when it will be written: first the lock, then whether it may be seen, since a lock asks nothing of other tables. */
export async function findTask(db: Db, key: TaskKey, id: string, { locked }: { locked: boolean }): Promise<TaskRecord | undefined> {
  const { school_id } = key
  if (locked) await db.selectFrom('collect_task').select('id').where('school_id', '=', school_id).where('id', '=', id).forUpdate().execute()
  return db.selectFrom('collect_task as t').selectAll('t').where('t.school_id', '=', school_id).where('t.id', '=', id).where(isSeen(key)).executeTakeFirst()
}

/** How far these tasks have come, by task. */
export async function countAnswers(db: Db, { school_id, scope }: TaskKey, task_ids: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db
    .selectFrom('collect_answer as a')
    .select(['a.task_id', sql<number>`count(*)::int`.as('total'), counts, waiting])
    .where('a.school_id', '=', school_id)
    .where(oneOf('a.task_id', task_ids))
    .where(inScope('a.dept_id', scope))
    .groupBy('a.task_id')
    .execute()
  return new Map(rows.map(({ task_id, ...count }) => [task_id, count]))
}

/** The same by the class everybody was in when he was asked. */
export function countByClass(db: Db, { school_id, scope }: TaskKey, task_id: string) {
  return db
    .selectFrom('collect_answer as a')
    .select(['a.dept_id', sql<number>`count(*)::int`.as('total'), counts, waiting])
    .where('a.school_id', '=', school_id)
    .where('a.task_id', '=', task_id)
    .where(inScope('a.dept_id', scope))
    .groupBy('a.dept_id')
    .orderBy('a.dept_id')
    .execute()
}

/** Writes a new task. @returns its id */
export async function insertTask(db: Db, row: { school_id: number; title: string; field_scene: number; field_codes: string[]; audience: string; close_at: Date; review_mode: string; created_by: string; created_at: Date }): Promise<string> {
  const { id } = await db.insertInto('collect_task').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Changes a task; every change is a new version. */
export async function writeTask(db: Db, school_id: number, id: string, change: Updateable<PeopleTables['collect_task']>): Promise<void> {
  await db.updateTable('collect_task').set({ ...change, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

/** How many of these departments there are in school and scope. */
export async function knownDepts(db: Db, { school_id, scope }: TaskKey, ids: readonly string[]): Promise<number> {
  const { count } = await db.selectFrom('dept').select(eb => eb.fn.countAll<string>().as('count')).where('school_id', '=', school_id).where(oneOf('id', ids)).where(inScope('id', scope)).executeTakeFirstOrThrow()
  return Number(count)
}

type TaskAsk = Pick<TaskRecord, 'id' | 'field_scene'>
const pupils = 1

/** How many of these people are pupils, or staff, in school and scope. */
export async function knownPeople(db: Db, key: TaskKey, scene: { field_scene: number; today: string }, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (${whoever(key, { ...scene, below: sql`false` })}) s where ${oneOf('s.user_id', ids)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Everybody of a scene inside the scope, with the department his answers count for; \`below\`: whether one of his departments is asked as a whole. */
function whoever({ school_id, scope }: TaskKey, { field_scene, today, below }: { field_scene: number; today: string; below: RawBuilder<boolean> }): RawBuilder<unknown> {
  if (field_scene === pupils) return sql`select m.user_id, m.dept_id, ${below} as is_below from live_student m where m.school_id = ${school_id} and ${inScope('m.dept_id', scope)}`
  return sql`
    select s.user_id, s.primary_dept_id as dept_id, bool_or(${below}) as is_below
    from live_staff s join dept_member m on m.school_id = s.school_id and m.user_id = s.user_id and m.member_kind = 'staff'
    where s.school_id = ${school_id} and m.school_id = ${school_id} and ${validOn('m', today)} and ${inScope('m.dept_id', scope)}
    group by s.user_id, s.primary_dept_id`
}

/** Asks everybody of the audience whom the task has not asked yet. @returns how many */
export async function askAudience(db: Db, key: TaskKey, task: TaskAsk & { audience: CollectAudience }, { today, now }: { today: string; now: Date }): Promise<number> {
  const { school_id } = key
  const { id: task_id, field_scene, audience } = task
  const below = sql<boolean>`m.dept_id in (
    select v.dept_id from dept_version v join dept_version r on r.school_id = v.school_id and v.node_path >= r.node_path and v.node_path < left(r.node_path, -1) || '0'
    where v.school_id = ${school_id} and r.school_id = ${school_id} and ${oneOf('r.dept_id', audience.dept_ids)} and ${validOn('v', today)} and ${validOn('r', today)})`
  const { rows } = await sql<{ user_id: string; dept_id: string | null }>`
    select s.user_id, s.dept_id from (${whoever(key, { field_scene, today, below })}) s
    where (s.is_below or ${oneOf('s.user_id', audience.user_ids)})
      and not exists (select from collect_answer a where a.school_id = ${school_id} and a.task_id = ${task_id} and a.user_id = s.user_id)
    order by s.user_id`.execute(db)
  await insertRows(db, 'collect_answer', rows.map(({ user_id, dept_id }) => ({ school_id, task_id, user_id, dept_id, at: now })))
  return rows.length
}

/** Who is to be told of what has not been answered: the guardians of a pupil, each with the child it is about, or the member of staff himself. */
export async function unanswered(db: Db, { school_id, scope }: TaskKey, { id: task_id, field_scene }: TaskAsk, { today, dept_ids }: { today: string; dept_ids: readonly string[] | undefined }): Promise<{ user_id: string; subject_user_id: string }[]> {
  const open = sql`a.school_id = ${school_id} and a.task_id = ${task_id} and a.state in ('unseen', 'seen', 'refused') and ${inScope('a.dept_id', scope)}
    and ${dept_ids === undefined ? sql`true` : oneOf('a.dept_id', dept_ids)}`
  const families = sql<{ user_id: string; subject_user_id: string }>`
    select g.parent_user_id as user_id, a.user_id as subject_user_id
    from collect_answer a
    join guardian_link g on g.school_id = a.school_id and g.student_user_id = a.user_id and g.is_guardian and ${validOn('g', today)}
    join person p on p.school_id = g.school_id and p.user_id = g.parent_user_id and p.status = 'live'
    where g.school_id = ${school_id} and p.school_id = ${school_id} and ${open}
    order by a.user_id, g.parent_user_id`
  const staff = sql<{ user_id: string; subject_user_id: string }>`
    select a.user_id, a.user_id as subject_user_id from collect_answer a join live_staff s on s.school_id = a.school_id and s.user_id = a.user_id
    where s.school_id = ${school_id} and ${open} order by a.user_id`
  return (await (field_scene === pupils ? families : staff).execute(db)).rows
}
