import { api, get, id, post, readText, required_msg } from '@kit/contract'
import type { FieldRule } from '@kit/contract'
import { maskMobile } from '@kit/contract/checks'
import { z } from 'zod'
import { readFileValue } from './file-value.ts'

/** Live fields of one scene (chapter 20 §1.2). */
export const most_custom = 60
const most_kept = 200
const most_signs = 500
const usual_signs = 100
export const custom_types = ['text', 'number', 'date', 'dict', 'multi', 'mobile', 'id_card', 'file'] as const
export type CustomType = (typeof custom_types)[number]
/** Data classes: 1 open, 2 inside, 3 sensitive, which lists and files show masked. */
export const sensitive_level = 3

const CustomId = id('people.field')
const GroupId = id('identity.role_group')
const most_groups = 20
const code_form = /^[a-z][a-z0-9_]{1,29}$/
export const FieldCode = z.string().trim().regex(code_form, { error: '以小写字母开头，由2到30位小写字母、数字或下划线组成' })
export const FieldLabel = z.string().trim().min(1, { error: '请填写字段名称' }).max(20, { error: '超过20个字' }).regex(/^[^\p{Cc}\p{Cs},，]+$/u, { error: '不能包含特殊字符' })
const Option = z.string().trim().min(1, { error: '选项不能为空' }).max(30, { error: '超过30个字' }).regex(/^[^\p{Cc}\p{Cs}、,，;；]+$/u, { error: '选项不能包含顿号、逗号或分号' })
/** What may be chosen; only of the types that choose. */
export const FieldOptions = z.array(Option).min(2, { error: '请至少填写两个选项' }).max(50, { error: '最多50个选项' }).refine(list => new Set(list).size === list.length, { error: '选项重复' })

const look = {
  field_code: FieldCode,
  label: FieldLabel,
  type: z.enum(custom_types),
  options: FieldOptions.nullable().default(null),
  /** the dictionary of the school that a field of one choice takes its options from, instead of options of its own */
  dict_code: z.string().regex(/^[A-Z][A-Z0-9_]{0,39}$/).nullable().default(null),
  required: z.boolean().default(false),
  max_len: z.number().int().min(1).max(most_signs).nullable().default(null),
  group_name: z.string().trim().max(20, { error: '超过20个字' }).default(''),
  level: z.number().int().min(1).max(sensitive_level).default(1),
  /** offered by the roll as a column and a filter */
  in_index: z.boolean().default(false),
  /** offered by the export of the list */
  in_export: z.boolean().default(true),
  /** role groups whose identities alone fill it; empty: whoever may edit the file */
  edit_by: z.array(GroupId).max(most_groups).default([]),
  archived: z.boolean().default(false),
}
/** One line of the settings: with `id` a field that exists. */
export const FieldLine = z
  .strictObject({ id: CustomId.optional(), row_version: z.number().int().optional(), ...look })
  .refine(line => choosing(line.type) === (line.options !== null || line.dict_code !== null), { path: ['options'], error: '请填写选项' })
  .refine(line => line.type !== 'file' || line.level < sensitive_level, { path: ['level'], error: '附件不能设为敏感：附件本来只有有权查看档案的人能打开，每次打开都有记录' })
  .refine(line => line.dict_code === null || (line.type === 'dict' && line.options === null), { path: ['dict_code'], error: '只有单选字段可以使用字典，且不再填写选项' })
export type FieldLine = z.output<typeof FieldLine>

export const CustomField = z.object({ ...look, id: CustomId, options: z.array(z.string()).nullable(), order_no: z.number().int(), row_version: z.number().int(), used: z.boolean(), may_edit: z.boolean() })
export type CustomField = z.output<typeof CustomField>

/** A field with the value of one person: as stored, or masked where it is sensitive. */
export const CustomValue = CustomField.pick({ field_code: true, label: true, type: true, options: true, required: true, max_len: true, group_name: true, level: true, may_edit: true }).extend({
  value: z.string().nullable(),
  /** where the reader may open an uploaded file, for five minutes and logged; null for other types and without one */
  url: z.string().nullable().default(null),
})
export type CustomValue = z.output<typeof CustomValue>

/** A custom field among the columns of an export. */
export const ExtName = z.templateLiteral(['ext.', z.string().regex(code_form)])

/** What a draft or a patch says of custom fields, by code; null empties. */
export const ExtDraft = z.record(z.string().regex(code_form), z.string().max(most_signs * 2).nullable())
export type ExtDraft = z.output<typeof ExtDraft>

/** Does this type choose from options? */
export function choosing(type: CustomType): boolean {
  return type === 'dict' || type === 'multi'
}

type Judged = Pick<CustomField, 'type' | 'options' | 'max_len'>
const rules: Readonly<Record<'date' | 'mobile' | 'id_card', FieldRule>> = { date: { kind: 'date' }, mobile: { kind: 'mobile' }, id_card: { kind: 'id_card' } }
const separators = /[、,，;；]/

/** What a filled text means for a field: the value to store, or why it is refused. One rule for forms, calls and sheets. */
export function readCustom({ type, options, max_len }: Judged, text: string): ReturnType<typeof readText> {
  if (type === 'text') return readText({ kind: 'text', max: max_len ?? usual_signs }, text)
  if (type === 'number') return readNumber(text.trim())
  if (type === 'dict') return readOptions(options ?? [], [text.trim()])
  if (type === 'multi') return readOptions(options ?? [], text.split(separators).map(part => part.trim()))
  if (type === 'file') return readFileValue(text) ? { value: text } : { error: '附件没有上传成功，请重新上传' }
  return readText(rules[type], text)
}

function readNumber(text: string): ReturnType<typeof readText> {
  return /^-?[0-9]{1,12}(?:\.[0-9]{1,4})?$/.test(text) ? { value: text } : { error: '请填写数字，最多四位小数' }
}

function readOptions(options: readonly string[], chosen: readonly string[]): ReturnType<typeof readText> {
  const strange = chosen.find(one => !options.includes(one))
  if (strange !== undefined) return { error: `没有选项：${strange}` }
  return { value: options.filter(one => chosen.includes(one)).join('、') }
}

/** A value as lists, files and the journal show it; an uploaded file by its name. */
export function shownCustom({ level, type }: Pick<CustomField, 'level' | 'type'>, value: string): string {
  if (type === 'file') return readFileValue(value)?.file_name ?? ''
  return level === sensitive_level ? maskMobile(value) : value
}

/** Is a required field left empty? */
export function customMissing({ required }: Pick<CustomField, 'required'>, value: string | null | undefined): string | null {
  return required && !value?.trim() ? required_msg : null
}

/** Whose file a field stands in: field_scene of the registry, on the wire a number; another one has a sentence of its own. */
export const field_scenes = { student: 1, staff: 2 } as const
export type FieldFacet = keyof typeof field_scenes
const Scene = z.coerce.number().int()

/** Whose file a scene is about; null for one that a school adds no fields to. */
export function facetOf(field_scene: number): FieldFacet | null {
  if (field_scene === field_scenes.student) return 'student'
  return field_scene === field_scenes.staff ? 'staff' : null
}

/** The custom fields of a school (chapter 20 §4 Fields). Whoever writes a file reads them; they hold no person. */
export const fieldApi = api('v2', 'people.field', {
  list: get('custom/field/config', { query: z.object({ field_scene: Scene }), reply: z.object({ list: z.array(CustomField) }), session: true }),
  save: post('custom/field/config', { body: z.strictObject({ field_scene: z.number().int(), list: z.array(FieldLine).max(most_kept) }), reply: z.object({ list: z.array(CustomField) }), need: 'people.field.edit', op: 4 }),
})
