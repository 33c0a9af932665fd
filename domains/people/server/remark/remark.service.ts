import { most_remarks, peopleErrors, RemarkField } from '@campus/people/contract'
import type { remarkApi, RemarkLine, RemarkValues } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, PeopleCtx } from '../db.ts'
import { putRemark, readRemarkFields, remarksOf, remarkUses } from './remark.queries.ts'
import type { RemarkRecord } from './remark.queries.ts'

type Uses = Awaited<ReturnType<typeof remarkUses>>

/** The remark fields of the school, archived ones last. */
export async function listRemarks({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>): Promise<Reply<typeof remarkApi.config>> {
  const fields = await readRemarkFields(db, school_id)
  const uses = Map.groupBy(await remarkUses(db, school_id), use => use.field_id)
  return { list: fields.map(field => RemarkField.parse({ ...field, used: (uses.get(field.id) ?? []).reduce((sum, use) => sum + use.depts, 0) })) }
}

/**
 * Puts the remark fields as the list says, in its order. A field that is used stands in it, archived or not; an unused one may be left out and is gone.
 * @throws Refusal 404 an unknown id, 409 remarkListStale, remarkUsed, remarkOptionUsed, a taken name, 422 more than ten live ones
 */
export async function saveRemarks(ctx: PeopleCtx, { list }: Input<typeof remarkApi.save>): Promise<Reply<typeof remarkApi.save>> {
  const { db, school_id } = ctx
  await lockRemarks(db, school_id)
  const known = await readRemarkFields(db, school_id)
  const uses = await remarkUses(db, school_id)
  for (const line of list) refuseLine(line, known, uses)
  refuseNames(list)
  if (list.filter(line => !line.archived).length > most_remarks) throw fail(peopleErrors.remarkTooMany)
  const kept = new Set(list.flatMap(line => line.id ?? []))
  for (const field of known.filter(one => !kept.has(one.id))) await removeField(db, school_id, field, uses)
  await freeLabels(db, school_id, list, known)
  for (const [at, line] of list.entries()) await putLine(db, { school_id, order_no: at + 1 }, line)
  ctx.note({ target_kind: 'people.remark', target_name: '部门备注', before: told(known), after: told(list) })
  return listRemarks(ctx)
}

/** One writer of a school's remark fields at a time. */
async function lockRemarks(db: Db, school_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('people.remark', ${school_id}))`.execute(db)
}

function refuseLine(line: RemarkLine, known: readonly RemarkRecord[], uses: Uses): void {
  if (line.id === undefined) return
  const field = known.find(one => one.id === line.id)
  if (!field) throw fail(commonErrors.notFound)
  if (field.row_version !== line.row_version) throw fail(peopleErrors.remarkListStale)
  const lost = uses.find(use => use.field_id === line.id && !line.options.includes(use.value))
  if (lost) throw fail(peopleErrors.remarkOptionUsed, { params: { value: lost.value, n: lost.depts } })
}

function refuseNames(list: readonly RemarkLine[]): void {
  const labels = list.map(line => line.label)
  if (new Set(labels).size < labels.length) throw fail(peopleErrors.remarkLabelTaken, { errors: [{ field: 'label', msg: peopleErrors.remarkLabelTaken.msg }] })
}

async function removeField(db: Db, school_id: number, field: RemarkRecord, uses: Uses): Promise<void> {
  if (uses.some(use => use.field_id === field.id)) throw fail(peopleErrors.remarkUsed, { params: { label: field.label } })
  await db.deleteFrom('dept_remark_field').where('school_id', '=', school_id).where('id', '=', field.id).execute()
}

/** Two fields may change names with each other: those that change give theirs up first. */
async function freeLabels(db: Db, school_id: number, list: readonly RemarkLine[], known: readonly RemarkRecord[]): Promise<void> {
  const renamed = list.filter(line => known.some(field => field.id === line.id && field.label !== line.label))
  for (const { id } of renamed) await db.updateTable('dept_remark_field').set({ label: `#${id}` }).where('school_id', '=', school_id).where('id', '=', id ?? '').execute()
}

async function putLine(db: Db, { school_id, order_no }: { school_id: number; order_no: number }, line: RemarkLine): Promise<void> {
  const { id, row_version: _, ...look } = line
  if (id === undefined) {
    await db.insertInto('dept_remark_field').values({ school_id, order_no, ...look }).execute()
    return
  }
  await db.updateTable('dept_remark_field').set({ ...look, order_no, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

function told(list: readonly { label: string; archived: boolean }[]): Record<string, unknown> {
  return { fields: list.map(field => (field.archived ? `${field.label}（停用）` : field.label)).join('、') }
}

/** What a department said before and says after, by name of the field; both empty when nothing changed. */
export type RemarkChange = { before: Record<string, string | null>; after: Record<string, string | null> }

/**
 * Writes what is said of a department over what stands there.
 * @param field what the fields of a refusal begin with, e.g. `rows.3.`
 * @throws Refusal 400 beside a field that is unknown, archived, of other kinds of departments, or whose options do not hold the value
 */
export async function writeRemarks({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, dept: { id: string; dept_type: number }, said: RemarkValues | undefined, field = ''): Promise<RemarkChange> {
  const change: RemarkChange = { before: {}, after: {} }
  if (said === undefined || Object.keys(said).length === 0) return change
  const fields = new Map((await readRemarkFields(db, school_id)).map(one => [one.id, one]))
  const now = new Map((await remarksOf(db, school_id, [dept.id])).map(row => [row.field_id, row.value]))
  for (const [field_id, value] of Object.entries(said)) {
    const before = now.get(field_id) ?? null
    const known = fields.get(field_id)
    if (before === value && known) continue
    if (!known || (value !== null && !takes(known, dept.dept_type, value))) throw fail(commonErrors.invalid, { errors: [{ field: `${field}remarks.${field_id}`, msg: known ? '请选择列表中的选项' : '备注项不存在，请刷新后重试' }] })
    await putRemark(db, { school_id, dept_id: dept.id, field_id }, value)
    change.before[known.label] = before
    change.after[known.label] = value
  }
  return change
}

function takes({ archived, applies_to, options }: RemarkRecord, dept_type: number, value: string): boolean {
  return !archived && applies_to.includes(dept_type) && options.includes(value)
}
