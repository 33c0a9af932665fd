import { dict } from '@kit/contract'

export const COURSE_TYPE = dict('COURSE_TYPE', { '1': '行政班课程', '2': '选修课', '3': '走班(分层)课程', '4': '课后服务课程' })
export const COURSE_ATTR = dict('COURSE_ATTR', { '1': '必修', '2': '限选', '3': '任选', '4': '辅修', '5': '实践', '6': '双必', '7': '双选', '8': '通选', '9': '其他' })

export const weekday_names = ['', '星期一', '星期二', '星期三', '星期四', '星期五', '星期六', '星期日'] as const
/** State of a version: a published one is 待生效, 生效中 or 已结束 by its days. */
export const version_states = { draft: '草稿', coming: '待生效', running: '生效中', over: '已结束', void: '已作废' } as const
/** State of a lesson that takes place (chapter 50 §1.3). */
export const lesson_states = { 1: '正常', 2: '代课', 3: '调入', 4: '已调走', 5: '停课', 6: '加课', 7: '自习看班', 8: '换教室' } as const
/** Kinds of findings of the checker (chapter 50 rule 19). */
export const conflict_kinds = {
  TEACHER: '教师冲突', PLACE: '场所冲突', CLASS: '班级冲突', STUDENT: '学生冲突', UNAVAILABLE: '不可用时段', BELL: '不在作息内', TERM: '周次超出', SPAN: '连堂中断',
  PLACE_CAPACITY: '教室容量', OVER_PLAN: '超过课时', UNDER_PLAN: '课时未排满', SAME_DAY: '同日重复', NO_TEACHER: '没有教师',
} as const
export const conflict_codes = [
  'TEACHER', 'PLACE', 'CLASS', 'STUDENT', 'UNAVAILABLE', 'BELL', 'TERM', 'SPAN', 'PLACE_CAPACITY', 'OVER_PLAN', 'UNDER_PLAN', 'SAME_DAY', 'NO_TEACHER',
] as const satisfies readonly (keyof typeof conflict_kinds)[]
export type ConflictKind = keyof typeof conflict_kinds
