import { attend_reports, gather_keys, most_detail_days, state_of_measure } from '@campus/attendance/contract'
import type { GatherKind, LessonKind, Who } from '@campus/attendance/contract'
import { countDays } from '@campus/calendar/contract'
import { spanOf, schoolToday, usePage } from '@kit/web'
import type { PageSearch } from '@kit/web'
import { ReportPage, useReport } from '@kit/web/report'
import type { Drill, ReportRow } from '@kit/web/report'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useResultFilters } from './filters.tsx'
import { chartOf, rowOfPick } from './gather-chart.ts'
import { detail_apis, gather_apis, personal_paths } from './result-words.ts'

export const CourseGatherStudent = (): ReactNode => <Gather who="student" kind="subject" />
export const CourseGatherTeacher = (): ReactNode => <Gather who="teacher" kind="subject" />
export const PersonalGatherStudent = (): ReactNode => <Gather who="student" kind="personal" />
export const PersonalGatherTeacher = (): ReactNode => <Gather who="teacher" kind="personal" />
export const PersonalSectionGatherStudent = (): ReactNode => <Gather who="student" kind="personal_section" />
export const PersonalSectionGatherTeacher = (): ReactNode => <Gather who="teacher" kind="personal_section" />
export const PersonalCourseGatherStudent = (): ReactNode => <Gather who="student" kind="personal_subject" />
export const PersonalCourseGatherTeacher = (): ReactNode => <Gather who="teacher" kind="personal_subject" />
export const ClassroomGatherStudent = (): ReactNode => <Gather who="student" kind="classroom" />
export const ClassroomGatherTeacher = (): ReactNode => <Gather who="teacher" kind="classroom" />
export const ClassroomCourseGatherStudent = (): ReactNode => <Gather who="student" kind="classroom_subject" />
export const ClassroomCourseGatherTeacher = (): ReactNode => <Gather who="teacher" kind="classroom_subject" />
export const ClassroomSectionGatherStudent = (): ReactNode => <Gather who="student" kind="classroom_section" />
export const ClassroomSectionGatherTeacher = (): ReactNode => <Gather who="teacher" kind="classroom_section" />
export const CourseDetailStudent = (): ReactNode => <Lessons who="student" kind="subject" />
export const CourseDetailTeacher = (): ReactNode => <Lessons who="teacher" kind="subject" />
export const ClassroomDetailStudent = (): ReactNode => <Lessons who="student" kind="classroom" />
export const ClassroomDetailTeacher = (): ReactNode => <Lessons who="teacher" kind="classroom" />

const figures = ['expected', 'attended', 'late', 'absent', 'leave', 'unverified', 'rate'] as const
const empty = '这段时间没有考勤结果；可以换一段日期，或检查考勤安排是否覆盖这些课'

const sheet_of = {
  subject: 'exportSubject',
  personal: 'exportPersonal',
  personal_section: 'exportPersonalSection',
  personal_subject: 'exportPersonalSubject',
  classroom: 'exportClassroom',
  classroom_subject: 'exportClassroomSubject',
  classroom_section: 'exportClassroomSection',
} as const satisfies Record<GatherKind, string>

/** A gather: its picture first, then the table; every number opens the rows behind it (chapter 55 §5). */
function Gather({ who, kind }: { who: Who; kind: GatherKind }): ReactNode {
  const api = gather_apis[who]
  const extras = useResultFilters(who, ...useDays())
  const of = useReport(attend_reports[who].gather[kind], api[kind], extras, 'chart')
  const drill = useDrill(who, gather_keys[kind])
  const pick = (picked: { category: string; series: string }) => openPicked(drill, rowOfPick(kind, of.data?.list ?? [], picked), of.asked)
  return (
    <ReportPage
      of={of}
      figures={figures}
      chart={rows => chartOf(kind, rows)}
      onPick={pick}
      drill={drill}
      exportCall={api[sheet_of[kind]]}
      empty={empty}
    />
  )
}

/** Lessons one by one, by day or by room. */
function Lessons({ who, kind }: { who: Who; kind: LessonKind }): ReactNode {
  const api = detail_apis[who]
  const extras = useResultFilters(who, ...useDays())
  const of = useReport(attend_reports[who].lesson[kind], api[kind], extras)
  const drill = useDrill(who, lesson_keys)
  const drawn = `lesson_${kind}` as const
  const pick = (picked: { category: string; series: string }) => openPicked(drill, rowOfPick(drawn, of.data?.list ?? [], picked), of.asked)
  return (
    <ReportPage
      of={of}
      figures={figures}
      chart={rows => chartOf(drawn, rows)}
      onPick={pick}
      drill={drill}
      exportCall={kind === 'subject' ? api.exportSubject : api.exportClassroom}
      empty={empty}
    />
  )
}

function openPicked(drill: Drill, row: ReportRow | undefined, asked: PageSearch): void {
  if (row) drill(row, 'expected', asked)?.open()
}

/** The days of the address; without, those that the report shows at first. */
function useDays(): [from: string, to: string] {
  const { search } = usePage()
  const usual = spanOf('week', schoolToday())
  return [search.from ?? usual.from, search.to ?? usual.to]
}

const groups: Readonly<Record<string, Record<string, string>>> = {
  expected: {},
  attended: { group: 'attended' },
  counted: { group: 'counted' },
}
const lesson_keys = ['occurrence_id', 'lesson_date'] as const
/** The filter that a key of a row becomes. */
const filter_of = {
  user_id: 'user_id',
  course_id: 'course_id',
  place_id: 'classroom',
  section: 'section',
  occurrence_id: 'occurrence_id',
  lesson_date: 'from',
} as const

/** Opens the people behind a number with the same filters and days; nothing where a group has no name, or so many days cannot be shown one by one. */
function useDrill(who: Who, keys: readonly (keyof typeof filter_of)[]): Drill {
  const navigate = useNavigate()
  return (row, measure, asked) => {
    const state = state_of_measure[measure]
    const own = state === undefined ? groups[measure] : { state }
    if (own === undefined || (row !== null && keys.some(key => row[key] === null))) return null
    const group = row === null ? {} : Object.fromEntries(keys.map(key => [filter_of[key], String(row[key])]))
    const search: PageSearch = {
      ...asked,
      ...group,
      ...(row !== null && keys.includes('lesson_date') ? { to: String(row.lesson_date) } : {}),
      ...own,
    }
    if (countDays(search.from ?? '', search.to ?? '') > most_detail_days && search.user_id === undefined) return null
    return { open: () => void navigate({ to: personal_paths[who], search }) }
  }
}
