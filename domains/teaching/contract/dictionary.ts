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

/** Kinds of choosing (chapter 50: pick types of the seed). */
export const elective_kinds = { '1': '选科(3+1+2)', '2': '选修课', '3': '社团/课后服务' } as const
/** ELECTIVE_MODE. */
export const elective_modes = { 1: '先到先得', 2: '志愿抽签', 3: '教师分配', 4: '直接指定' } as const
/** ELECTIVE_STATE; 未开始, 选课中 and 已结束 follow from the times. */
export const elective_states = { 0: '未发布', 1: '未开始', 2: '选课中', 3: '已结束', 4: '已公布', 9: '已作废' } as const
export const seat_states = { '1': '已选', '2': '志愿', '3': '候补', '4': '中签', '5': '落选', '6': '已退' } as const
/** FIRST_CHOICE and SECOND_CHOICE of 3+1+2: code of the subject → name. */
export const first_choices: Readonly<Record<string, string>> = { 16: '物理', 21: '历史' }
export const second_choices: Readonly<Record<string, string>> = { 17: '化学', 18: '生物学', 12: '思想政治', 20: '地理' }
/** Kinds and states of a change of dated lessons (chapter 50 §1.4). */
export const change_kinds = { '1': '代课', '2': '对调', '3': '移课', '4': '停课', '7': '看班自习', '8': '链式代课' } as const
/** 3 and 5 whose lesson has begun are shown as 7. */
export const order_states = { '1': '已生效', '2': '已撤销', '3': '待同意', '4': '已谢绝', '5': '待审批', '6': '已驳回', '7': '已过期' } as const
export const need_states = { 0: '待安排', 1: '已安排', 2: '不需要', 3: '停课', 4: '已失效' } as const
/** Kinds of teaching classes beside those of the school's tree. */
export const class_kinds = { '2': '教学班', '3': '合班', '4': '选修班' } as const
