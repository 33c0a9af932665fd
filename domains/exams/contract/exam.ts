import { grade_codes } from '@campus/calendar/contract'
import { DeptId } from '@campus/people/contract'
import { api, choice, Day, del, dictionaryCode, Done, exportOf, get, id, Instant, keyword, list, post, put } from '@kit/contract'
import { z } from 'zod'
import { absent_modes, EXAM_WAY, exam_states, rank_modes, score_modes } from './dictionary.ts'

export const ExamId = id('exams.exam')
export const PaperId = id('exams.paper')
export const SessionId = id('exams.session')
const most_days = 31
const [most_papers, most_sessions] = [90, 40] as const

const Name = z.string({ error: '请填写考试名称' }).trim().min(1, { error: '请填写考试名称' }).max(50, { error: '考试名称不能超过50个字' })
const Reason = z.string().trim().min(2, { error: '请填写2至200个字的原因' }).max(200, { error: '请填写2至200个字的原因' })
const editable = {
  exam_name: Name,
  exam_kind: z.string({ error: '请选择考试类型' }).regex(/^\d{2}$/u, { error: '请选择考试类型' }),
  begin_date: z.iso.date({ error: '请选择开始日期' }),
  end_date: z.iso.date({ error: '请选择结束日期' }),
  score_mode: z.enum(['score', 'level'], { error: '请选择成绩呈现方式' }).default('score'),
  show_rank: z.enum(['none', 'self_band', 'self_rank']).default('none'),
  absent_as: z.enum(['exclude', 'zero']).default('exclude'),
  decimals: z.union([z.literal(0), z.literal(1)]).default(1),
  double_entry: z.boolean().default(false),
  override_reason: Reason.nullable().default(null),
}
const Grades = z.array(z.enum(grade_codes)).min(1, { error: '请选择年级' }).max(18)
type Days = { begin_date: string; end_date: string }
const checkDays = ({ begin_date, end_date }: Days, context: z.RefinementCtx) => {
  const days = (Date.parse(end_date) - Date.parse(begin_date)) / 86_400_000
  if (days < 0) context.addIssue({ code: 'custom', path: ['end_date'], message: '结束日期不能早于开始日期' })
  if (days >= most_days) context.addIssue({ code: 'custom', path: ['end_date'], message: '考试不能超过31天' })
}
const ExamDraft = z.strictObject({ ...editable, semester_id: z.number({ error: '请选择学期' }).int(), grades: Grades }).superRefine(checkDays)
const ExamPatch = z.strictObject({ ...editable, row_version: z.number().int() }).superRefine(checkDays)
/** The fields by themselves, for the rules of the form. */
export const exam_fields = { ...editable, grades: Grades }

export const ExamRow = z.object({
  exam_id: ExamId, exam_name: z.string(), exam_kind: z.string(), semester_id: z.number().int(), begin_date: Day, end_date: Day, grades: z.array(z.string()),
  state: z.number().int(), score_mode: z.enum(['score', 'level']), show_rank: z.enum(['none', 'self_band', 'self_rank']), absent_as: z.enum(['exclude', 'zero']),
  decimals: z.number().int(), double_entry: z.boolean(), override_reason: z.string().nullable(), papers: z.number().int(),
    sessions: z.number().int(), candidates: z.number().int(),
  seated_pct: z.number().int(), scored_pct: z.number().int(), plan_version: z.number().int(), publish_version: z.number().int(), row_version: z.number().int(),
})
export type ExamRow = z.output<typeof ExamRow>

/** The list of exams. */
export const examList = list({
  title: '考试', unit: '场', row: ExamRow, key: 'exam_id',
  columns: {
    exam_name: { label: '考试名称', width: 232 },
    exam_kind: { label: '考试类型', width: 120, dictionary: 'EXAM_KIND' },
    grades: { label: '年级', width: 136, text: row => row.grades.join('；') },
    begin_date: { label: '开始日期', width: 108, kind: 'day' },
    end_date: { label: '结束日期', width: 108, kind: 'day' },
    state: { label: '状态', width: 104, names: exam_states },
    candidates: { label: '考生', width: 72, kind: 'number' },
    seated_pct: { label: '编排', unit: '%', width: 88, kind: 'number' },
    scored_pct: { label: '录分', unit: '%', width: 88, kind: 'number' },
    score_mode: { label: '成绩呈现', width: 88, names: score_modes },
    show_rank: { label: '公布排名', width: 112, names: rank_modes },
    absent_as: { label: '缺考', width: 80, names: absent_modes },
  },
  filters: {
    keyword: keyword('考试名称'),
    exam_kind: dictionaryCode('考试类型', 'EXAM_KIND'),
    grade: dictionaryCode('年级', 'GRADE'),
    phase: choice('阶段', { plan: '编排', running: '考试与录分', done: '已发布', cancelled: '已取消' }),
  },
})

const percent = (max = 100) => z.number({ error: '请填写百分比' }).int({ error: '百分比为整数' }).min(1).max(max)
const Paper = {
  subject: z.string().min(1, { error: '请选择学科' }).max(4), grade: z.enum(grade_codes), dept_ids: z.array(DeptId).max(60), exam_way: z.enum(EXAM_WAY.codes),
  full_score: z.number({ error: '请填写满分' }).min(1, { error: '满分为1至300' }).max(300, { error: '满分为1至300' }).multipleOf(0.5, { error: '满分以0.5为单位' }),
  minutes: z.number({ error: '请填写时长' }).int().min(10, { error: '时长为10至300分钟' }).max(300, { error: '时长为10至300分钟' }),
  excellent_pct: percent(), good_pct: percent(), pass_pct: percent(), low_pct: percent(), assign: z.enum(['none', '3+1+2']), in_total: z.boolean(),
}
export const PaperRow = z.object({ paper_id: PaperId, ...Paper })
export type PaperRow = z.output<typeof PaperRow>
const PaperDraft = z.strictObject({ paper_id: PaperId.nullable(), ...Paper }).refine(
  ({ excellent_pct, good_pct, pass_pct, low_pct }) => excellent_pct > good_pct && good_pct > pass_pct && pass_pct > low_pct, { path: ['good_pct'], error: '优秀、良好、及格、低分线应依次降低' })
export type PaperDraft = z.output<typeof PaperDraft>

const SessionFacts = { session_name: z.string().trim().min(1, { error: '请填写场次名称' }).max(30), begin_at: Instant, end_at: Instant, paper_ids: z.array(PaperId).min(1, { error: '请选择科目' }).max(20) }
export const SessionRow = z.object({ session_id: SessionId, ...SessionFacts })
export type SessionRow = z.output<typeof SessionRow>
export const SessionDraft = z.strictObject({ session_id: SessionId.nullable(), ...SessionFacts })
  .refine(({ begin_at, end_at }) => Date.parse(begin_at) < Date.parse(end_at), { path: ['end_at'], error: '结束时间应晚于开始时间' })
export type SessionDraft = z.output<typeof SessionDraft>

/** One step of the plan: done or not, and what is still missing. */
export const Step = z.object({ key: z.enum(['setting', 'paper', 'session', 'candidate', 'room', 'seat', 'duty', 'publish']), done: z.boolean(), text: z.string() })
export type Step = z.output<typeof Step>
export const Clash = z.object({ session_ids: z.array(SessionId), text: z.string() })
export type Clash = z.output<typeof Clash>
const ClassFact = z.object({ dept_id: DeptId, dept_name: z.string(), grade: z.string() })
export const ExamPlan = z.object({
  exam: ExamRow, papers: z.array(PaperRow), sessions: z.array(SessionRow), classes: z.array(ClassFact), steps: z.array(Step), clashes: z.array(Clash), notes: z.array(z.string()),
})
export type ExamPlan = z.output<typeof ExamPlan>

const byId = z.object({ exam_id: ExamId })
const edit = { need: 'exams.exam.edit' } as const
const view = { need: 'exams.exam.view' } as const
const Saved = z.object({ row: ExamRow })

/** Exams as plans: settings, papers, sessions (chapter 55 §4). */
export const examApi = api('v2', 'exams.exam', {
  list: get('exam/list', { query: examList.query, reply: examList.reply, ...view }),
  export: exportOf(examList, 'exam/export', view),
  terms: get('exam/terms', { reply: z.object({ list: z.array(z.object({ semester_id: z.number().int(), name: z.string(), begin_date: Day, end_date: Day })), current: z.number().int().nullable() }), session: true }),
  read: get('exam/:exam_id/plan', { params: byId, reply: ExamPlan, ...view }),
  add: post('exam/add', { body: ExamDraft, reply: Saved, ...edit }),
  update: put('exam/:exam_id', { params: byId, body: ExamPatch, reply: Saved, ...edit }),
  remove: del('exam/:exam_id', { params: byId, reply: Done, ...edit }),
  copy: post('exam/copy', { body: z.strictObject({ exam_id: ExamId, exam_name: Name, begin_date: z.iso.date() }), reply: Saved, ...edit }),
  cancel: post('exam/:exam_id/cancel', { params: byId, body: z.strictObject({ reason: Reason }), reply: Saved, op: 4, ...edit }),
  savePapers: put('exam/:exam_id/paper', { params: byId, body: z.strictObject({ papers: z.array(PaperDraft).max(most_papers) }), reply: ExamPlan, ...edit }),
  saveSessions: put('exam/:exam_id/session', { params: byId, body: z.strictObject({ sessions: z.array(SessionDraft).max(most_sessions) }), reply: ExamPlan, ...edit }),
  suggest: post('exam/:exam_id/session/suggest', { params: byId, body: z.strictObject({ first: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/u).default('08:30') }), reply: z.object({ sessions: z.array(SessionDraft) }), reads: true, ...edit }),
})
