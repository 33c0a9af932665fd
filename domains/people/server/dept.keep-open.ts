import { peopleErrors } from '@campus/people/contract'
import type { deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertRows } from './bulk.ts'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import { readParents } from './dept.add.ts'
import { deptsById, versionsOf } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { lockTree } from './dept.lock.ts'
import { placesFrom } from './dept.plan.ts'
import { openVersions } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'
import { refuseStaleDept } from './dept.update.ts'

/**
 * Takes the planned end of a department back: it goes on as it is, below its parent wherever that will be. What was ended before the closing could
 * be planned (people, heads, departments below) stays ended.
 * @throws Refusal 409 when no end is planned, its day has come, the parent ends, or the name belongs to another department by then
 */
export async function keepDeptOpen(ctx: PeopleCtx, { school_id, id, row_version }: Input<typeof deptEditApi.keepOpen>): Promise<Reply<typeof deptEditApi.keepOpen>> {
  requireOwnSchool(ctx, school_id)
  const { db } = ctx
  const see = seerOf(ctx)
  await requireDepts(ctx, see, [id])
  const parent_id = (await versionsOf(db, school_id, [id])).at(-1)?.parent_id ?? null
  // Like removing it, this changes the parent's children: both lie in the scope.
  if (parent_id !== null) await requireDepts(ctx, see, [parent_id])
  await lockTree(db, school_id, { whole: [id], alone: [] })
  const dept = (await deptsById(db, school_id, [id])).get(id)
  const last = (await versionsOf(db, school_id, [id])).at(-1)
  if (!dept || !last) throw fail(commonErrors.notFound)
  await refuseStaleDept(ctx, dept, row_version)
  const day = plannedEnd(dept, schoolDay(ctx.now))
  await goOn(ctx, last, day)
  await db.updateTable('dept').set({ closed_on: null, row_version: row_version + 1, updated_at: ctx.now, updated_by: ctx.me.user_id }).where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'people.dept', target_id: id, target_name: last.dept_name, before: { closed_on: day }, after: { closed_on: null } })
  return { id, row_version: row_version + 1 }
}

function plannedEnd({ closed_on }: DeptFacts, today: string): string {
  if (closed_on === null) throw fail(peopleErrors.deptNotClosing)
  if (closed_on <= today) throw fail(peopleErrors.deptClosed)
  return closed_on
}

/** Writes the department from the day on which it would have ended: its last version lasts longer, or another path begins there. */
async function goOn(ctx: PeopleCtx, last: Version, day: string): Promise<void> {
  const { db, school_id } = ctx
  const parent = last.parent_id === null ? undefined : (await readParents(ctx, [last.parent_id])).get(last.parent_id)
  if (!parent || parent.closed_on !== null) throw fail(peopleErrors.deptAboveCloses)
  const [first, ...rest] = openVersions(last.dept_id, last, placesFrom(parent, day), day)
  const goes_on = first?.pt_node_path_name === last.pt_node_path_name && first.node_path === last.node_path
  if (goes_on) {
    await db.updateTable('dept_version').set({ valid_to: first.valid_to }).where('school_id', '=', school_id).where('dept_id', '=', last.dept_id).where('valid_from', '=', last.valid_from).execute()
  }
  const rows = goes_on ? rest : [...(first ? [first] : []), ...rest]
  await insertRows(db, 'dept_version', rows.map(row => ({ school_id, ...row })))
}
