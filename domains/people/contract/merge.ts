import { api, filter, get, id, Instant, page, PageQuery, post } from '@kit/contract'
import { z } from 'zod'
import { ChangeId } from './change-id.ts'
import { MERGE_SIGNAL } from './dictionary.ts'
import { UserId } from './student.ts'

const MergeId = id('people.merge_log')
const CaseId = id('people.merge_case')

/** Two of the staff, two parents or a parent and one of the staff, two pupils (chapter 20 rule 19). */
export const merge_kinds = ['teacher', 'parent', 'student'] as const
export type MergeKind = (typeof merge_kinds)[number]

/** Why two files look like one human being, and what each sign counts (rule 20). */
export const merge_signals = MERGE_SIGNAL.codes
export type MergeSignal = (typeof merge_signals)[number]
export const signal_scores: Readonly<Record<MergeSignal, number>> = { mobile: 60, name_birthday: 50, name_guardian: 45, face: 40, pinyin_class: 25 }
/** From this score on a pair is put before somebody. */
export const case_score = 50

const Side = z.enum(['keep', 'drop'])

/** One of the two people; numbers masked. `label`: class, department or children. */
export const MergePerson = z.object({
  user_id: UserId,
  user_name: z.string(),
  person_kind: z.number().int(),
  user_no: z.string(),
  label: z.string(),
  mobile: z.string().nullable(),
  birthday: z.string().nullable(),
})
export type MergePerson = z.output<typeof MergePerson>

export const MergeCaseRow = z.object({
  case_id: CaseId,
  kind: z.enum(merge_kinds),
  score: z.number().int(),
  signals: z.array(z.enum(merge_signals)),
  state: z.enum(['open', 'dismissed', 'merged']),
  a: MergePerson,
  b: MergePerson,
  opened_at: Instant,
  decided_by: z.string().nullable(),
  decided_at: Instant.nullable(),
})
export type MergeCaseRow = z.output<typeof MergeCaseRow>

/** One field of both files as it may be shown; empty texts are empty fields. `proposed`: whose value is taken unless somebody chooses. */
const MergeField = z.object({
  field: z.string(),
  label: z.string(),
  keep: z.string(),
  drop: z.string(),
  verdict: z.enum(['same', 'keep', 'drop', 'both']),
  proposed: Side,
})
export type MergeField = z.output<typeof MergeField>
const MergeConflict = z.object({ code: z.string(), domain: z.string(), title: z.string(), keep: z.string(), drop: z.string() })
const MergeMove = z.object({ domain: z.string(), domain_title: z.string(), title: z.string(), count: z.number().int() })

/** What a merge of these two would do. */
export const MergePreview = z.object({
  plan_hash: z.string(),
  kind: z.enum(merge_kinds),
  keep: MergePerson,
  drop: MergePerson,
  /** the other way round is possible too */
  can_swap: z.boolean(),
  fields: z.array(MergeField),
  /** must be solved: one of the two sides by `code` in `chosen` */
  conflicts: z.array(MergeConflict),
  moves: z.array(MergeMove),
})
export type MergePreview = z.output<typeof MergePreview>

const MergeDone = z.object({ merge_id: MergeId, command_id: ChangeId, reversible_until: Instant, moved: z.number().int() })

/** A merge that was done. `left`: what stayed with the kept person when it was taken back. */
const Left = z.object({ domain_title: z.string(), title: z.string(), count: z.number().int(), why: z.enum(['born', 'changed']) })
export const MergeLogRow = z.object({
  merge_id: MergeId,
  kind: z.enum(merge_kinds),
  state: z.enum(['active', 'reversed']),
  keep: z.object({ user_id: UserId, user_name: z.string() }),
  drop: z.object({ user_id: UserId, user_name: z.string() }),
  merged_by: z.string().nullable(),
  merged_at: Instant,
  reversible_until: Instant,
  reversed_by: z.string().nullable(),
  reversed_at: Instant.nullable(),
  moved: z.number().int(),
  left: z.array(Left),
})
export type MergeLogRow = z.output<typeof MergeLogRow>
/** A merge as it is printed for a parent or an inspector (chapter 20 §10.4): whose records moved, and what became of them when it was taken back. */
export const MergeProof = MergeLogRow.extend({
  school_name: z.string(),
  keep_no: z.string(),
  drop_no: z.string(),
  parts: z.array(z.object({ domain_title: z.string(), count: z.number().int() })),
})
export type MergeProof = z.output<typeof MergeProof>
export const MergeReversed = z.object({ merge_id: MergeId, restored: z.number().int(), left: z.array(Left) })
export type MergeReversed = z.output<typeof MergeReversed>

const pair = { keep: UserId, drop: UserId }
const Chosen = z.record(z.string().max(60), Side)
const Recheck = z.string().min(1).max(200)
const MergeBody = z.strictObject({ ...pair, chosen: Chosen.default({}), plan_hash: z.string().max(64), recheck_token: Recheck })
export type MergeBody = z.output<typeof MergeBody>
const run = { need: 'people.merge.run', within: 'dept' } as const

const CaseQuery = PageQuery.extend({
  state: filter(z.enum(['open', 'dismissed', 'merged'])),
  kind: filter(z.enum(merge_kinds)),
  keyword: filter(z.string().max(50)),
})
const LogQuery = PageQuery.extend({ state: filter(z.enum(['active', 'reversed'])) })

/** Pairs that look like one human being, and what was decided of them (chapter 20 §4 Merge). */
export const mergeApi = api('core', 'people.merge', {
  cases: get('merge/case/page', { query: CaseQuery, reply: page(MergeCaseRow), ...run }),
  log: get('merge/log/page', { query: LogQuery, reply: page(MergeLogRow), ...run }),
  proof: get('merge/:id/proof', { params: z.object({ id: MergeId }), reply: MergeProof, ...run }),
  preview: post('merge/preview', { reads: true, body: z.strictObject(pair), reply: MergePreview, ...run }),
  reverse: post('merge/:id/reverse', { params: z.object({ id: MergeId }), body: z.strictObject({ recheck_token: Recheck }), reply: MergeReversed, op: 14, ...run }),
  dismiss: post('merge/case/:id/dismiss', { params: z.object({ id: CaseId }), reply: z.object({ case_id: CaseId }), op: 4, ...run }),
})

/** Makes one of two files (chapter 20 §4 Merge); a parent may go into one of the staff. */
export const mergeRunApi = api('web', 'people.merge_run', {
  teacher: post('userInfo/merge/teacher', { body: MergeBody, reply: MergeDone, op: 4, ...run }),
  parent: post('userInfo/merge/parent', { body: MergeBody, reply: MergeDone, op: 4, ...run }),
  student: post('userInfo/merge/student', { body: MergeBody, reply: MergeDone, op: 4, ...run }),
})
