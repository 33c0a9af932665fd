import { peopleErrors } from '@campus/people/contract'
import type { DeptPatch, deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { DeptDesk, PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import type { Seer } from './dept.access.ts'
import { refuseCodes } from './dept.add.ts'
import { leadersOn } from './dept.board.queries.ts'
import { accountName, deptsById, versionsOf } from './dept.edit.queries.ts'
import type { DeptFacts } from './dept.edit.queries.ts'
import { lockTree } from './dept.lock.ts'
import { replaceDept } from './dept.place.ts'
import type { Replaced } from './dept.place.ts'
import { leadingDuty, refuseFarDay } from './dept.rules.ts'
import { lasts } from './dept.timeline.ts'
import { tellDepts, tellDuties } from './dept.told.ts'
import { changeDuty, peopleOnDuty, requireStaff } from './duty.change.ts'
import { declareDuties } from './duty.declare.ts'
import { writeRemarks } from './remark/remark.service.ts'
import { lockPeople } from './student-file.queries.ts'

export type DeptChange = DeptPatch & { id: string }
type Side = Record<string, unknown>
/** A saved department with what the log says of it; nothing changed = both empty. */
export type SavedDept = { id: string; row_version: number; name: string; before: Side; after: Side }

/** Changes one department: undated facts at once, name, parent and leaders from a day on. Nothing changed = nothing written. */
export async function updateDept(ctx: PeopleCtx, { school_id, ...patch }: Input<typeof deptEditApi.update>): Promise<Reply<typeof deptEditApi.update>> {
  requireOwnSchool(ctx, school_id)
  const [saved] = await changeDepts(ctx, [patch])
  if (!saved) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'people.dept', target_id: saved.id, target_name: saved.name, before: saved.before, after: saved.after })
  return { id: saved.id, row_version: saved.row_version }
}

/** Changes departments one after the other, all or none. */
export async function changeDepts(ctx: DeptDesk, patches: readonly DeptChange[]): Promise<SavedDept[]> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const ids = patches.map(patch => patch.id)
  if (new Set(ids).size < ids.length) throw fail(commonErrors.invalid, { errors: [{ field: 'rows', msg: '同一部门不能重复出现' }] })
  const see = seerOf(ctx)
  await requireDepts(ctx, see, ids)
  await requireParents(ctx, see, patches.filter(patch => patch.parent_id !== undefined), today)
  for (const { effective_on = today } of patches) refuseFarDay(effective_on, today)
  await lockLeaders(ctx, patches, today)
  const placed = patches.filter(patch => patch.parent_id !== undefined || patch.dept_name !== undefined)
  await lockTree(db, school_id, { whole: placed.map(patch => patch.id), alone: [...ids, ...placed.flatMap(patch => patch.parent_id ?? [])] })
  await refuseCodes(ctx, patches.map(({ class_type }) => ({ field: 'class_type', type: 'CLASS_TYPE', code: class_type })))
  const saved: SavedDept[] = []
  for (const patch of patches) saved.push(await changeDept(ctx, patch, today))
  return saved
}

/** Who moves a department changes the children of two: both lie in his scope. */
async function requireParents(ctx: DeptDesk, see: Seer, moves: readonly DeptChange[], today: string): Promise<void> {
  if (moves.length === 0) return
  const versions = (await versionsOf(ctx.db, ctx.school_id, moves.map(move => move.id))).filter(version => lasts(version, today))
  const parents = moves.flatMap(({ id, parent_id }) => {
    const now = versions.flatMap(version => (version.dept_id === id && version.parent_id !== null ? [version.parent_id] : []))
    return parent_id === undefined || now.every(known => known === parent_id) && now.length > 0 ? [] : [parent_id, ...now]
  })
  await requireDepts(ctx, see, parents)
}

/** People before departments: whoever has a duty that changes, and whoever shall have it. */
async function lockLeaders({ db, school_id }: DeptDesk, patches: readonly DeptChange[], today: string): Promise<void> {
  const wishes = patches.filter(patch => patch.head_user_id !== undefined || patch.vice_user_ids !== undefined)
  if (wishes.length === 0) return
  const first = wishes.reduce((day, { effective_on = today }) => (effective_on < day ? effective_on : day), today)
  const wanted = wishes.flatMap(wantedLeaders)
  await lockPeople(db, school_id, [...(await peopleOnDuty(db, school_id, wishes.map(wish => wish.id), first)), ...wanted])
}

async function changeDept(ctx: DeptDesk, patch: DeptChange, today: string): Promise<SavedDept> {
  const { db, school_id, me, now } = ctx
  const dept = (await deptsById(db, school_id, [patch.id])).get(patch.id)
  if (!dept) throw fail(commonErrors.notFound)
  if (dept.closed_on !== null && dept.closed_on <= today) throw fail(peopleErrors.deptClosed)
  await refuseStaleDept(ctx, dept, patch.row_version)
  const on = patch.effective_on ?? (dept.opened_on > today ? dept.opened_on : today)
  const replaced = await replaceDept(ctx, dept, patch, on)
  const leaders = await changeLeaders(ctx, dept, patch, on)
  const remarks = await writeRemarks(ctx, dept, patch.remarks)
  const { before, after, set } = differences(dept, patch, replaced)
  if (Object.keys({ ...set, ...remarks.after }).length + leaders.touched === 0 && !replaced) return { id: dept.id, row_version: dept.row_version, name: '', before: {}, after: {} }
  const row_version = dept.row_version + 1
  await db.updateTable('dept').set({ ...set, row_version, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('id', '=', dept.id).execute()
  const name = replaced?.after.dept_name ?? (await nameNow(ctx, dept.id))
  await tellDepts(ctx, [dept.id], replaced ? on : today)
  return { id: dept.id, row_version, name, before: { ...before, ...leaders.before, ...remarks.before }, after: { ...after, ...leaders.after, ...remarks.after, effective_on: on } }
}

/**
 * Refuses an edit that was made from an older department (chapter 20 rule 2).
 * @throws Refusal 409 with `data.changed_by` {user_name, at} and `data.row_version` as it is now
 */
export async function refuseStaleDept({ db, school_id }: DeptDesk, dept: DeptFacts, row_version: number): Promise<void> {
  if (dept.row_version === row_version) return
  const user_name = (await accountName(db, school_id, dept.updated_by)) ?? '系统'
  throw fail(peopleErrors.staleRow, { data: { changed_by: { user_name, at: dept.updated_at.toISOString() }, row_version: dept.row_version } })
}

async function changeLeaders(ctx: DeptDesk, dept: DeptFacts, patch: DeptChange, on: string): Promise<{ before: Side; after: Side; touched: number }> {
  const { db, school_id } = ctx
  const { head_user_id: head, vice_user_ids: vices } = patch
  if (head === undefined && vices === undefined) return { before: {}, after: {}, touched: 0 }
  const before = await leaderNames(ctx, dept.id, on)
  await requireStaff(db, school_id, wantedLeaders(patch), on)
  const wish = { dept_id: dept.id, on, until: dept.closed_on }
  const touched = head === undefined ? [] : await changeDuty(db, school_id, { ...wish, duty: leadingDuty(dept.dept_type), user_ids: head === null ? [] : [head] })
  if (vices !== undefined) touched.push(...(await changeDuty(db, school_id, { ...wish, duty: 'vice_head', user_ids: vices })))
  await declareDuties(db, school_id, touched)
  await tellDuties(ctx, touched, on)
  return { before: { leaders: before }, after: { leaders: await leaderNames(ctx, dept.id, on) }, touched: touched.length }
}

/** What of the undated facts changes, in columns and for the log; a name or parent only in the log. */
function differences(dept: DeptFacts, patch: DeptChange, replaced: Replaced | undefined): { before: Side; after: Side; set: Side } {
  const said = { class_type: patch.class_type, capacity: patch.capacity, code: patch.code === '' ? null : patch.code, ...replaced?.facts }
  const known = new Map<string, unknown>(Object.entries(dept))
  const changed = Object.entries(said).filter(([column, value]) => value !== undefined && value !== known.get(column))
  const set = Object.fromEntries(changed)
  const place = (side: 'before' | 'after') => (replaced ? { dept_name: replaced[side].dept_name, path: replaced[side].pt_node_path_name } : {})
  const before = Object.fromEntries(changed.map(([column]) => [column, known.get(column)]))
  return { before: { ...before, ...place('before') }, after: { ...set, ...place('after') }, set }
}

async function leaderNames({ db, school_id }: DeptDesk, dept_id: string, on: string): Promise<string> {
  return (await leadersOn(db, school_id, [dept_id], on)).map(leader => leader.user_name).join('、')
}

async function nameNow({ db, school_id }: DeptDesk, dept_id: string): Promise<string> {
  return (await versionsOf(db, school_id, [dept_id])).at(-1)?.dept_name ?? ''
}

function wantedLeaders({ head_user_id, vice_user_ids = [] }: Pick<DeptPatch, 'head_user_id' | 'vice_user_ids'>): string[] {
  return [...(head_user_id ? [head_user_id] : []), ...vice_user_ids]
}
