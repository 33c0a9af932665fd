import { ColumnLine, facetOf, parent_export_fields, peopleErrors, staff_export_fields, student_export_fields } from '@campus/people/contract'
import type { exportColumnApi, FieldFacet, rollColumnApi } from '@campus/people/contract'
import { dropPref, findPref, savePref, school_default } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { z } from 'zod'
import type { PeopleCtx } from '../db.ts'
import { liveFields } from '../field/ext.ts'

type Scene = Input<typeof rollColumnApi.read>
type ExportList = Input<typeof exportColumnApi.remember>['list']

const Saved = z.array(ColumnLine)
/** Where the console keeps the columns of the lists (platform chapter, user_pref). */
const homes: Readonly<Record<FieldFacet, string>> = { student: 'columns:/ParentsRecord/student', staff: 'columns:/TeachersRecord' }
const export_homes: Readonly<Record<ExportList, string>> = { student: 'columns:/ParentsRecord/student/export', parent: 'columns:/ParentsRecord/parent/export', staff: 'columns:/TeachersRecord/export' }
const built_in: Readonly<Record<ExportList, Readonly<Record<string, string>>>> = { student: student_export_fields, parent: parent_export_fields, staff: staff_export_fields }
const titles = { student: '学生列表列', staff: '教职工列表列' } as const

/** The school's own default of a list; empty where it has none. @throws Refusal 422 fieldScene */
export async function readRollColumns({ db, school_id }: PeopleCtx, { field_scene }: Scene): Promise<Reply<typeof rollColumnApi.read>> {
  return { list: savedLines(await findPref(db, { school_id, user_id: school_default, pref_key: homes[facetNamed(field_scene)] })) }
}

/** Sets it for everybody who has not chosen columns of his own. @throws Refusal 422 fieldScene */
export async function saveRollColumns(ctx: PeopleCtx, { field_scene, list }: Input<typeof rollColumnApi.save>): Promise<Record<string, never>> {
  const facet = facetNamed(field_scene)
  const { list: before } = await readRollColumns(ctx, { field_scene })
  await savePref(ctx.db, { school_id: ctx.school_id, user_id: school_default, pref_key: homes[facet] }, list, ctx.now)
  ctx.note({ target_kind: 'people.columns', target_name: titles[facet], before: told(before), after: told(list) })
  return {}
}

/** Built-in columns, then the school's own exported fields; those the person left out last time are not checked. */
export async function exportColumns(ctx: PeopleCtx, list: ExportList): Promise<{ list: ColumnLine[] }> {
  const { db, school_id, me } = ctx
  const own = list === 'parent' ? [] : (await liveFields(ctx, list)).filter(field => field.in_export)
  const offered = [...Object.entries(built_in[list]), ...own.map(field => [`ext.${field.field_code}`, field.label] as const)]
  const known = new Map(savedLines(await findPref(db, { school_id, user_id: me.user_id, pref_key: export_homes[list] })).map(line => [line.prop, line.checked]))
  return { list: offered.map(([prop, label]) => ({ prop, label, checked: known.get(prop) ?? true, default_action: false })) }
}

/** Remembers which of the columns were taken. A choice of all is no choice. */
export async function rememberColumns(ctx: PeopleCtx, { list, fields }: Input<typeof exportColumnApi.remember>): Promise<Record<string, never>> {
  const { list: offered } = await exportColumns(ctx, list)
  const lines = offered.map(line => ({ ...line, checked: fields.includes(line.prop) }))
  const owner = { school_id: ctx.school_id, user_id: ctx.me.user_id, pref_key: export_homes[list] }
  if (lines.every(line => line.checked)) await dropPref(ctx.db, owner)
  else await savePref(ctx.db, owner, lines, ctx.now)
  return {}
}

function facetNamed(field_scene: number): FieldFacet {
  const facet = facetOf(field_scene)
  if (facet === null) throw fail(peopleErrors.fieldScene)
  return facet
}

function savedLines(value: unknown): ColumnLine[] {
  const read = Saved.safeParse(value)
  return read.success ? read.data : []
}

function told(list: readonly ColumnLine[]): Record<string, unknown> {
  return { columns: list.flatMap(line => (line.checked ? [line.label_copy ?? line.label] : [])).join('、') || '系统默认' }
}
