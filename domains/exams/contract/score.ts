import { DeptId, UserId } from '@campus/people/contract'
import { api, Done, get, id, Instant, post, put } from '@kit/contract'
import { z } from 'zod'
import { ExamId, ExamRow, PaperId } from './exam.ts'

const AmendId = id('exams.amend')
const [most_cells, most_text, most_line] = [2000, 10, 3000] as const
const Reason = z.string().trim().min(2, { error: '请填写2至200个字的原因' }).max(200, { error: '请填写2至200个字的原因' })
const byExam = z.object({ exam_id: ExamId })
const view = { need: 'exams.score.view', within: 'dept' } as const
const enter = { need: 'exams.score.enter', within: 'dept' } as const
const Cell = z.object({ paper_id: PaperId, text: z.string(), version: z.number().int() })
const GridPaper = z.object({ paper_id: PaperId, subject: z.string(), full_score: z.number(), submitted: z.boolean(), may_enter: z.boolean() })
export const ScoreGrid = z.object({
  decimals: z.number().int(), papers: z.array(GridPaper), rows: z.array(z.object({ user_id: UserId, user_name: z.string(), student_no: z.string(), exam_no: z.string().nullable(), cells: z.array(Cell) })),
})
export type ScoreGrid = z.output<typeof ScoreGrid>
export const EntryTask = z.object({
  paper_id: PaperId, subject: z.string(), grade: z.string(), dept_id: DeptId, dept_name: z.string(), teachers: z.string(), wanted: z.number().int(), entered: z.number().int(),
  submitted_at: Instant.nullable(), submitted_by: z.string().nullable(), may_enter: z.boolean(),
})
export type EntryTask = z.output<typeof EntryTask>
const Slice = z.strictObject({ exam_id: ExamId, paper_id: PaperId, dept_id: DeptId })
const SavedCell = z.object({ paper_id: PaperId, user_id: UserId, text: z.string(), version: z.number().int() })

const SecondCell = z.strictObject({ paper_id: PaperId, user_id: UserId, value: z.string().max(most_text, { error: '内容不能超过10个字' }) })
const Difference = z.object({ user_id: UserId, user_name: z.string(), exam_no: z.string().nullable(), subject: z.string(),
  first: z.string(), second: z.string() })

/** Entering scores (chapter 55 §4, rule 33). */
export const scoreApi = api('v2', 'exams.score', {
  classes: get('exam/score/class', { query: byExam, reply: z.object({ list: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), grade: z.string() })) }), ...view }),
  grid: get('exam/score/grid', { query: z.object({ exam_id: ExamId, dept_id: DeptId }), reply: ScoreGrid, ...view }),
  cell: put('exam/score/cell', {
    body: z.strictObject({ exam_id: ExamId, cells: z.array(z.strictObject({ paper_id: PaperId, user_id: UserId, value: z.string().max(most_text, { error: '内容不能超过10个字' }), version: z.number().int().min(0) })).min(1).max(most_cells, { error: '一次最多保存2000个成绩' }) }),
    reply: z.object({ cells: z.array(SavedCell) }), ...enter,
  }),
  second: get('exam/score/second', { query: z.object({ exam_id: ExamId, dept_id: DeptId }), reply: ScoreGrid, ...enter }),
  secondCell: put('exam/score/second', {
    body: z.strictObject({ exam_id: ExamId, cells: z.array(SecondCell).min(1).max(most_cells, { error: '一次最多保存2000个成绩' }) }),
      reply: z.object({ cells: z.array(SavedCell) }), ...enter,
  }),
  differences: get('exam/score/difference', { query: z.object({ exam_id: ExamId, dept_id: DeptId }),
    reply: z.object({ list: z.array(Difference) }), ...view }),
  tasks: get('exam/entry/task', { query: byExam, reply: z.object({ list: z.array(EntryTask) }), ...view }),
  submit: post('exam/entry/submit', { body: Slice, reply: Done, op: 4, ...enter }),
  giveBack: post('exam/entry/return', { body: Slice.extend({ reason: Reason }), reply: Done, op: 4, need: 'exams.release.audit' }),
})

const Line = z.object({ paper_id: PaperId, subject: z.string(), text: z.string(), assigned: z.number().nullable() })
export const ResultRow = z.object({
  user_id: UserId, user_name: z.string(), student_no: z.string(), dept_id: DeptId, dept_name: z.string(), scores: z.array(Line), total: z.number().nullable(), rank_class: z.number().int().nullable(), rank_grade: z.number().int().nullable(), change: z.number().nullable(),
})
export type ResultRow = z.output<typeof ResultRow>
const Figures = z.object({
  name: z.string(), dept_id: DeptId.nullable(), n: z.number().int(), mean: z.number().nullable(), median: z.number().nullable(), sd: z.number().nullable(), max: z.number().nullable(), min: z.number().nullable(),
  excellent: z.number().nullable(), good: z.number().nullable(), pass: z.number().nullable(), low: z.number().nullable(), over: z.number().nullable(),
})
export type Figures = z.output<typeof Figures>
export const Analysis = z.object({
  full: z.number(), papers: z.array(z.object({ paper_id: PaperId, subject: z.string() })), figures: z.array(Figures), difficulty: z.number().nullable(), discrimination: z.number().nullable(), absent: z.number().int(),
  bins: z.array(z.object({ name: z.string(), n: z.number().int() })), boxes: z.array(z.object({ name: z.string(), box: z.tuple([z.number(), z.number(), z.number(), z.number(), z.number()]) })),
  segments: z.array(z.object({ score: z.number().int(), n: z.number().int(), above: z.number().int() })),
  heat: z.object({ classes: z.array(z.string()), subjects: z.array(z.string()), values: z.array(z.array(z.number().nullable())) }),
  near: z.array(z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string(), score: z.number(), gap: z.number() })),
  trend: z.array(z.object({ name: z.string(), before: z.number(), after: z.number() })),
})
export type Analysis = z.output<typeof Analysis>
export const AmendRow = z.object({
  amend_id: AmendId, user_name: z.string(), dept_name: z.string(), subject: z.string(), from_text: z.string(), to_text: z.string(), reason: z.string(), state: z.number().int(), asked_by_name: z.string(), asked_at: Instant,
  decided_by_name: z.string().nullable(), is_mine: z.boolean(),
})
export type AmendRow = z.output<typeof AmendRow>
const Audiences = z.array(z.union([z.literal(1), z.literal(2), z.literal(3)])).min(1, { error: '请选择公布给谁' }).max(3)
export const ReleaseState = z.object({
  checks: z.array(z.object({ text: z.string(), ok: z.boolean() })), reviewed_by: z.string().nullable(),
  releases: z.array(z.object({ publish_version: z.number().int(), at: Instant, by_name: z.string(), audiences: z.array(z.number().int()), score_mode: z.string(), show_rank: z.string(), withdrawn_at: Instant.nullable(), reason: z.string() })),
})
export type ReleaseState = z.output<typeof ReleaseState>
const MyLine = z.object({
  paper_id: PaperId, subject: z.string(), score: z.string().nullable(), level: z.string().nullable(),
  review: z.object({ state: z.number().int(), answer: z.string() }).nullable(),
})
export const MyScore = z.object({
  exam_id: ExamId, exam_name: z.string(), user_id: UserId, user_name: z.string(), released_at: Instant, score_mode: z.string(),
    lines: z.array(MyLine),
  total: z.number().nullable(), rank: z.string().nullable(), review_until: Instant, may_review: z.boolean(),
})
export type MyScore = z.output<typeof MyScore>
const release = { need: 'exams.release.publish' } as const
const Saved = z.object({ row: ExamRow })
const LineScore = z.coerce.number().min(0).max(most_line).optional()

/** Review, publication, analysis and amendments of results (chapter 55 §4, rules 34–38). */
export const resultApi = api('v2', 'exams.result', {
  list: get('exam/:exam_id/result', { params: byExam, query: z.object({ dept_id: DeptId, compare_id: ExamId.optional() }),
    reply: z.object({ list: z.array(ResultRow) }), op: 13, ...view }),
  analysis: get('exam/:exam_id/analysis', {
    params: byExam, query: z.object({ grade: z.string().max(2), paper_id: PaperId.optional(), compare_id: ExamId.optional(), line: LineScore, band: z.coerce.number().min(0).max(100).default(10) }), reply: Analysis, need: 'exams.analysis.view', within: 'dept',
  }),
  state: get('exam/:exam_id/release', { params: byExam, reply: ReleaseState, need: 'exams.score.view' }),
  review: post('exam/:exam_id/review_all', { params: byExam, reply: Saved, op: 4, need: 'exams.release.audit' }),
  publish: post('exam/:exam_id/publish', { params: byExam, body: z.strictObject({ audiences: Audiences, score_mode: z.enum(['score',
    'level']), show_rank: z.enum(['none', 'self_band', 'self_rank']), recheck_token: z.string().min(1).max(200) }), reply: Saved, op: 4,
      ...release }),
  withdraw: post('exam/:exam_id/withdraw', { params: byExam, body: z.strictObject({ reason: Reason }), reply: Saved, op: 4, ...release }),
  amends: get('exam/score/amend/page', { query: byExam, reply: z.object({ list: z.array(AmendRow) }), need: 'exams.score.amend', within: 'dept' }),
  amend: post('exam/score/amend', {
    body: z.strictObject({ exam_id: ExamId, paper_id: PaperId, user_id: UserId, value: z.string().max(most_text), reason: Reason }), reply: z.object({ amend_id: AmendId }), op: 4, need: 'exams.score.amend', within: 'dept',
  }),
  decide: post('exam/score/amend/approve', { body: z.strictObject({ amend_id: AmendId, agreed: z.boolean() }), reply: Done, op: 4, need: 'exams.score.approve' }),
  mine: get('exam/my/score', { query: z.object({ user_id: UserId.optional() }), reply: z.object({ list: z.array(MyScore) }), session: true, within: 'self' }),
})
