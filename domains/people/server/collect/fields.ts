import { choosing, isRegistryProp, peopleErrors, registry, registry_props } from '@campus/people/contract'
import type { CollectField, RegistryProp } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Db } from '../db.ts'
import { customValues, liveFields, readExt } from '../field/ext.ts'
import type { PeopleWords } from '../import/words.ts'
import type { FilePupil } from '../student-file.queries.ts'
import { fileValue, shown } from '../student-file.values.ts'

/** What the school gives and no family can say. */
const given_by_school: ReadonlySet<string> = new Set(['student_no', 'enrol_month', 'entry_way', 'remark'])
const ext_prefix = 'ext.'
const notes: Readonly<Partial<Record<string, string>>> = { date: '格式：2018-03-05', month: '格式：202609' }

export function extCode(field_code: string): string | null {
  return field_code.startsWith(ext_prefix) ? field_code.slice(ext_prefix.length) : null
}

/** Everything a task may ask about pupils: the registry but what the school gives, and the school's own fields. */
export async function collectFields(db: Db, school_id: number): Promise<{ field_code: string; label: string }[]> {
  const own = registry_props.filter(prop => !given_by_school.has(prop)).map(prop => ({ field_code: prop, label: registry[prop].label }))
  const custom = (await liveFields(db, school_id, 'student')).map(({ field_code, label }) => ({ field_code: `${ext_prefix}${field_code}`, label }))
  return [...own, ...custom]
}

/** @throws Refusal 422 collectField when one of them is not to be asked, or is named twice */
export async function requireFields(db: Db, school_id: number, field_codes: readonly string[]): Promise<void> {
  const known = new Set((await collectFields(db, school_id)).map(({ field_code }) => field_code))
  if (new Set(field_codes).size < field_codes.length || field_codes.some(code => !known.has(code))) throw fail(peopleErrors.collectField)
}

/** The questions of a task with what the file says; protected values masked, fields that were switched off since left out. */
export async function filledFields(db: Db, school_id: number, field_codes: readonly string[], pupil: FilePupil, words: PeopleWords): Promise<CollectField[]> {
  const fields = await liveFields(db, school_id, 'student')
  const custom = new Map(customValues(fields, readExt(pupil.ext, fields)).map(field => [field.field_code, field]))
  return field_codes.flatMap((field_code): CollectField[] => {
    if (isRegistryProp(field_code)) return [registryField(field_code, pupil, words)]
    const field = custom.get(extCode(field_code) ?? '')
    if (!field) return []
    const { label, type, value, level } = field
    const options = choosing(type) && type !== 'multi' ? (field.options ?? []).map(option => ({ value: option, label: option })) : null
    return [{ field_code, label, options, value, is_masked: level === 3 && value !== null, note: type === 'multi' ? `可填：${(field.options ?? []).join('、')}` : '' }]
  })
}

function registryField(prop: RegistryProp, pupil: FilePupil, words: PeopleWords): CollectField {
  const { label, dict, kind, masked } = registry[prop]
  const options = dict === undefined ? null : [...(words.names.get(dict) ?? [])].map(([value, name]) => ({ value, label: name }))
  const kept = prop === 'id_no' ? pupil.id_no_mask : fileValue(pupil, prop)
  const value = kept === null || prop === 'id_no' || options !== null ? kept : shown(prop, kept, words)
  return { field_code: prop, label, options, value, is_masked: masked === true && kept !== null, note: notes[kind] ?? '' }
}
