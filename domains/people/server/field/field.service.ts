import { CustomField, facetOf, field_scenes, most_custom, peopleErrors } from '@campus/people/contract'
import type { FieldFacet, FieldLine, fieldApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, PeopleCtx } from '../db.ts'
import { dictsOf, refuseDicts, withOptions } from './dict.ts'
import { groupOf, refuseGroups } from './edit-by.ts'
import { takenLabels } from './editable.ts'
import { readFieldDefs, usedCodes } from './field.queries.ts'
import type { FieldRecord } from './field.queries.ts'
import { resealValues } from './reseal.ts'
import { isKeptSealed } from './sealed-value.ts'

const titles = { student: '学生自定义字段', staff: '教职工自定义字段' } as const

/** @throws Refusal 422 fieldScene for a scene whose fields are not set here */
export async function listFields(ctx: PeopleCtx, { field_scene }: Input<typeof fieldApi.list>): Promise<Reply<typeof fieldApi.list>> {
  const facet = facetNamed(field_scene)
  const used = await usedCodes(ctx.db, ctx.school_id, facet)
  const fields = await readFieldDefs(ctx.db, ctx.school_id, facet)
  const may = await groupOf(ctx, fields)
  const dicts = await dictsOf(ctx.db, ctx.school_id, fields)
  return { list: fields.map(field => CustomField.parse({ ...withOptions(field, dicts), used: used.has(field.field_code), may_edit: may(field) })) }
}

/**
 * Puts the custom fields of a scene as the list says, in its order. Every field that exists stands in it: fields go by `archived`, never by absence.
 * @throws Refusal 422 fieldScene, 404 an unknown id or role group, 409 fieldListStale, fieldCodeFixed, fieldTypeUsed, a taken code or name, 422 more than sixty live ones
 */
export async function saveFields(ctx: PeopleCtx, { field_scene, list }: Input<typeof fieldApi.save>): Promise<Reply<typeof fieldApi.save>> {
  const { db, school_id } = ctx
  const facet = facetNamed(field_scene)
  await lockScene(db, school_id)
  const known = await readFieldDefs(db, school_id, facet)
  const used = await usedCodes(db, school_id, facet)
  const ids = new Set(list.flatMap(line => line.id ?? []))
  for (const line of list) refuseLine(line, known, used)
  if (known.some(field => !ids.has(field.id))) throw fail(peopleErrors.fieldListStale)
  refuseNames(list, facet)
  if (list.filter(line => !line.archived).length > most_custom) throw fail(peopleErrors.fieldTooMany)
  await refuseDicts(db, school_id, list)
  await refuseGroups(db, school_id, list, known)
  for (const [at, line] of list.entries()) await putLine(db, { school_id, facet, order_no: at + 1 }, line)
  for (const line of list) if (turns(line, known)) await resealValues(ctx, facet, line)
  ctx.note({ target_kind: 'people.field', target_name: titles[facet], before: told(known), after: told(list) })
  return listFields(ctx, { field_scene })
}

/** Whose file the fields stand in. @throws Refusal 422 fieldScene */
function facetNamed(field_scene: number): FieldFacet {
  const facet = facetOf(field_scene)
  if (facet === null) throw fail(peopleErrors.fieldScene)
  return facet
}

/** One writer of a school's fields at a time, so that two lists never mix. */
async function lockScene(db: Db, school_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('people.field', ${school_id}))`.execute(db)
}

/** Whether the values of a field that exists are kept another way from now on. */
function turns(line: FieldLine, known: readonly FieldRecord[]): boolean {
  const field = known.find(one => one.id === line.id)
  return field !== undefined && isKeptSealed(field) !== isKeptSealed(line)
}

function refuseLine(line: FieldLine, known: readonly FieldRecord[], used: ReadonlySet<string>): void {
  if (line.id === undefined) return
  const field = known.find(one => one.id === line.id)
  if (!field) throw fail(commonErrors.notFound)
  if (field.row_version !== line.row_version) throw fail(peopleErrors.fieldListStale)
  if (field.field_code !== line.field_code) throw fail(peopleErrors.fieldCodeFixed)
  if ((field.type !== line.type || field.dict_code !== line.dict_code) && used.has(field.field_code)) throw fail(peopleErrors.fieldTypeUsed, { params: { label: field.label } })
}

/** A name stands once among the live fields of a facet, built-in ones and columns of its sheet included. */
function refuseNames(list: readonly FieldLine[], facet: FieldFacet): void {
  const taken = takenLabels(facet)
  const codes = new Set<string>()
  for (const { label, field_code, archived } of list) {
    if (codes.has(field_code)) throw fail(peopleErrors.fieldCodeTaken, { errors: [{ field: 'field_code', msg: peopleErrors.fieldCodeTaken.msg }] })
    codes.add(field_code)
    if (archived) continue
    if (taken.has(label)) throw fail(peopleErrors.fieldLabelTaken, { errors: [{ field: 'label', msg: peopleErrors.fieldLabelTaken.msg }] })
    taken.add(label)
  }
}

type Place = { school_id: number; facet: FieldFacet; order_no: number }

async function putLine(db: Db, { school_id, facet, order_no }: Place, line: FieldLine): Promise<void> {
  const { id, row_version: _, field_code, ...look } = line
  if (id === undefined) {
    await db.insertInto('field_def').values({ school_id, field_scene: field_scenes[facet], field_code, order_no, ...look }).execute()
    return
  }
  await db.updateTable('field_def').set({ ...look, order_no, row_version: sql`row_version + 1` }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

function told(list: readonly { label: string; archived: boolean }[]): Record<string, unknown> {
  return { fields: list.map(field => (field.archived ? `${field.label}（停用）` : field.label)).join('、') }
}
