import { DeptId, UserId } from '@campus/people/contract'
import { carried, choice, firstDay, flag, id, Instant, keyword, lastDay, list } from '@kit/contract'
import { z } from 'zod'
import { RepeatRule } from './check-in.ts'
import { edition_names, NOTICE_KIND, NOTICE_STATE } from './dictionary.ts'
import { Form } from './form.ts'

export const PostId = id('publishing.post')
export const most_content_kb = 200
export const most_attachments = 9
const count = z.number().int()
const Code = z.coerce.number().int()

/** A line of an audience: 1 department with everything below, 2 crowd, 4 label, 5 person; mode 2 takes away. */
export const AudienceLine = z.strictObject({
  mode: z.union([z.literal(1), z.literal(2)]).default(1),
  target_type: z.union([z.literal(1), z.literal(2), z.literal(4), z.literal(5)]),
  target_id: z.string().regex(/^[0-9]{1,18}$/),
})
export type AudienceLine = z.output<typeof AudienceLine>
export const Audience = z.array(AudienceLine).max(300, { error: '最多选择300项' })

export const Attachment = z.strictObject({ file_key: z.string().max(200), name: z.string().max(100), bytes: z.number().int().min(0) })

/** What an author writes; who may be sent to is looked at when it is published. */
export const PostDraft = z.strictObject({
  scene: z.number().int().min(1).max(2),
  kind: z.enum(NOTICE_KIND.codes),
  edition: z.number().int().min(1).max(2).default(2),
  title: z.string().trim().min(1, { error: '请填写标题' }).max(60, { error: '标题超过60个字' }),
  summary: z.string().trim().max(120, { error: '摘要超过120个字' }).default(''),
  content_html: z.string().max(most_content_kb * 1024, { error: `正文内容过长（最多${most_content_kb}KB）` }),
  attachments: z.array(Attachment).max(most_attachments, { error: `最多${most_attachments}个附件` }).default([]),
  audience: Audience,
  reply_kind: z.number().int().min(0).max(4).default(0),
  form: Form.default([]),
  parent_rule: z.number().int().min(1).max(3).default(1),
  receivers: z.number().int().min(1).max(3).default(1),
  due_at: Instant.nullable().default(null),
  expire_at: Instant.nullable().default(null),
  allow_late: z.boolean().default(false),
  allow_resubmit: z.boolean().default(false),
  anonymous: z.boolean().default(false),
  must_read: z.boolean().default(false),
  subject: z.string().max(4).nullable().default(null),
  est_minutes: z.number().int().min(1, { error: '用时为1到240分钟' }).max(240, { error: '用时为1到240分钟' }).nullable().default(null),
  repeat_rule: RepeatRule.nullable().default(null),
})
export type PostDraft = z.output<typeof PostDraft>

const post_acts = ['edit', 'publish', 'approve', 'cancel', 'recall', 'republish', 'remind', 'delete'] as const
export type PostAct = (typeof post_acts)[number]

/** One post in a list; figures are units: a family or a person (chapter 60 rule 4). */
export const PostRow = z.object({
  id: PostId,
  scene: count,
  kind: z.enum(NOTICE_KIND.codes),
  edition: count,
  state: z.enum(NOTICE_STATE.codes),
  rev: count,
  title: z.string(),
  author_name: z.string().nullable(),
  owner_dept_name: z.string().nullable(),
  audience_text: z.string(),
  publish_at: Instant.nullable(),
  sent_at: Instant.nullable(),
  due_at: Instant.nullable(),
  expire_at: Instant.nullable(),
  created_at: Instant,
  reply_kind: count,
  expected: count.nullable(),
  read: count,
  submitted: count,
  unreachable: count,
  row_version: count,
  can: z.array(z.enum(post_acts)),
})
export type PostRow = z.output<typeof PostRow>

const share = (part: number, row: PostRow) => (row.expected ? `${part}/${row.expected}` : '')

/** A list of posts; `title` is what they are called on the page and in the sheet. */
export function postList(title: string) {
  return list({
    title, row: PostRow, key: 'id',
    columns: {
      title: { label: '标题', width: 220 },
      kind: { label: '类型', width: 88, names: NOTICE_KIND.names },
      state: { label: '状态', width: 84, names: NOTICE_STATE.names },
      audience_text: { label: '接收人群', width: 150 },
      read: { label: '已读/应读', width: 132, text: row => share(row.read, row) },
      submitted: { label: '已提交', width: 84, text: row => (row.reply_kind === 0 ? '' : share(row.submitted, row)) },
      unreachable: { label: '未触达', width: 72, kind: 'number' },
      author_name: { label: '发布人', width: 84 },
      sent_at: { label: '发布时间', width: 132, text: row => (row.sent_at ?? row.publish_at ?? '').slice(0, 16).replace('T', ' ') },
      owner_dept_name: { label: '部门', width: 112 },
      due_at: { label: '截止时间', width: 132, kind: 'instant' },
      created_at: { label: '创建时间', width: 132, kind: 'instant' },
    },
    filters: {
      keyword: keyword('标题/发布人'),
      kind: choice('类型', NOTICE_KIND.names),
      state: choice('状态', NOTICE_STATE.names),
      mine: flag('发布人', { 1: '我发布的', 0: '他人发布的' }),
      from: firstDay('发布日期', 'to'),
      to: lastDay(),
      scene: carried('', Code),
      edition: carried('', Code, edition_names),
    },
  })
}

/** One revision as it was published. */
const Rev = z.object({ rev: count, title: z.string(), at: Instant, by_name: z.string().nullable(), reset_read: z.boolean(), change_note: z.string().nullable() })

/** A post with everything its author and its readers' teachers see. */
export const PostDetail = PostRow.extend({
  summary: z.string(),
  content_html: z.string(),
  content_hash: z.string(),
  attachments: z.array(Attachment.extend({ address: z.string() })),
  audience: z.array(AudienceLine.extend({ name: z.string() })),
  form: Form,
  parent_rule: count,
  receivers: count,
  allow_late: z.boolean(),
  allow_resubmit: z.boolean(),
  anonymous: z.boolean(),
  must_read: z.boolean(),
  subject: z.string().nullable(),
  est_minutes: count.nullable(),
  repeat_rule: RepeatRule.nullable(),
  approve_reason: z.string().nullable(),
  recall_reason: z.string().nullable(),
  removed_pictures: count,
  revs: z.array(Rev),
})
export type PostDetail = z.output<typeof PostDetail>

/** The exact number of an audience, and the hash that an immediate publication brings back (chapter 60 rule 2). */
export const Preview = z.object({
  audience_hash: z.string(),
  total: count,
  students: count,
  guardians: count,
  staff: count,
  no_account: count,
  unbound: count,
  by_dept: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), units: count, unbound: count })),
  /** why it cannot be sent as it is; null when it can */
  problem: z.string().nullable(),
  needs_approval: z.boolean(),
})
export type Preview = z.output<typeof Preview>

/** Somebody a post was sent to. `user_id` 0: a family of which no parent is known. */
export const ReceiptRow = z.object({
  key: z.string(),
  user_id: UserId,
  subject_user_id: UserId,
  user_name: z.string(),
  subject_name: z.string(),
  role: count,
  dept_name: z.string().nullable(),
  phone_masked: z.string().nullable(),
  read_at: Instant.nullable(),
  read_rev: count.nullable(),
  submitted_at: Instant.nullable(),
  late: z.boolean().nullable(),
  reach_reason: count.nullable(),
  remind_count: count,
  phoned_at: Instant.nullable(),
  phoned_by_name: z.string().nullable(),
})
export type ReceiptRow = z.output<typeof ReceiptRow>
