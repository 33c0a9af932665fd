import { peopleErrors } from '@campus/people/contract'
import type { deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from './day.ts'
import type { Db, PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import { versionsOf } from './dept.edit.queries.ts'
import { lockParent } from './dept.lock.ts'
import { holds, lasts } from './dept.timeline.ts'
import { tellDepts } from './dept.told.ts'

/**
 * Moves a department to another place among its siblings, `index` counted from 1, and numbers them all anew. Under a lock of the parent,
 * so that any number of calls at once leave a permutation (chapter 20 rule 11). The order is how a tree is shown, not what it was: it is
 * written into the versions that are and will be, and opens none.
 */
export async function reorderDept(ctx: PeopleCtx, { school_id, id, index }: Input<typeof deptEditApi.reorder>): Promise<Reply<typeof deptEditApi.reorder>> {
  requireOwnSchool(ctx, school_id)
  const { db } = ctx
  const today = schoolDay(ctx.now)
  const see = seerOf(ctx)
  const dept = (await requireDepts(ctx, see, [id])).get(id)
  const { parent_id, dept_name } = await placeOf(db, school_id, id, today)
  await requireDepts(ctx, see, [parent_id])
  await lockParent(db, school_id, parent_id)
  const siblings = (await siblingsOf(db, school_id, { parent_id, tree: dept?.tree ?? '', today })).map(sibling => sibling.id)
  const from = siblings.indexOf(id)
  if (from < 0) throw fail(commonErrors.notFound)
  const others = siblings.toSpliced(from, 1)
  const order = others.toSpliced(index - 1, 0, id)
  await sql`
    update dept_version set show_order = array_position(${order}::bigint[], dept_id)
    where school_id = ${school_id} and parent_id = ${parent_id} and dept_id = any(${order}::bigint[])
      and (valid_to is null or valid_to > ${today}::date)`.execute(db)
  await tellDepts(ctx, [id], today)
  ctx.note({ target_kind: 'people.dept', target_id: id, target_name: dept_name, before: { place: from + 1 }, after: { place: order.indexOf(id) + 1 } })
  return { list: order.map((sibling, at) => ({ id: sibling, show_order: at + 1 })) }
}

/** Where the department stands today, or will first. @throws Refusal 409 for the root and for one that is closed */
async function placeOf(db: Db, school_id: number, id: string, today: string): Promise<{ parent_id: string; dept_name: string }> {
  const versions = await versionsOf(db, school_id, [id])
  const version = versions.find(one => holds(one, today)) ?? versions.find(one => lasts(one, today))
  if (!version) throw fail(peopleErrors.deptClosed)
  if (version.parent_id === null) throw fail(peopleErrors.deptRoot)
  return { parent_id: version.parent_id, dept_name: version.dept_name }
}

/** Departments of one tree that stand or will stand below the parent, in the order they are shown. */
function siblingsOf(db: Db, school_id: number, { parent_id, tree, today }: { parent_id: string; tree: string; today: string }) {
  return db
    .selectFrom('dept_version as v')
    .innerJoin('dept as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.id', '=', 'v.dept_id'))
    .select(['v.dept_id as id', sql<number>`min(v.show_order)`.as('place')])
    .where('v.school_id', '=', school_id)
    .where('d.school_id', '=', school_id)
    .where('v.parent_id', '=', parent_id)
    .where('d.tree', '=', tree)
    .where(eb => eb.or([eb('v.valid_to', 'is', null), eb('v.valid_to', '>', today)]))
    .groupBy('v.dept_id')
    .orderBy('place')
    .orderBy('v.dept_id')
    .execute()
}
