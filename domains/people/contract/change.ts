import { api, Day, filter, get, id, Instant, page, PageQuery, post, put, sheet } from '@kit/contract'
import { z } from 'zod'
import { ChangeId, EffectId } from './change-id.ts'
import { ClosingReason, NeededReason, Reason } from './change-parts.ts'
import { DeptId } from './dept.ts'
import { CHANGE_KIND } from './dictionary.ts'
import { ClassMove, Leave, Resume, Return, Suspend } from './pupil-change.ts'
import { StaffLeave, StaffMove, StaffReturn } from './staff-change.ts'
import { UserId } from './student.ts'

/** Every kind of command (chapter 20 §1.3). */
export const change_kinds = CHANGE_KIND.codes
export type ChangeKind = (typeof change_kinds)[number]
export const change_states = ['draft', 'scheduled', 'applied', 'settled', 'cancelled', 'undoing', 'undone', 'failed'] as const
export const effect_states = ['planned', 'waiting', 'running', 'done', 'failed', 'skipped', 'undone'] as const

/** Permission codes beside the `need` of the calls (chapter 20 §2, rule 3). */
export const change_codes = { grave: 'people.change.grave', overfill: 'people.change.overfill', backdate: 'people.change.backdate' } as const

/** Every command that can be previewed and given. */
export const ChangeDraft = z.discriminatedUnion('kind', [ClassMove, Leave, Suspend, Resume, Return, StaffMove, StaffLeave, StaffReturn])
export type ChangeDraft = z.output<typeof ChangeDraft>
/** What moves many at once without a preview. */
const Moves = z.discriminatedUnion('kind', [ClassMove.extend({ kind: z.literal('CLASS') }), StaffMove])
export type Moves = z.output<typeof Moves>

const SubjectImage = z.object({ dept_id: DeptId.nullable(), dept_name: z.string().nullable(), state: z.string().nullable() })
export const ChangeSubject = z.object({
  user_id: UserId,
  user_name: z.string(),
  user_no: z.string(),
  before: SubjectImage,
  after: SubjectImage,
  /** sentences to read before applying: 班级人数将超过上限 … */
  warnings: z.array(z.string()),
})
export type ChangeSubject = z.output<typeof ChangeSubject>

const PlannedEffect = z.object({
  domain: z.string(),
  effect_code: z.string(),
  title: z.string(),
  count: z.number().int(),
  undoable: z.boolean(),
  detail: z.string().nullable(),
})
/** What stands in the way; `code` is the id of the refusal that applying would answer. */
const Block = z.object({ code: z.string(), title: z.string(), user_id: UserId.nullable(), link: z.string().nullable() })

export const ChangePreview = z.object({
  plan_hash: z.string(),
  subjects: z.array(ChangeSubject),
  effects: z.array(PlannedEffect),
  blocks: z.array(Block),
})
export type ChangePreview = z.output<typeof ChangePreview>

const Effect = z.object({
  id: id('people.change_effect'),
  user_id: UserId.nullable(),
  domain: z.string(),
  effect_code: z.string(),
  title: z.string(),
  state: z.enum(effect_states),
  detail: z.string().nullable(),
  undoable: z.boolean(),
  done_at: Instant.nullable(),
})

/** One line of the change record. */
export const ChangeRow = z.object({
  command_id: ChangeId,
  kind: z.enum(change_kinds),
  state: z.enum(change_states),
  effective_on: Day,
  subject_count: z.number().int(),
  /** the first names, so that a line says whom it moved */
  subject_names: z.array(z.string()),
  reason: z.string(),
  created_by: z.string().nullable(),
  created_at: Instant,
  applied_at: Instant.nullable(),
  /** until then the command can be taken back; null: never */
  undo_until: Instant.nullable(),
  counts: z.object({ done: z.number().int(), waiting: z.number().int(), failed: z.number().int(), skipped: z.number().int() }),
})
export type ChangeRow = z.output<typeof ChangeRow>

/**
 * How long rights outlived a departure: seconds from the moment it took effect until the last terminal had confirmed, null while one is waited for; the
 * median of the school's departures of the last 90 days and how many were measured (chapter 20 §10.2).
 */
const Expiry = z.object({ seconds: z.number().int().nullable(), median_seconds: z.number().int().nullable(), measured: z.number().int() })

/** What became of a command and of everything that follows from it. */
export const ChangeReceipt = ChangeRow.extend({
  to_where: z.string().nullable(),
  /** null where no terminal had to confirm anything */
  expiry: Expiry.nullable(),
  subjects: z.array(ChangeSubject),
  effects: z.array(Effect),
  undone_by: z.string().nullable(),
  undo_reason: z.string().nullable(),
})
export type ChangeReceipt = z.output<typeof ChangeReceipt>

const asked = {
  kind: filter(z.enum(change_kinds)),
  state: filter(z.enum(change_states)),
  user_id: filter(UserId),
  from: filter(Day),
  to: filter(Day),
  keyword: filter(z.string().max(50)),
}
const ChangeQuery = PageQuery.extend(asked)

/** What an export is asked for: the filter of the list, and why where many are in it. */
export const ChangeExport = z.strictObject({ ...asked, reason: z.string().trim().max(200).default('') })

/** 待生效, 已完成 …: where a command stands. */
export const change_state_names: Readonly<Record<(typeof change_states)[number], string>> = {
  draft: '草稿', scheduled: '待生效', applied: '处理中', settled: '已完成', cancelled: '已取消', undoing: '撤销中', undone: '已撤销', failed: '失败',
}

const Applied = z.object({ plan_hash: z.string(), draft: ChangeDraft })

/** Commands over people (chapter 20 §4 Changes). */
export const changeApi = api('core', 'people.change', {
  preview: post('change/preview', { reads: true, body: z.strictObject({ draft: ChangeDraft }), reply: ChangePreview, need: 'people.change.run', within: 'dept' }),
  apply: post('change/apply', { body: Applied, op: 4, reply: ChangeReceipt, need: 'people.change.run', within: 'dept' }),
  page: get('change/page', { query: ChangeQuery, reply: page(ChangeRow), need: 'people.change.view', within: 'dept' }),
  export: post('change/export', { body: ChangeExport, reply: sheet, need: 'people.change.export', within: 'dept', op: 7 }),
  detail: get('change/:id', { params: z.object({ id: ChangeId }), reply: ChangeReceipt, need: 'people.change.view', within: 'dept' }),
  cancel: post('change/:id/cancel', { params: z.object({ id: ChangeId }), body: z.strictObject({ reason: Reason.default('') }), op: 14, reply: ChangeReceipt, need: 'people.change.run', within: 'dept' }),
  undo: post('change/:id/undo', { params: z.object({ id: ChangeId }), body: z.strictObject({ reason: NeededReason }), op: 14, reply: ChangeReceipt, need: 'people.change.undo', within: 'dept' }),
  retry: post('change/effect/:id/retry', { params: z.object({ id: EffectId }), op: 4, reply: ChangeReceipt, need: 'people.change.run', within: 'dept' }),
  close: post('change/effect/:id/close', { params: z.object({ id: EffectId }), body: z.strictObject({ reason: ClosingReason }), op: 4, reply: ChangeReceipt, need: 'people.change.run', within: 'dept' }),
})

/** The old name of moving many pupils at once; one command, no preview asked (chapter 20 §4 CRUD). */
export const memberApi = api('web', 'people.member', {
  move: put('batch_update_user_dept', { body: Moves, reply: ChangeReceipt, need: 'people.change.run', within: 'dept' }),
})
