import { season_fields } from '@campus/people/contract'
import type { FreshmenSeason } from '@campus/people/contract'
import type { Field } from '../import/field.ts'

type FormField = FreshmenSeason['form_fields'][number]
type Code = FormField['field_code']

/** How the text of each question of the form is read. */
const forms: Readonly<Record<Code, Pick<Field, 'kind' | 'dict' | 'max' | 'note'>>> = {
  user_name: { kind: 'name' },
  sex: { kind: 'dict', dict: 'SEX' },
  id_type: { kind: 'dict', dict: 'ID_TYPE' },
  id_no: { kind: 'id_no', note: '居民身份证号为18位' },
  birthday: { kind: 'date', note: '20190708 或 2019-07-08；有身份证号的可以不填' },
  guardian: { kind: 'name' },
  relation: { kind: 'dict', dict: 'PICKUP_RELATION' },
  hukou_division: { kind: 'division', note: '六位区划码或省市区名称，如 370200' },
  from_school: { kind: 'text', max: 100, note: '幼儿园、小学或初中的全称' },
  board: { kind: 'dict', dict: 'YES_NO' },
  left_behind: { kind: 'dict', dict: 'LEFT_BEHIND' },
  migrant_child: { kind: 'dict', dict: 'YES_NO' },
  twin: { kind: 'dict', dict: 'YES_NO', note: '希望同班的请都选“是”，并填写同一手机号' },
  home_address: { kind: 'text', max: 100 },
}
/** Asked of newcomers where a season says nothing else. */
const asked_by_itself: ReadonlySet<string> = new Set(['birthday', 'hukou_division', 'from_school', 'board', 'twin'])

/** Every question a season may ask, as a column that is read like a cell of an import. */
export const application_fields: readonly Field[] = season_fields.map(({ field_code, label }) => ({ prop: field_code, label, ...forms[field_code] }))

/** The questions of a season in their order: those that must be asked always are, those nobody has set stand at the end. */
export function formFields(set: readonly FormField[]): FormField[] {
  const known = new Set(set.map(field => field.field_code))
  const rest = season_fields.filter(({ field_code }) => !known.has(field_code))
  const added = rest.map(({ field_code }) => ({ field_code, shown: asked_by_itself.has(field_code), required: false }))
  const fixed = new Set<string>(season_fields.filter(field => field.is_fixed).map(field => field.field_code))
  return [...set, ...added].map(({ field_code, shown, required }) => (fixed.has(field_code) ? { field_code, shown: true, required: true } : { field_code, shown, required: shown && required }))
}
