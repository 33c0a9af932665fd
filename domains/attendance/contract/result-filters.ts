import { DeptId, UserId } from '@campus/people/contract'
import { PlaceId } from '@campus/places/contract'
import { COURSE_TYPE, CourseId } from '@campus/teaching/contract'
import { carried, choice, dictionaryCode, id, keyword, reference } from '@kit/contract'
import { ATTEND_STATE, ATTEND_WAY, flag_names } from './state.ts'

export const OccurrenceId = id('attendance.occurrence')
/** Days of a detail, and of a gather or one person's detail: a term (chapter 55 §4). */
export const [most_detail_days, most_term_days] = [31, 200] as const
const most_sections = 16

/** Whose attendance a report is about; the screens of both are the same. */
export const whos = ['student', 'teacher'] as const
export type Who = (typeof whos)[number]
export const who_names: Readonly<Record<Who, string>> = { student: '学生', teacher: '教师' }

/** Section 0: an exam sitting. */
export const section_names: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: most_sections + 1 }, (_, at) => [String(at), at === 0 ? '考试' : `第${at}节`]),
)
/** States that count as attended, and those that the rate is made of (chapter 55 §3.20). */
export const attended_states = [1, 2, 3, 7, 8] as const
export const counted_states = [1, 2, 3, 4, 7, 8] as const
const state_groups = { attended: '实到', counted: '计率' } as const

/** Filters that details and gathers share by name, so that a number carries all of them to the rows behind it. */
export const result_filters = {
  keyword: keyword('姓名/编号'),
  dept_id: reference('班级/部门', 'people.dept', DeptId),
  classroom: reference('教室', 'places.place', PlaceId),
  subject: dictionaryCode('科目', 'SUBJECT'),
  section: choice('节次', section_names),
  state: choice('状态', ATTEND_STATE.names),
  identify_type: choice('识别方式', ATTEND_WAY.names),
  course_type: choice('课程类型', COURSE_TYPE.names),
  flag: choice('标记', flag_names),
  group: carried('口径', choice('', state_groups).value, state_groups),
  user_id: carried('', UserId),
  course_id: carried('', CourseId),
  occurrence_id: carried('', OccurrenceId),
}
