import { api, Day, filter, get, post } from '@kit/contract'
import { z } from 'zod'
import { tree_kinds } from './dept.ts'
import { most_remark_signs, RemarkFieldId } from './remark-value.ts'

/** Remark fields in use at once, and those a school keeps. */
export const most_remarks = 10
const most_kept = 50
/** Kinds of departments that remarks are given to: of pupils 学部, 年级, 班级; of staff the others. */
export const remark_types = [2, 3, 4, 5, 6, 7, 8, 11, 99] as const

export const RemarkLabel = z.string().trim().min(1, { error: '请填写备注名称' }).max(20, { error: '超过20个字' }).regex(/^[^\p{Cc}\p{Cs},，]+$/u, { error: '不能包含特殊字符' })
const Option = z.string().trim().min(1, { error: '选项不能为空' }).max(most_remark_signs, { error: `超过${most_remark_signs}个字` }).regex(/^[^\p{Cc}\p{Cs}、,，;；]+$/u, { error: '选项不能包含顿号、逗号或分号' })
export const RemarkOptions = z.array(Option).min(2, { error: '请至少填写两个选项' }).max(50, { error: '最多50个选项' }).refine(list => new Set(list).size === list.length, { error: '选项重复' })
const look = {
  label: RemarkLabel,
  options: RemarkOptions,
  applies_to: z.array(z.number().int().refine(type => remark_types.some(one => one === type), { error: '请选择适用的部门类型' })).min(1, { error: '请选择适用的部门类型' }),
  archived: z.boolean().default(false),
}
/** One line of the settings: with `id` a field that exists. */
export const RemarkLine = z.strictObject({ id: RemarkFieldId.optional(), row_version: z.number().int().optional(), ...look })
export type RemarkLine = z.output<typeof RemarkLine>

/** `used`: departments that have a value of it. */
export const RemarkField = z.object({ ...look, id: RemarkFieldId, options: z.array(z.string()), applies_to: z.array(z.number().int()), row_version: z.number().int(), used: z.number().int() })
export type RemarkField = z.output<typeof RemarkField>

/** One value of a field: how many classes (of the staff tree: departments) have it, themselves or by what stands above, and who is in them. */
export const RemarkCount = z.object({ value: z.string(), depts: z.number().int(), students: z.number().int(), boys: z.number().int(), girls: z.number().int(), staff: z.number().int() })
export type RemarkCount = z.output<typeof RemarkCount>

/** Remarks of departments (chapter 20 §4 Departments). The fields hold no person; whoever fills a department reads them. */
export const remarkApi = api('core', 'people.remark', {
  config: get('dept-remark-config', { reply: z.object({ list: z.array(RemarkField) }), need: 'people.dept.view' }),
  save: post('dept-remark-config', { body: z.strictObject({ list: z.array(RemarkLine).max(most_kept) }), reply: z.object({ list: z.array(RemarkField) }), need: 'people.dept.edit', op: 4 }),
  statis: get('dept-remark-statis', {
    query: z.object({ field_id: RemarkFieldId, tree: z.enum(tree_kinds).default('student'), on: filter(Day) }),
    reply: z.object({ list: z.array(RemarkCount) }),
    need: 'people.dept.view',
    within: 'dept',
  }),
})
