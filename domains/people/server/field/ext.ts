import { addressOf } from '@campus/files/server'
import { CustomField, CustomValue, customMissing, readCustom, readFileValue, shownCustom } from '@campus/people/contract'
import type { ExtDraft, FieldFacet } from '@campus/people/contract'
import type { App, Me } from '@kit/server/http'
import { z } from 'zod'
import type { Db, PeopleCtx } from '../db.ts'
import { invalid } from '../student-file.trouble.ts'
import type { Trouble } from '../student-file.trouble.ts'
import { dictsOf, withOptions } from './dict.ts'
import { groupOf } from './edit-by.ts'
import { readFieldDefs } from './field.queries.ts'
import { isKeptSealed, openValue, sealValue } from './sealed-value.ts'

const gone = '字段不存在或已停用'
/** Said of a field that is kept to other role groups. */
export const not_yours = '您所在的角色组不能修改该字段'
const Stored = z.record(z.string(), z.string()).catch({})
const Live = CustomField.omit({ used: true })
/** What live fields are read with: their values open and close with the keys of the installation. */
export type FieldDesk = { db: Db; school_id: number; app: Pick<App, 'secrets'> }
/** `names` by code where the values are codes of a dictionary: outside the column every value is a name. `open` and `seal`: what the column keeps, and back. */
export type LiveField = z.output<typeof Live> & { names: ReadonlyMap<string, string> | null; open(stored: string): string; seal(value: string): string }

type CustomChange = { field: string; label: string; before: string | null; after: string | null }
/** What is said of custom fields as it is stored, what is wrong with it, what it changes for the journal. */
export type JudgedExt = { said: ExtDraft; troubles: Trouble[]; changes: CustomChange[] }

/** What the column holds, by code, as it is stored. */
export function storedExt(ext: unknown): Record<string, string> {
  return Stored.parse(ext)
}

/** What stands in `ext` of these fields, by code: of a dictionary the name its code has today. */
export function readExt(ext: unknown, fields: readonly LiveField[]): Record<string, string> {
  const stored = storedExt(ext)
  return Object.fromEntries(fields.flatMap(({ field_code, names, open }) => {
    const value = stored[field_code]
    if (value === undefined) return []
    const said = open(value)
    return [[field_code, names?.get(said) ?? said]]
  }))
}

/** A value as `ext` keeps it. */
export function storedValue({ names, seal }: LiveField, value: string | null): string | null {
  if (value === null) return null
  return seal([...(names ?? [])].find(([, name]) => name === value)?.[0] ?? value)
}

/** The live custom fields of a facet in their order, whoever fills them. */
export async function liveFields({ db, school_id, app: { secrets } }: FieldDesk, facet: FieldFacet): Promise<LiveField[]> {
  const open = (stored: string) => openValue(secrets, school_id, stored)
  const live = (await readFieldDefs(db, school_id, facet)).filter(field => !field.archived)
  const dicts = await dictsOf(db, school_id, live)
  return live.map(field => {
    const seen = Live.parse({ ...withOptions(field, dicts), may_edit: true })
    const seal = (value: string) => (isKeptSealed(seen) ? sealValue(secrets, school_id, value) : value)
    return { ...seen, names: dicts.get(field.dict_code ?? '')?.names ?? null, open, seal }
  })
}

/** The same as the acting identity may fill them. */
export async function fieldsFor(desk: FieldDesk & { me: Me }, facet: FieldFacet): Promise<LiveField[]> {
  const fields = await liveFields(desk, facet)
  const may = await groupOf(desk, fields)
  return fields.map(field => ({ ...field, may_edit: may(field) }))
}

/** The fields with somebody's values, sensitive ones masked. */
export function customValues(fields: readonly LiveField[], ext: Readonly<Record<string, string>>): CustomValue[] {
  return fields.map(field => {
    const value = ext[field.field_code]
    // An uploaded file keeps its whole value: a form sends it back untouched.
    return CustomValue.parse({ ...field, value: value === undefined ? null : field.type === 'file' ? value : shownCustom(field, value) })
  })
}

/** The fields of a file with its values, as the acting identity sees and may fill them; uploaded files with an address for this reader. */
export async function customOf(desk: Pick<PeopleCtx, 'app' | 'db' | 'school_id' | 'me' | 'now'>, facet: FieldFacet, ext: unknown): Promise<CustomValue[]> {
  const { app, now, school_id, me } = desk
  const fields = await fieldsFor(desk, facet)
  return customValues(fields, readExt(ext, fields)).map(field => {
    const file = field.type === 'file' ? readFileValue(field.value) : null
    return file === null ? field : { ...field, url: addressOf(app, now, { school_id, file_key: file.file_key, visibility: 'private' }, me) }
  })
}

/** Judges custom values against their definitions; `known` is null for a new file, of which everything required is demanded. */
export function judgeExt(fields: readonly LiveField[], draft: ExtDraft, known: Readonly<Record<string, string>> | null): JudgedExt {
  const strange = Object.keys(draft).filter(code => !fields.some(field => field.field_code === code))
  const judged: JudgedExt = { said: {}, troubles: strange.map(code => invalid(nameOf(code), gone)), changes: [] }
  for (const field of fields) judgeField(field, draft[field.field_code], known, judged)
  return judged
}

function judgeField(field: LiveField, text: string | null | undefined, known: Readonly<Record<string, string>> | null, { said, troubles, changes }: JudgedExt): void {
  const { field_code, label } = field
  if (text === undefined && (known !== null || !field.may_edit)) return
  const missing = customMissing(field, text)
  if (missing !== null) {
    troubles.push(invalid(nameOf(field_code), missing))
    return
  }
  const { value = null, error } = text?.trim() ? readCustom(field, text) : {}
  if (error !== undefined) {
    troubles.push(invalid(nameOf(field_code), error))
    return
  }
  const before = known?.[field_code] ?? null
  if (value === before) return
  if (!field.may_edit) {
    troubles.push(invalid(nameOf(field_code), not_yours))
    return
  }
  said[field_code] = storedValue(field, value)
  changes.push({ field: nameOf(field_code), label, before: before === null ? null : shownCustom(field, before), after: value === null ? null : shownCustom(field, value) })
}

function nameOf(code: string): string {
  return `ext.${code}`
}
