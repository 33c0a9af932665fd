import { api, del, get, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { DeptId } from './dept.ts'
import { student_missing } from './missing.ts'
import { UserId } from './student.ts'
import { tag_colors, TagId } from './tag-mark.ts'

/** People in one call of tagging (chapter 20 §4 Tags). */
export const most_tagged = 2000
/** Tags of one school. */
export const most_tags = 100
/** What may be known of people with a sensitive tag stays with those who hold this code. */
export const sensitive_tag_code = 'people.tag.sensitive'

const rule_missing = '请至少选择一个条件'
/** PERSON_KIND: 1 pupil, 2 staff, 3 parent; in an enterprise 6 employee, 7 hired from outside. */
const PersonKind = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(6), z.literal(7)])

/** Whom a rule finds: pupils of the list with these filters, evaluated whenever it is asked. */
export const TagRule = z
  .strictObject({
    dept_id: DeptId.optional(),
    state: z.string().max(4).optional(),
    sex: z.string().max(2).optional(),
    grade: z.string().max(2).optional(),
    study_method: z.string().max(2).optional(),
    missing: z.enum(student_missing).optional(),
  })
  .refine(rule => Object.values(rule).some(value => value !== undefined), { error: rule_missing })
export type TagRule = z.output<typeof TagRule>

export const TagName = z.string().trim().min(1, { error: '请填写标签名称' }).max(12, { error: '超过12个字' }).regex(/^[\p{L}\p{N}()（）\-_·]+$/u, { error: '不能包含特殊字符' })

const look = { tag_name: TagName, color: z.enum(tag_colors), is_sensitive: z.boolean() }
const kinds_missing = '请选择适用人员'

/** A new tag; with a rule it is one of pupils and is never given by hand. */
export const TagDraft = z
  .strictObject({ ...look, person_kinds: z.array(PersonKind).min(1, { error: kinds_missing }).max(5), rule: TagRule.optional() })
  .refine(({ rule, person_kinds }) => rule === undefined || person_kinds.every(kind => kind === 1), { path: ['person_kinds'], error: '规则标签仅适用于学生' })
/** What changes of a tag; who it is for and whether it has a rule stay as they were. */
export const TagPatch = z.strictObject({
  id: TagId,
  row_version: z.number().int(),
  tag_name: look.tag_name.optional(),
  color: look.color.optional(),
  is_sensitive: look.is_sensitive.optional(),
  rule: TagRule.optional(),
  archived: z.boolean().optional(),
})

export const TagRow = z.object({
  id: TagId,
  tag_name: z.string(),
  color: z.enum(tag_colors),
  kind: z.enum(['manual', 'rule']),
  person_kinds: z.array(PersonKind),
  rule: TagRule.nullable(),
  is_sensitive: z.boolean(),
  order_no: z.number().int(),
  archived: z.boolean(),
  row_version: z.number().int(),
  /** people who have it today, of those the reader may see */
  count: z.number().int(),
})
export type TagRow = z.output<typeof TagRow>

/** Somebody who has a tag; `tagged_on` is null where a rule found him. */
export const TagMember = z.object({ user_id: UserId, person_kind: z.number().int(), user_name: z.string(), user_no: z.string(), label: z.string(), tagged_on: z.string().nullable() })
export type TagMember = z.output<typeof TagMember>

const People = z.strictObject({ id: TagId, user_ids: z.array(UserId).min(1, { error: '请选择人员' }).max(most_tagged, { error: `一次最多选择${most_tagged}人` }) })
const edit = { need: 'people.tag.edit', within: 'dept' } as const
const byId = z.object({ id: TagId })
const Done = z.object({ id: TagId, row_version: z.number().int() })

/** Tags and who has them (chapter 20 §4 Tags). */
export const tagApi = api('web', 'people.tag', {
  list: get('school/label/list', { reply: z.object({ list: z.array(TagRow) }), ...edit }),
  add: post('school/label/add', { body: TagDraft, reply: Done, ...edit }),
  update: put('school/label/update', { body: TagPatch, reply: Done, ...edit }),
  sort: post('school/label/sort', { body: z.strictObject({ ids: z.array(TagId).min(1).max(most_tags) }), reply: z.object({ ids: z.array(TagId) }), op: 4, ...edit }),
  remove: del('school/label/:id', { params: byId, reply: byId, ...edit }),
  members: get('school/label/:id/members', { params: byId, query: PageQuery, reply: page(TagMember), ...edit }),
  bind: post('school/label/bind', { body: People, reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  unbind: post('school/label/unbind', { body: People, reply: z.object({ changed: z.number().int() }), op: 4, ...edit }),
  preview: post('school/label/rule/preview', { reads: true, body: z.strictObject({ rule: TagRule }), reply: z.object({ count: z.number().int() }), ...edit }),
})
