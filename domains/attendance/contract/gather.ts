import { UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { CourseId } from '@campus/teaching/contract'
import { api, count, Day, exportOf, get, minutes, rate, report } from '@kit/contract'
import type { KeyFact } from '@kit/contract'
import { z } from 'zod'
import { most_detail_days, most_term_days, OccurrenceId, result_filters, section_names, who_names } from './result-filters.ts'
import type { Who } from './result-filters.ts'

const narrow = 68
const shown = (label: string) => ({ ...count(label, ''), width: narrow })

/** 应到 is the sum of the ten states; 出勤率 leaves out leave, exempt, open and unverified ones (chapter 55 §3.20). */
const attend_measures = {
  expected: shown('应到'),
  normal: shown('正常'),
  late: shown('迟到'),
  early: shown('早退'),
  absent: shown('缺勤'),
  leave: shown('请假'),
  waiting: { ...shown('未到时间'), width: 84 },
  made_up: shown('补签'),
  outside: shown('外勤'),
  exempt: { ...shown('免考勤'), width: 76 },
  unverified: { ...shown('待核实'), width: 76 },
  attended: shown('实到'),
  counted: shown('计率'),
  rate: { ...rate('出勤率', 'attended', 'counted'), width: 92 },
  late_min: { ...minutes('迟到'), width: 92 },
}
export type AttendMeasure = keyof typeof attend_measures
/** The state that a measure counts, as the filter of the rows behind it. */
export const state_of_measure: Readonly<Partial<Record<string, string>>> = {
  normal: '1',
  late: '2',
  early: '3',
  absent: '4',
  leave: '5',
  waiting: '6',
  made_up: '7',
  outside: '8',
  exempt: '9',
  unverified: '10',
}

const text = z.string().nullable().default(null)
const number = z.number().int().nullable().default(null)
type Keyed<V extends z.core.$ZodType> = KeyFact<V>
const key = <V extends z.core.$ZodType>(fact: KeyFact<V>, is_shown: boolean): Keyed<V> => (is_shown ? fact : { ...fact, hidden: true })

type Column =
  'lesson_date' | 'section' | 'user_name' | 'user_no' | 'dept_name' | 'course_name' | 'class_name' | 'teacher_names' | 'place_name'

/** Every report knows all keys and shows its own; a key by which it is not grouped is null. */
function keysOf(columns: readonly Column[]) {
  const has = (column: Column) => columns.includes(column)
  return {
    lesson_date: key({ label: '日期', kind: 'day' as const, width: 104, value: Day.nullable().default(null) }, has('lesson_date')),
    place_name: key({ label: '教室', width: 132, value: text }, has('place_name')),
    user_name: key({ label: '姓名', width: 88, value: text }, has('user_name')),
    user_no: key({ label: '学号/工号', width: 104, value: text }, has('user_no')),
    dept_name: key({ label: '班级/部门', width: 104, value: text }, has('dept_name')),
    section: key({ label: '节次', width: 72, names: section_names, value: number }, has('section')),
    course_name: key({ label: '课程', width: 112, value: text }, has('course_name')),
    class_name: key({ label: '教学班', width: 112, value: text }, has('class_name')),
    teacher_names: key({ label: '教师', width: 104, value: text }, has('teacher_names')),
    user_id: key({ label: '', value: UserId.nullable().default(null) }, false),
    place_id: key({ label: '', value: PlaceId.nullable().default(null) }, false),
    course_id: key({ label: '', value: CourseId.nullable().default(null) }, false),
    class_id: key({ label: '', value: text }, false),
    occurrence_id: key({ label: '', value: OccurrenceId.nullable().default(null) }, false),
    teacher_ids: key({ label: '', value: text }, false),
  }
}

function attendReport(title: string, columns: readonly Column[], most_days: number) {
  return report({
    title,
    keys: keysOf(columns),
    measures: attend_measures,
    filters: result_filters,
    range: { most_days, usual: 'week' },
    is_about_people: true,
  })
}
export type AttendReport = ReturnType<typeof attendReport>
export type AttendQuery = z.output<AttendReport['query']>
export type AttendReply = z.output<AttendReport['reply']>

const person = ['user_name', 'user_no', 'dept_name'] as const
/** What each gather adds up (chapter 55 §5), by the end of its path. */
export const gather_titles = {
  subject: '课程考勤汇总',
  personal: '个人考勤汇总',
  personal_section: '个人节次汇总',
  personal_subject: '个人课程汇总',
  classroom: '教室考勤汇总',
  classroom_subject: '教室课程汇总',
  classroom_section: '教室节次汇总',
} as const
export type GatherKind = keyof typeof gather_titles
/** The keys by which each is grouped. */
export const gather_keys = {
  subject: ['course_id'],
  personal: ['user_id'],
  personal_section: ['user_id', 'section'],
  personal_subject: ['user_id', 'course_id'],
  classroom: ['place_id'],
  classroom_subject: ['place_id', 'course_id'],
  classroom_section: ['place_id', 'section'],
} as const satisfies Record<GatherKind, readonly string[]>

/** The seven gathers of one kind of people. */
function gathersOf(who: Who): Record<GatherKind, AttendReport> {
  const of = (kind: GatherKind, columns: readonly Column[]) =>
    attendReport(`${who_names[who]}${gather_titles[kind]}`, columns, most_term_days)
  return {
    subject: of('subject', ['course_name']),
    personal: of('personal', person),
    personal_section: of('personal_section', [...person, 'section']),
    personal_subject: of('personal_subject', [...person, 'course_name']),
    classroom: of('classroom', ['place_name']),
    classroom_subject: of('classroom_subject', ['place_name', 'course_name']),
    classroom_section: of('classroom_section', ['place_name', 'section']),
  }
}

/** 课程明细 and 教室明细: one row a lesson. */
export const lesson_kinds = ['subject', 'classroom'] as const
export type LessonKind = (typeof lesson_kinds)[number]
function lessonDetailsOf(who: Who): Record<LessonKind, AttendReport> {
  const lesson = ['course_name', 'class_name', 'teacher_names'] as const
  return {
    subject: attendReport(`${who_names[who]}课程考勤明细`, ['lesson_date', 'section', ...lesson, 'place_name'], most_detail_days),
    classroom: attendReport(`${who_names[who]}教室考勤明细`, ['place_name', 'lesson_date', 'section', ...lesson], most_detail_days),
  }
}

export const attend_reports = {
  student: { gather: gathersOf('student'), lesson: lessonDetailsOf('student') },
  teacher: { gather: gathersOf('teacher'), lesson: lessonDetailsOf('teacher') },
} as const satisfies Record<Who, object>

/** A teacher sees his own results without the right to see those of others (chapter 55 §3.21), so that only pupils' ones ask for theirs. */
export const view_needs = { student: 'attendance.student.view', teacher: 'attendance.detail.view' } as const satisfies Record<Who, string>
export const export_needs = { student: 'attendance.student.export', teacher: 'attendance.teacher.export' } as const satisfies Record<
  Who,
  string
>

function gatherApiOf<W extends Who>(who: W) {
  const access = { need: view_needs[who], within: 'dept' } as const
  const exported = { need: export_needs[who], within: 'dept' } as const
  const of = attend_reports[who].gather
  const path = (kind: GatherKind) => `course_attend/${who}/collect/${kind}/page`
  const sheet = (kind: GatherKind) => exportOf(of[kind].sheet, `course_attend/${who}/collect/${kind}/export`, exported)
  const asked = { query: of.subject.query, reply: of.subject.reply, ...access }
  return api('v2', `attendance.${who}_gather`, {
    subject: get(path('subject'), asked),
    personal: get(path('personal'), asked),
    personal_section: get(path('personal_section'), asked),
    personal_subject: get(path('personal_subject'), asked),
    classroom: get(path('classroom'), asked),
    classroom_subject: get(path('classroom_subject'), asked),
    classroom_section: get(path('classroom_section'), asked),
    exportSubject: sheet('subject'),
    exportPersonal: sheet('personal'),
    exportPersonalSection: sheet('personal_section'),
    exportPersonalSubject: sheet('personal_subject'),
    exportClassroom: sheet('classroom'),
    exportClassroomSubject: sheet('classroom_subject'),
    exportClassroomSection: sheet('classroom_section'),
  })
}

export const studentGatherApi = gatherApiOf('student')
export const teacherGatherApi = gatherApiOf('teacher')
