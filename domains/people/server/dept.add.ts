import type { DeptDraft, deptEditApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { chunks, insertRows } from './bulk.ts'
import { schoolDay } from './day.ts'
import type { DeptDesk, PeopleCtx } from './db.ts'
import { requireDepts, requireOwnSchool, seerOf } from './dept.access.ts'
import { knownCodes, lastOrder, namesOf, openCount, versionsOf } from './dept.edit.queries.ts'
import { lockTree } from './dept.lock.ts'
import { placesFrom, planDept } from './dept.plan.ts'
import type { Parent, PlannedDept } from './dept.plan.ts'
import { leadingDuty, refuseCount, refuseDepth, refuseFarDay } from './dept.rules.ts'
import { openVersions } from './dept.timeline.ts'
import type { Version } from './dept.timeline.ts'
import { tellDepts, tellDuties } from './dept.told.ts'
import { changeDuty, requireStaff } from './duty.change.ts'
import { declareDuties } from './duty.declare.ts'
import { writeRemarks } from './remark/remark.service.ts'
import { lockPeople } from './student-file.queries.ts'

/** A draft with its parent, and where its fields stand in the request. */
export type NewRow = { draft: DeptDraft; parent_id: string; field: string }
type Made = { id: string; row: NewRow; plan: PlannedDept; on: string; versions: Version[] }

/** Opens one department below the one of the path. */
export async function addDept(ctx: PeopleCtx, { school_id, parent_id, ...draft }: Input<typeof deptEditApi.add>): Promise<Reply<typeof deptEditApi.add>> {
  requireOwnSchool(ctx, school_id)
  const [made] = await openDepts(ctx, [{ draft, parent_id, field: '' }])
  if (!made) throw new Error('no department was made')
  const { id, plan, on, versions } = made
  const names = await namesOf(ctx.db, ctx.school_id, leadersOf(draft))
  const after = { dept_name: plan.dept_name, path: versions[0]?.pt_node_path_name, effective_on: on, leaders: [...names.values()].join('、') }
  ctx.note({ target_kind: 'people.dept', target_id: id, target_name: plan.dept_name, after })
  return { id, row_version: 1 }
}

/** Opens departments below existing ones, all or none. Scope, locks, rules and duties are those of a single one. */
export async function openDepts(ctx: DeptDesk, rows: readonly NewRow[]): Promise<Made[]> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const parent_ids = [...new Set(rows.map(row => row.parent_id))]
  await requireDepts(ctx, seerOf(ctx), parent_ids)
  for (const { draft } of rows) refuseFarDay(draft.effective_on ?? today, today)
  await lockPeople(db, school_id, rows.flatMap(({ draft }) => leadersOf(draft)))
  for (const { draft } of rows) await requireStaff(db, school_id, leadersOf(draft), draft.effective_on ?? today)
  await lockTree(db, school_id, { whole: [], alone: parent_ids })
  const parents = await readParents(ctx, parent_ids)
  refuseCount((await openCount(db, school_id, today)) + rows.length)
  await refuseUnknownCodes(ctx, rows)
  const planned = rows.map(row => {
    const on = row.draft.effective_on ?? today
    return { row, on, plan: planDept(row.draft, parentOf(parents, row), on, row.field) }
  })
  const ids = await insertDepts(ctx, planned)
  const orders = await ordersOf(ctx, planned)
  const made = planned.map((one, at) => ({ ...one, id: ids[at] ?? '', versions: versionsFor(one, ids[at] ?? '', parentOf(parents, one.row), orders[at] ?? 1) }))
  refuseDepth(made.flatMap(({ versions }) => versions))
  await insertRows(db, 'dept_version', made.flatMap(({ versions }) => versions.map(version => ({ school_id, ...version }))))
  await giveDuties(ctx, made)
  for (const { id, row, plan } of made) await writeRemarks(ctx, { id, dept_type: plan.dept_type }, row.draft.remarks, row.field)
  return made
}

/** Departments that something shall stand under, with their whole history. */
export async function readParents(ctx: DeptDesk, ids: readonly string[]): Promise<ReadonlyMap<string, Parent>> {
  const facts = await requireDepts(ctx, async () => true, ids)
  const versions = Map.groupBy(await versionsOf(ctx.db, ctx.school_id, ids), version => version.dept_id)
  return new Map([...facts].map(([id, dept]) => [id, { ...dept, versions: versions.get(id) ?? [] }]))
}

function parentOf(parents: ReadonlyMap<string, Parent>, { parent_id }: NewRow): Parent {
  const parent = parents.get(parent_id)
  if (!parent) throw fail(commonErrors.notFound)
  return parent
}

/** @throws Refusal 422 for a stage or kind of class that no dictionary holds */
async function refuseUnknownCodes(ctx: DeptDesk, rows: readonly NewRow[]): Promise<void> {
  const said = rows.flatMap(({ draft, field }) => [
    { field: `${field}stage`, type: 'STAGE', code: draft.stage },
    { field: `${field}class_type`, type: 'CLASS_TYPE', code: draft.class_type },
  ])
  await refuseCodes(ctx, said)
}

/** @throws Refusal 422 beside every field whose code its dictionary does not hold */
export async function refuseCodes({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, said: readonly { field: string; type: string; code: string | null | undefined }[]): Promise<void> {
  const given = said.filter(({ code }) => code !== null && code !== undefined)
  if (given.length === 0) return
  const known = await knownCodes(db, school_id, [...new Set(given.map(({ type }) => type))])
  const errors = given.filter(({ type, code }) => !known.has(`${type} ${code}`)).map(({ field }) => ({ field, msg: '字典值不存在' }))
  if (errors.length > 0) throw fail(commonErrors.invalid, { errors })
}

async function insertDepts({ db, school_id, me }: DeptDesk, planned: readonly Pick<Made, 'plan' | 'on'>[]): Promise<string[]> {
  const ids: string[] = []
  for (const part of chunks(planned)) {
    const values = part.map(({ plan: { dept_name: _name, grade: _grade, ...facts }, on }) => ({ school_id, ...facts, opened_on: on, created_by: me.user_id, updated_by: me.user_id }))
    const made = await db.insertInto('dept').values(values).returning('id').execute()
    ids.push(...made.map(({ id }) => id))
  }
  return ids
}

/** Every new department comes after the last of its siblings. */
async function ordersOf({ db, school_id }: DeptDesk, planned: readonly Pick<Made, 'plan' | 'on' | 'row'>[]): Promise<number[]> {
  const last = new Map<string, number>()
  const orders: number[] = []
  for (const { row: { parent_id }, plan: { tree }, on } of planned) {
    const key = `${parent_id} ${tree}`
    const order = (last.get(key) ?? (await lastOrder(db, school_id, parent_id, tree, on))) + 1
    last.set(key, order)
    orders.push(order)
  }
  return orders
}

function versionsFor({ row, plan, on }: Pick<Made, 'row' | 'plan' | 'on'>, id: string, parent: Parent, show_order: number): Version[] {
  const { dept_name, grade } = plan
  return openVersions(id, { parent_id: row.parent_id, dept_name, grade, show_order }, placesFrom(parent, on), on)
}

async function giveDuties(ctx: DeptDesk, made: readonly Made[]): Promise<void> {
  const { db, school_id } = ctx
  const touched: string[] = []
  for (const { id, row: { draft }, plan, on } of made) {
    const wish = { dept_id: id, on }
    const before = touched.length
    if (draft.head_user_id) touched.push(...(await changeDuty(db, school_id, { ...wish, duty: leadingDuty(plan.dept_type), user_ids: [draft.head_user_id] })))
    if (draft.vice_user_ids?.length) touched.push(...(await changeDuty(db, school_id, { ...wish, duty: 'vice_head', user_ids: draft.vice_user_ids })))
    await tellDuties(ctx, touched.slice(before), on)
    await tellDepts(ctx, [id], on)
  }
  await declareDuties(db, school_id, touched)
}

function leadersOf({ head_user_id, vice_user_ids = [] }: Pick<DeptDraft, 'head_user_id' | 'vice_user_ids'>): string[] {
  return [...(head_user_id ? [head_user_id] : []), ...vice_user_ids]
}
