import { z } from 'zod'

/** Types of a field of a form (chapter 60 rule 16). */
export const field_types = { text: '单行文本', area: '多行文本', number: '数字', date: '日期', single: '单选', multi: '多选', note: '说明文字' } as const
export const most_fields = 50

const Key = z.string().regex(/^f[0-9]{1,3}$/)
/** One field; `when` shows it only after an earlier single choice was answered so. */
export const FormField = z.strictObject({
  key: Key,
  type: z.enum(['text', 'area', 'number', 'date', 'single', 'multi', 'note']),
  label: z.string().trim().min(1, { error: '请填写题目' }).max(100, { error: '题目超过100个字' }),
  required: z.boolean().default(false),
  options: z.array(z.string().trim().min(1, { error: '选项不能为空' }).max(50, { error: '选项超过50个字' })).max(30, { error: '最多30个选项' }).default([]),
  min: z.number().nullable().default(null),
  max: z.number().nullable().default(null),
  when: z.strictObject({ key: Key, value: z.string().max(50) }).nullable().default(null),
})
export type FormField = z.output<typeof FormField>

export const Form = z.array(FormField).max(most_fields, { error: `最多${most_fields}个题目` }).superRefine((fields, told) => {
  const seen = new Map<string, FormField>()
  fields.forEach((field, at) => {
    const say = (message: string) => told.addIssue({ code: 'custom', message, path: [at] })
    if (seen.has(field.key)) say('题目编号重复')
    if ((field.type === 'single' || field.type === 'multi') && new Set(field.options).size < 2) say('选择题至少两个不同的选项')
    if (field.when !== null && seen.get(field.when.key)?.type !== 'single') say('显示条件只能引用前面的单选题')
    seen.set(field.key, field)
  })
})

/** Answers by the key of their field; a multiple choice has several. */
export const Answers = z.record(Key, z.union([z.string().max(2000), z.array(z.string().max(50)).max(30)]))
export type Answers = z.output<typeof Answers>
export type AnswerError = { field: string; msg: string }

/** Is a field asked at all, after what was answered before it? */
export function isAsked(field: FormField, answers: Answers): boolean {
  return field.type !== 'note' && (field.when === null || answers[field.when.key] === field.when.value)
}

/** Checks answers against their form; those of fields that are not asked are dropped (chapter 60 rule 16). */
export function checkAnswers(form: readonly FormField[], given: Answers): { answers: Answers; errors: AnswerError[] } {
  const answers: Answers = {}
  const errors: AnswerError[] = []
  for (const field of form) {
    if (!isAsked(field, answers)) continue
    const value = given[field.key]
    const is_empty = value === undefined || value.length === 0 || (typeof value === 'string' && value.trim() === '')
    if (is_empty) {
      if (field.required) errors.push({ field: field.key, msg: `请填写“${field.label}”` })
      continue
    }
    const wrong = problemOf(field, value)
    if (wrong === null) answers[field.key] = value
    else errors.push({ field: field.key, msg: `“${field.label}”${wrong}` })
  }
  return { answers, errors }
}

function problemOf(field: FormField, value: string | string[]): string | null {
  const texts = [value].flat()
  if (field.type === 'multi') return texts.every(one => field.options.includes(one)) ? lengthProblem(field, texts.length, '项') : '的选项不存在'
  if (Array.isArray(value)) return '只能填写一个值'
  if (field.type === 'single') return field.options.includes(value) ? null : '的选项不存在'
  if (field.type === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? null : '请填写日期'
  if (field.type !== 'number') return lengthProblem(field, [...value].length, '个字')
  const number = Number(value)
  if (!Number.isFinite(number)) return '请填写数字'
  return lengthProblem(field, number, '')
}

function lengthProblem({ min, max }: FormField, size: number, unit: string): string | null {
  if (min !== null && size < min) return `不能少于${min}${unit}`
  if (max !== null && size > max) return `不能超过${max}${unit}`
  return null
}
