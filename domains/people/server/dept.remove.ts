import { peopleErrors } from '@campus/people/contract'
import type { deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { Db, PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import { deptsById, versionsOf } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { lockTree } from './dept.lock.ts'
import { endFrom } from './dept.place.ts'
import { refuseFarDay } from './dept.rules.ts'
import { tellClosed } from './dept.told.ts'
import { dropRemarks } from './remark/remark.queries.ts'
import { holds, lasts, nextOwnChange } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'
import { refuseStaleDept } from './dept.update.ts'

type Removal = Reply<typeof deptEditApi.remove>
type Target = { dept: DeptFacts; versions: readonly Version[]; on: string }
/** Who and what is in a department beyond a day, and whether anything ever was. */
type Uses = { children: number; pupils: number; staff: number; later: number; duties: number; ever: boolean }

/**
 * Removes a department: one that never held anything vanishes, one with a past closes on the day. With `dry` only says what would be.
 * @throws Refusal 409 部门下还有人员或下级部门，不能删除 with `data.blocks` [{title, count}], 409 for the root and for one that is closed
 */
export async function removeDept(ctx: PeopleCtx, { school_id, id, row_version, dry = false, effective_on }: Input<typeof deptEditApi.remove>): Promise<Removal> {
  requireOwnSchool(ctx, school_id)
  const today = schoolDay(ctx.now)
  await requirePlace(ctx, id, today)
  if (effective_on !== undefined) refuseFarDay(effective_on, today)
  if (!dry) await lockTree(ctx.db, school_id, { whole: [id], alone: [] })
  const target = await readTarget(ctx, id, { effective_on, today })
  await refuseStaleDept(ctx, target.dept, row_version)
  const uses = await usesOf(ctx.db, school_id, id, target.on)
  const blocks = blocksOf(uses, nextOwnChange(target.versions, target.on) !== undefined)
  const outcome = uses.ever ? 'closed' : 'deleted'
  const name = target.versions.at(-1)?.dept_name ?? ''
  ctx.note({ target_kind: 'people.dept', target_id: id, target_name: name, before: { dept_name: name }, after: { outcome, dry, effective_on: target.on } })
  if (dry) return { outcome, dry, blocks }
  if (blocks.length > 0) throw fail(peopleErrors.deptNotEmpty, { data: { blocks } })
  if (outcome === 'deleted') await deleteDept(ctx.db, school_id, id)
  else await closeDept(ctx, target)
  await tellClosed(ctx, id, target.on)
  return { outcome, dry, blocks }
}

/** Removing changes the parent's children: both lie in the scope. */
async function requirePlace(ctx: PeopleCtx, id: string, today: string): Promise<void> {
  const see = seerOf(ctx)
  await requireDepts(ctx, see, [id])
  const parents = (await versionsOf(ctx.db, ctx.school_id, [id])).filter(version => lasts(version, today)).flatMap(version => version.parent_id ?? [])
  await requireDepts(ctx, see, parents)
}

async function readTarget({ db, school_id }: PeopleCtx, id: string, { effective_on, today }: { effective_on: string | undefined; today: string }): Promise<Target> {
  const dept = (await deptsById(db, school_id, [id])).get(id)
  if (!dept) throw fail(commonErrors.notFound)
  if (dept.closed_on !== null) throw fail(peopleErrors.deptClosed)
  const versions = await versionsOf(db, school_id, [id])
  if (versions.some(version => version.parent_id === null)) throw fail(peopleErrors.deptRoot)
  return { dept, versions, on: effective_on ?? (dept.opened_on > today ? dept.opened_on : today) }
}

async function usesOf(db: Db, school_id: number, id: string, on: string): Promise<Uses> {
  const beyond = sql`(valid_to is null or valid_to > ${on}::date)`
  const { rows } = await sql<Uses>`
    select
      (select count(distinct dept_id)::int from dept_version where school_id = ${school_id} and parent_id = ${id} and ${beyond}) as children,
      (select count(distinct user_id)::int from dept_member
        where school_id = ${school_id} and dept_id = ${id} and ${beyond} and valid_from <= ${on}::date and member_kind = 'student') as pupils,
      (select count(distinct user_id)::int from dept_member
        where school_id = ${school_id} and dept_id = ${id} and ${beyond} and valid_from <= ${on}::date and member_kind = 'staff') as staff,
      (select count(distinct user_id)::int from dept_member where school_id = ${school_id} and dept_id = ${id} and valid_from > ${on}::date) as later,
      (select count(*)::int from dept_duty where school_id = ${school_id} and dept_id = ${id} and ${beyond}) as duties,
      (exists (select from dept_version where school_id = ${school_id} and parent_id = ${id})
        or exists (select from dept_member where school_id = ${school_id} and dept_id = ${id})
        or exists (select from dept_duty where school_id = ${school_id} and dept_id = ${id})) as ever`.execute(db)
  const [uses] = rows
  if (!uses) throw new Error('a query of counts answered no row')
  return uses
}

function blocksOf({ children, pupils, staff, later, duties }: Uses, renamed_later: boolean): Removal['blocks'] {
  const found = [
    { title: '下级部门', count: children },
    { title: '学生', count: pupils },
    { title: '教职工', count: staff },
    { title: '未来生效的变更', count: later + (renamed_later ? 1 : 0) },
    { title: '负责人', count: duties },
  ]
  return found.filter(({ count }) => count > 0)
}

async function deleteDept(db: Db, school_id: number, id: string): Promise<void> {
  await dropRemarks(db, school_id, [id])
  await db.deleteFrom('dept_version').where('school_id', '=', school_id).where('dept_id', '=', id).execute()
  await db.deleteFrom('dept').where('school_id', '=', school_id).where('id', '=', id).execute()
}

/** @throws Refusal 422 for a day on which the department was not open yet */
async function closeDept({ db, school_id, me, now }: PeopleCtx, { dept, versions, on }: Target): Promise<void> {
  if (on <= dept.opened_on || !versions.some(version => holds(version, on))) throw fail(peopleErrors.deptNotOpen, { params: { day: on } })
  await endFrom(db, school_id, dept.id, on)
  await db
    .updateTable('dept')
    .set({ closed_on: on, row_version: dept.row_version + 1, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('id', '=', dept.id)
    .execute()
}
