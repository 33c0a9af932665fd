import { api, del, filter, get, Instant, page, PageQuery, post, put, queryList, sheet } from '@kit/contract'
import { z } from 'zod'
import { UserId } from './student.ts'

/** People of one batch (chapter 20 §4 Deletion). */
export const most_deleted = 200
/** Above so many people a second person has to agree (rule 21). */
export const second_person_above = 50

export const delete_levels = ['block', 'warn', 'settle'] as const
export const delete_sources = ['manual', 'import', 'auto', 'subject_request'] as const
export const delete_batch_states = ['checking', 'blocked', 'holding', 'deleting', 'proving', 'finished', 'cancelled'] as const
export const delete_states = ['checking', 'blocked', 'holding', 'deleting', 'waiting_proof', 'deleted', 'error', 'cancelled'] as const

const Level = z.enum(delete_levels)
const BatchNo = z.string().regex(/^D[0-9]{12}$/)
const Time = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, { error: '请填写时间，例如 01:00' })
const days = (to: number) => z.number({ error: '请填写天数' }).int({ error: '请填写整数' }).min(0, { error: '不能小于0' }).max(to, { error: `不能大于${to}` })
const reason_msg = '请填写删除原因'

const config = {
  auto_enabled: z.boolean(),
  /** days after departure from which somebody is proposed */
  leave_days: z.object({ student: days(3650), staff: days(3650) }),
  /** days since a parent was last anybody's parent here */
  parent_idle_days: days(3650),
  hold_days: days(90),
  /** hours in which a terminal has to confirm */
  biometric_hours: z.number({ error: '请填写小时数' }).int({ error: '请填写整数' }).min(1, { error: '不能小于1' }).max(24, { error: '不能大于24' }),
  /** years for which the archive of who left is kept; 0 = for ever */
  archive_years: days(100),
  window: z.object({ from: Time, to: Time }).refine(({ from, to }) => from !== to, { error: '开始和结束时间不能相同', path: ['to'] }),
  /** level of an item; an item that is not named has its own */
  checks: z.record(z.string().max(40), Level),
  /** who may delete, of those who hold the permission; empty: all of them */
  operator_user_ids: z.array(UserId).max(50),
}
export const DeleteConfig = z.strictObject(config)
export type DeleteConfig = z.output<typeof DeleteConfig>

const CheckItem = z.object({ code: z.string(), title: z.string(), level: Level, may_settle: z.boolean(), is_fixed: z.boolean() })
const Person = z.object({ user_id: UserId, user_name: z.string() })
export const DeleteSettings = z.object({ config: DeleteConfig, row_version: z.number().int(), items: z.array(CheckItem), operators: z.array(Person) })
export type DeleteSettings = z.output<typeof DeleteSettings>

const Due = z.object({ students: z.number().int(), staff: z.number().int(), parents: z.number().int(), total: z.number().int() })
export type DeleteDue = z.output<typeof Due>

/** Something unsettled of a person: what, how much it matters, what to do about it and where. */
export const OpenItem = z.object({ code: z.string(), title: z.string(), level: Level, action: z.string(), link: z.string().nullable() })
export type OpenItem = z.output<typeof OpenItem>

/** `mistake`: entered less than a day ago and used by nothing, so that the entry is simply undone. */
export const Prechecked = z.object({ user_id: UserId, user_name: z.string(), user_no: z.string(), person_kind: z.number().int(), dept_name: z.string().nullable(), mistake: z.boolean(), queued: z.string().nullable(), items: z.array(OpenItem) })
export type Prechecked = z.output<typeof Prechecked>

const Ids = z.array(UserId).min(1, { error: '请选择人员' }).max(most_deleted, { error: `一次最多选择${most_deleted}人` })
const Recheck = z.string().min(1).max(200)
const Started = z.object({ batch_no: z.string().nullable(), undone: z.array(UserId), needs_second: z.boolean() })
const Reason = z.string().trim().min(1, { error: reason_msg }).max(200, { error: '超过200个字' })
const run = { need: 'people.delete.run' } as const
const view = { need: 'people.delete.view' } as const

/** Deleting people for good (chapter 20 §4 Deletion). */
export const deleteApi = api('web', 'people.delete', {
  run: post('delUser', { body: z.strictObject({ user_ids: Ids, recheck_token: Recheck, reason: Reason }), reply: Started, op: 5, ...run }),
  runTeacher: del('teacher-with-check/:id', { params: z.object({ id: UserId }), query: z.object({ recheck_token: Recheck, reason: Reason }), reply: Started, ...run }),
  runTeachers: del('teachers-with-check', { query: z.object({ user_ids: queryList(UserId, most_deleted), recheck_token: Recheck, reason: Reason }), reply: Started, ...run }),
  precheck: post('delUser/precheck/list', { reads: true, body: z.strictObject({ user_ids: Ids }), reply: z.object({ list: z.array(Prechecked) }), ...run }),
  operators: get('v4/userInfo/card/auth/operator-list', { reply: z.object({ list: z.array(Person) }), ...view }),
})

const Counts = z.record(z.enum(delete_states), z.number().int())
export const DeleteBatchRow = z.object({
  batch_no: z.string(),
  source: z.enum(delete_sources),
  state: z.enum(delete_batch_states),
  reason: z.string(),
  people: z.number().int(),
  counts: Counts,
  hold_until: Instant.nullable(),
  created_at: Instant,
  created_by: z.string().nullable(),
  confirmed_by: z.string().nullable(),
  second_by: z.string().nullable(),
  /** who is still missing: somebody who wants it, or a second person */
  waits_for: z.enum(['confirm', 'second']).nullable(),
})
export type DeleteBatchRow = z.output<typeof DeleteBatchRow>

const StoreDot = z.object({ store: z.string(), title: z.string(), state: z.enum(['waiting', 'acked']), action: z.enum(['deleted', 'anonymised', 'kept']), is_late: z.boolean() })
export const DeleteDetailRow = z.object({
  batch_no: z.string(),
  user_id: UserId,
  person_kind: z.number().int(),
  user_no: z.string(),
  user_name: z.string(),
  dept_name: z.string().nullable(),
  state: z.enum(delete_states),
  blocks: z.array(OpenItem),
  error: z.string().nullable(),
  stores: z.array(StoreDot),
  purged_at: Instant.nullable(),
})
export type DeleteDetailRow = z.output<typeof DeleteDetailRow>

export const DeleteProof = z.object({
  school_name: z.string(),
  batch_no: z.string(),
  user_id: UserId,
  person_kind: z.number().int(),
  user_no: z.string(),
  user_name: z.string(),
  dept_name: z.string().nullable(),
  reason: z.string(),
  state: z.enum(delete_states),
  purged_at: Instant.nullable(),
  confirmed_by: z.string().nullable(),
  second_by: z.string().nullable(),
  stores: z.array(StoreDot.extend({ basis: z.string().nullable(), asked_at: Instant, acked_at: Instant.nullable(), evidence: z.string().nullable() })),
})
export type DeleteProof = z.output<typeof DeleteProof>

const byNo = z.object({ no: BatchNo })
const BatchQuery = PageQuery.extend({ state: filter(z.enum(delete_batch_states)), source: filter(z.enum(delete_sources)), operator: filter(UserId), batch_no: filter(z.string().max(13)) })
const DetailQuery = PageQuery.extend({ batch_no: BatchNo, state: filter(z.enum(delete_states)), has_error: z.boolean().optional() })
const Changed = z.object({ batch_no: z.string(), state: z.enum(delete_batch_states) })
const Exported = z.strictObject({ batch_no: BatchNo, reason: z.string().trim().max(100).default('') })

/** What the school wants, and the batches (chapter 20 §4 Deletion). */
export const userDeleteApi = api('core', 'people.user_delete', {
  config: get('user-delete/config', { reply: DeleteSettings, need: 'people.delete.config' }),
  saveConfig: put('user-delete/config', { body: DeleteConfig.extend({ row_version: z.number().int() }), reply: DeleteSettings, need: 'people.delete.config' }),
  due: post('user-delete/config/due', { reads: true, body: DeleteConfig, reply: Due, need: 'people.delete.config' }),
  batches: post('user-delete/batch/page', { reads: true, body: BatchQuery, reply: page(DeleteBatchRow), ...view }),
  details: post('user-delete/detail/page', { reads: true, body: DetailQuery, reply: page(DeleteDetailRow), ...view }),
  exportErrors: post('user-delete/detail/error/export', { body: Exported, reply: sheet, op: 7, ...view }),
  exportAll: post('user-delete/detail/all/export', { body: Exported, reply: sheet, op: 7, ...view }),
  confirm: post('user-delete/batch/:no/confirm', { params: byNo, body: z.strictObject({ recheck_token: Recheck }), reply: Changed, op: 4, ...run }),
  cancel: post('user-delete/batch/:no/cancel', { params: byNo, body: z.strictObject({ user_ids: Ids.optional() }), reply: Changed, op: 4, ...run }),
  retry: post('user-delete/batch/:no/retry', { params: byNo, body: z.strictObject({ user_ids: Ids.optional() }), reply: Changed, op: 4, ...run }),
  proof: get('user-delete/proof/:no/:user_id', { params: byNo.extend({ user_id: UserId }), reply: DeleteProof, op: 13, ...view }),
})
