import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, del, Done, download, exportOf, filter, get, id, Instant, page, PageQuery, post, put } from '@kit/contract'
import { z } from 'zod'
import { NOTICE_STATE } from './dictionary.ts'
import { Audience, PostDetail, PostDraft, PostId, postList, PostRow, Preview, ReceiptRow } from './post.ts'

const count = z.number().int()
const ById = z.object({ id: PostId })
const Reason = z.string().trim().max(200, { error: '超过200个字' })
const Why = z.string({ error: '请填写原因' }).trim().min(1, { error: '请填写原因' }).max(200, { error: '超过200个字' })
/** Minutes are enough; the hash of the preview stands for the set that was looked at. */
const Publish = z.strictObject({
  id: PostId,
  publish_at: Instant.nullable().default(null),
  audience_hash: z.string().max(100).nullable().default(null),
  override_reason: Reason.nullable().default(null),
})
const Changed = z.object({ state: z.enum(NOTICE_STATE.codes), expected: count.nullable() })
const OfPost = PageQuery.extend({ notice_id: PostId, dept_id: filter(DeptId), keyword: filter(z.string().max(50)) })

/** Figures of one post: in all, by class, over time. */
export const PostReport = z.object({
  expected: count, read: count, submitted: count, unreachable: count, phoned: count, left: count, late_joined: count, median_minutes: z.number().nullable(),
  by_dept: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), expected: count, read: count, submitted: count, unreachable: count })),
  curve: z.array(z.object({ at: Instant, read: count })),
  by_reach_reason: z.array(z.object({ reason: count, n: count })),
  fields: z.array(z.object({ key: z.string(), label: z.string(), type: z.string(), answered: count, options: z.array(z.object({ text: z.string(), n: count })), texts: z.array(z.string()) })),
  hidden_answers: z.boolean(),
})
export type PostReport = z.output<typeof PostReport>

/** One submission as the author reads it. */
export const SubmissionRow = z.object({
  id: id('publishing.submission'), user_name: z.string(), subject_name: z.string(), dept_name: z.string().nullable(), at: Instant, late: z.boolean(), state: count, day: Day.nullable(),
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])), signature: z.string().nullable(), signed_current: z.boolean(), grade: z.string().nullable(), note: z.string().nullable(),
})
export type SubmissionRow = z.output<typeof SubmissionRow>

/** 已电话告知 of families, or taking it back. */
const Phoned = z.strictObject({
  notice_id: PostId,
  subject_ids: z.array(UserId).min(1, { error: '请选择家庭' }).max(300),
  phoned: z.boolean(),
})

/** How one pupil or member of staff keeps up a check-in that repeats (chapter 60 rule 21). */
export const StreakRow = z.object({
  subject_user_id: UserId,
  subject_name: z.string(),
  dept_name: z.string().nullable(),
  due: count,
  done: count,
  streak: count,
  longest: count,
  last_day: Day.nullable(),
})
export type StreakRow = z.output<typeof StreakRow>

const Reminder = z.object({ remind_id: id('publishing.remind'), selected: count, skipped_read: count, unreachable: count, deferred_to: Instant.nullable() })
const ReminderLine = z.object({ id: id('publishing.remind'), at: Instant, by_name: z.string().nullable(), scope: count, selected: count, unreachable: count })

/** The calls of one family of posts: the same handlers answer them, for the kinds of the family (chapter 60 §4.1). */
function postApi(path: string, noun: string, of: ReturnType<typeof postList>) {
  const may = (verb: string) => ({ need: `${noun}.${verb}`, within: 'audience' as const })
  const [view, edit, publish] = [may('view'), may('edit'), may('publish')]
  const people = { query: OfPost, reply: page(ReceiptRow), ...view }
  return api('iot', noun, {
    list: get(`${path}/list`, { query: of.query, reply: page(PostRow), ...view }),
    exportList: exportOf(of, `${path}/export`, may('export')),
    detail: get(`${path}/:id`, { params: ById, reply: PostDetail, ...view }),
    add: post(`${path}/add`, { body: PostDraft, reply: z.object({ id: PostId, removed_pictures: count }), ...edit }),
    update: put(`${path}/:id`, {
      params: ById, body: PostDraft.extend({ row_version: count, reset_read: z.boolean().default(false), change_note: Reason.default('') }), reply: z.object({ id: PostId, removed_pictures: count }), ...edit,
    }),
    remove: del(`${path}/:id`, { params: ById, reply: Done, ...edit }),
    copy: post(`${path}/copy/:id`, { params: ById, body: z.strictObject({ edition: z.number().int().min(1).max(2).optional() }), reply: z.object({ id: PostId }), ...edit }),
    preview: post(`${path}/audience/preview`, {
      body: z.strictObject({ scene: z.number().int().min(1).max(2), kind: z.string().max(4), audience: Audience, receivers: z.number().int().min(1).max(3).default(1) }), reply: Preview, reads: true, unlogged: '选择人群时的人数预览', ...edit,
    }),
    publish: post(`${path}/publish`, { body: Publish, reply: Changed, op: 4, ...publish }),
    approve: post(`${path}/approve`, { body: z.strictObject({ id: PostId, pass: z.boolean(), reason: Reason.default('') }), reply: Changed, op: 4, ...may('approve') }),
    cancel: post(`${path}/cancel`, { body: z.strictObject({ id: PostId }), reply: Changed, op: 4, ...publish }),
    recall: post(`${path}/recall`, { body: z.strictObject({ id: PostId, reason: Why }), reply: Changed, op: 4, ...publish }),
    republish: post(`${path}/republish`, { body: Publish.extend({ reset_read: z.boolean().default(false) }), reply: Changed, op: 4, ...publish }),
    read: get(`${path}/read`, people),
    unread: get(`${path}/unread`, people),
    committed: get(`${path}/committed`, people),
    uncommitted: get(`${path}/uncommitted`, people),
    unreachable: get(`${path}/unreachable`, people),
    report: get(`${path}/report`, { query: z.object({ notice_id: PostId }), reply: PostReport, ...view }),
    alert: post(`${path}/alert`, {
      body: z.strictObject({ notice_id: PostId, scope: z.union([z.literal(1), z.literal(2)]), dept_ids: z.array(DeptId).max(300).optional(), user_ids: z.array(UserId).max(300).optional() }), reply: Reminder, op: 4, ...may('remind'),
    }),
    phoned: post(`${path}/phoned`, { body: Phoned, reply: z.object({ changed: count }), op: 4, ...may('remind') }),
    streaks: get(`${path}/streak`, { query: OfPost.omit({ keyword: true }), reply: page(StreakRow), ...view }),
    alertLog: get(`${path}/alert/log`, { query: z.object({ notice_id: PostId }), reply: z.object({ list: z.array(ReminderLine) }), ...view }),
    submissions: get(`${path}/submission/list`, { query: PageQuery.extend({ notice_id: PostId, dept_id: filter(DeptId) }), reply: page(SubmissionRow), ...view }),
    exportReceipts: get(`${path}/receipts/export`, {
      query: z.object({ notice_id: PostId, what: z.enum(['receipts', 'answers']).default('receipts') }),
      reply: download,
      op: 7,
      ...may('export'),
    }),
    giveBack: post(`${path}/submission/return`, { body: z.strictObject({ id: id('publishing.submission'), reason: Why }), reply: Done, op: 4, ...edit }),
    review: post(`${path}/submission/review`, {
      body: z.strictObject({ ids: z.array(id('publishing.submission')).min(1, { error: '请选择提交内容' }).max(300), grade: z.string().trim().max(20).default(''), note: Reason.default('') }), reply: z.object({ changed: count }), op: 4, ...edit,
    }),
  })
}

export const noticeList = postList('通知')
export const informationList = postList('信息收集')

/** Notices of every kind but collections. */
export const noticeApi = postApi('notice', 'publishing.notice', noticeList)
/** Collections, in both editions. */
export const informationApi = postApi('information', 'publishing.information', informationList)
export type PostApi = typeof noticeApi
