import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { api, Day, exportOf, firstDay, get, id, Instant, lastDay, list } from '@kit/contract'
import { z } from 'zod'
import { attend_reports, export_needs, view_needs } from './gather.ts'
import { OccurrenceId, result_filters, section_names, whos } from './result-filters.ts'
import type { Who } from './result-filters.ts'
import { attend_flags, ATTEND_STATE, ATTEND_WAY, expect_kinds, flag_names } from './state.ts'

/** The words of the bits of `flags`, in their order. */
export function flagTexts(flags: number): string[] {
  return Object.entries(attend_flags).flatMap(([name, bit]) => ((flags & bit) === 0 ? [] : [flagName(name)]))
}

function flagName(name: string): string {
  const names: Readonly<Record<string, string>> = flag_names
  return names[name] ?? name
}

/** Names one result. */
export const ResultKey = z.object({
  lesson_date: Day,
  expect_kind: z.coerce.number().int().min(1).max(expect_kinds.exam),
  occurrence_id: OccurrenceId,
  user_id: UserId,
})
export type ResultKey = z.output<typeof ResultKey>

export const DetailRow = z.object({
  row_key: z.string(),
  ...ResultKey.shape,
  expect_kind: z.number().int(),
  person_kind: z.number().int(),
  user_name: z.string(),
  user_no: z.string().nullable(),
  dept_name: z.string().nullable(),
  section: z.number().int(),
  subject: z.string().nullable(),
  course_name: z.string().nullable(),
  class_name: z.string().nullable(),
  teacher_names: z.string(),
  place_id: PlaceId.nullable(),
  place_name: z.string().nullable(),
  role: z.number().int().nullable(),
  in_at: Instant.nullable(),
  out_at: Instant.nullable(),
  identify_type: z.number().int().nullable(),
  state: z.number().int(),
  late_min: z.number().int(),
  early_min: z.number().int(),
  flags: z.number().int(),
  provisional: z.boolean(),
  corrected: z.boolean(),
})
export type DetailRow = z.output<typeof DetailRow>

/** 个人明细: one row an expectation of a person. */
export const detailList = list({
  title: '个人考勤明细',
  row: DetailRow,
  key: 'row_key',
  is_about_people: true,
  columns: {
    lesson_date: { label: '日期', width: 100, kind: 'day' },
    section: { label: '节次', width: 64, names: section_names },
    user_name: { label: '姓名', width: 80 },
    user_no: { label: '学号/工号', width: 100 },
    dept_name: { label: '班级/部门', width: 104 },
    course_name: { label: '课程', width: 96 },
    class_name: { label: '教学班', width: 104 },
    teacher_names: { label: '教师', width: 88 },
    place_name: { label: '教室', width: 112 },
    in_at: { label: '签到', width: 132, kind: 'second' },
    out_at: { label: '签退', width: 132, kind: 'second' },
    identify_type: { label: '方式', width: 72, names: ATTEND_WAY.names },
    state: { label: '状态', width: 108, names: ATTEND_STATE.names },
    late_min: { label: '迟到', unit: '分', width: 72, kind: 'number' },
    early_min: { label: '早退', unit: '分', width: 72, kind: 'number' },
    flags: { label: '标记', width: 136, text: row => flagTexts(row.flags).join('、') },
    corrected: { label: '更正', width: 60, kind: 'flag' },
  },
  filters: { ...result_filters, from: firstDay('日期', 'to'), to: lastDay() },
})
export type DetailQuery = z.output<typeof detailList.query>

const Rung = z.object({ step: z.string(), hit: z.boolean(), text: z.string() })
const Seen = z.object({
  event_date: Day,
  source: z.number().int(),
  source_key: z.string(),
  at: Instant.nullable(),
  place_name: z.string().nullable(),
  identify_type: z.number().int().nullable(),
  claim: z.string(),
  voided: z.boolean(),
  is_decisive: z.boolean(),
})
const Shift = z.object({ at: Instant, from_state: z.number().int().nullable(), to_state: z.number().int().nullable(), cause: z.string() })
const Fix = z.object({
  correction_id: id('attendance.correction'),
  from_state: z.number().int(),
  to_state: z.number().int(),
  reason_text: z.string(),
  state: z.number().int(),
  asked_name: z.string(),
  asked_at: Instant,
})
/** Why a row says what it says: the ladder, and what it was judged from (chapter 55 §4). */
export const RowEvidence = z.object({
  row: DetailRow,
  rule_version: z.string().nullable(),
  sentence: z.string(),
  ladder: z.array(Rung),
  events: z.array(Seen),
  leaves: z.array(z.object({ leave_id: z.string(), begin_at: Instant, end_at: Instant, leave_type: z.string() })),
  gates: z.array(z.object({ at: Instant, direction: z.number().int(), place_name: z.string().nullable() })),
  corrections: z.array(Fix),
  changes: z.array(Shift),
})
export type RowEvidence = z.output<typeof RowEvidence>
export const change_cause_names = {
  late_event: '补传记录',
  leave: '请假变化',
  timetable: '课表变化',
  rule: '规则变化',
  calendar: '校历变化',
  correction: '更正',
  membership: '班级变动',
  exam: '考试',
  void: '记录作废',
  autochange: '自动免考勤',
  engine: '重新计算',
} as const
export const event_source_names = { '1': '设备', '2': '点名', '3': '扫码', '4': '定位', '5': '补录', '6': '考试签到' } as const
export const event_claim_names = { seen: '打卡', present: '到', absent: '缺', late: '迟到', left: '早退' } as const

function detailApiOf<W extends Who>(who: W) {
  const access = { need: view_needs[who], within: 'dept' } as const
  const exported = { need: export_needs[who], within: 'dept' } as const
  const { subject, classroom } = attend_reports[who].lesson
  return api('v2', `attendance.${who}_detail`, {
    personal: get(`course_attend/${who}/detail/personal/page`, { query: detailList.query, reply: detailList.reply, ...access }),
    subject: get(`course_attend/${who}/detail/subject/page`, { query: subject.query, reply: subject.reply, ...access }),
    classroom: get(`course_attend/${who}/detail/classroom/page`, { query: classroom.query, reply: classroom.reply, ...access }),
    row: get(`course_attend/${who}/row`, { query: ResultKey, reply: RowEvidence, ...access }),
    exportPersonal: exportOf(detailList, `course_attend/${who}/detail/personal/export`, exported),
    exportSubject: exportOf(subject.sheet, `course_attend/${who}/detail/subject/export`, exported),
    exportClassroom: exportOf(classroom.sheet, `course_attend/${who}/detail/classroom/export`, exported),
  })
}
export const studentDetailApi = detailApiOf('student')
export const teacherDetailApi = detailApiOf('teacher')

const Option = z.object({ id: z.string(), name: z.string() })
export type AttendOption = z.output<typeof Option>
/** What the filters of details and gathers may be set to: what occurs in the days and the scope; the first of each is 全部. */
export const attendFilterApi = api('v2', 'attendance.filter', {
  options: get('attend/filter/options', {
    query: z.object({ who: z.enum(whos), date_from: Day, date_to: Day }),
    reply: z.object({
      classroom: z.array(Option),
      identify_type: z.array(Option),
      section: z.array(Option),
      subject: z.array(Option),
      state: z.array(Option),
    }),
    need: 'attendance.detail.view',
    within: 'dept',
  }),
})
