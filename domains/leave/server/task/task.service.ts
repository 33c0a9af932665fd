import { LeaveTask } from '@campus/leave/contract'
import type { taskApi } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { readFile } from '../apply/file.ts'
import type { Db, LeaveCtx } from '../db.ts'

const instant = z.date().transform(at => at.toISOString())
const Shown = z.array(LeaveTask.extend({ begin_at: instant, end_at: instant, created_at: instant, due_at: instant, done_at: instant.nullable() }))

/** What somebody has to decide, the one that waits longest first; or what he has decided, the latest first. */
export async function listTasks(db: Db, { school_id, user_id, now }: { school_id: number; user_id: string; now: Date }, state: 'todo' | 'done', { limit, offset }: { limit: number; offset: number }): Promise<LeaveTask[]> {
  const { rows } = await sql`
    select t.task_id::text as task_id, t.leave_id::text as leave_id, a.leave_no, t.version::int as version, v.kind::int as version_kind, f.user_id::text as user_id, p.display_name as user_name, d.dept_name, a.members::int as members, a.person_kind::int as person_kind,
      a.leave_type, r.reason_name, a.reason, cardinality(a.attach_keys)::int as proofs, (v.spans->0->>'begin_at')::timestamptz as begin_at, (v.spans->0->>'end_at')::timestamptz as end_at, coalesce((v.spans->0->>'school_days')::float8, 0) as school_days, coalesce((v.spans->0->>'lessons')::int, 0) as lessons,
      coalesce(b.display_name, '') as apply_by_name, t.via::int as via, t.state::int as state, t.opinion, t.created_at, t.due_at, t.done_at, t.state = 0 and t.due_at < ${now}::timestamptz as is_late
    from leave_task t
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = t.leave_id
    join leave_version v on v.school_id = ${school_id} and v.leave_id = t.leave_id and v.version = t.version
    join leave_reason r on r.school_id = ${school_id} and r.reason_code = a.reason_code
    join lateral (select m.user_id, m.dept_id from leave_member m where m.school_id = ${school_id} and m.leave_id = t.leave_id order by m.user_id limit 1) f on true
    join person_label p on p.school_id = ${school_id} and p.user_id = f.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = f.dept_id
    left join person_label b on b.school_id = ${school_id} and b.user_id = a.apply_by
    where t.school_id = ${school_id} and t.assignee = ${user_id} and ${state === 'todo' ? sql`t.state = 0` : sql`t.state <> 0`}
    order by ${state === 'todo' ? sql`t.created_at, t.task_id` : sql`t.done_at desc, t.task_id desc`} limit ${limit} offset ${offset}`.execute(db)
  return Shown.parse(rows)
}

/** How many wait for somebody. */
export async function countTasks(db: Db, school_id: number, user_id: string, state: 'todo' | 'done' = 'todo'): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from leave_task t where t.school_id = ${school_id} and t.assignee = ${user_id} and ${state === 'todo' ? sql`t.state = 0` : sql`t.state <> 0`}`.execute(db)
  return rows[0]?.n ?? 0
}

/** 待我审批 and 我已审批. */
export async function pageTasks(ctx: LeaveCtx, { state = 'todo', page_index, page_size }: Input<typeof taskApi.page>): Promise<Reply<typeof taskApi.page>> {
  const { db, school_id, me, now } = ctx
  ctx.scoped()
  const list = await listTasks(db, { school_id, user_id: me.user_id, now }, state, { limit: page_size, offset: (page_index - 1) * page_size })
  return { list, total: await countTasks(db, school_id, me.user_id, state), todo: await countTasks(db, school_id, me.user_id) }
}

/** The leave behind a task of the caller. @throws Refusal 404 */
export async function readTask(ctx: LeaveCtx, { task_id }: Input<typeof taskApi.read>): Promise<Reply<typeof taskApi.read>> {
  const { db, school_id, me } = ctx
  ctx.scoped()
  const task = await db.selectFrom('leave_task').select('leave_id').where('school_id', '=', school_id).where('task_id', '=', task_id).where('assignee', '=', me.user_id).executeTakeFirst()
  if (!task) throw fail(commonErrors.notFound)
  return readFile(ctx, task.leave_id, true)
}
