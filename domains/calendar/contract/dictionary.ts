import { dict } from '@kit/contract'

/** Kinds of days (chapter 50 §1.1). */
export const HOLIDAY_KIND = dict('HOLIDAY_KIND', {
  '1': '法定节假日', '2': '调休放假', '3': '调休上班', '4': '周末', '5': '寒假', '6': '暑假', '7': '校定假日', '8': '教学日', '9': '考试日', '10': '活动日',
})
export const TERM = dict('TERM', { '1': '第一学期', '2': '第二学期', '3': '第三学期(短学期)' })
export const WEEK_KIND = dict('WEEK_KIND', { '0': '每周', '1': '单周', '2': '双周' })
export const SECTION_KIND = dict('SECTION_KIND', { '1': '早读', '2': '上午', '3': '午休', '4': '下午', '5': '课后服务', '6': '晚自习', '7': '大课间', '8': '用餐' })

/** The same kinds by name, for the program. */
export const holiday_kinds = { national: 1, bridge: 2, make_up: 3, weekend: 4, winter: 5, summer: 6, school: 7, teaching: 8, exam: 9, activity: 10 } as const

/** The row of a day that holds for the whole unit: staff and enterprises. */
export const whole_school = '00'

/** GRADE codes of every stage, in their order: a new grade has its days from the start. */
export const grade_codes = ['01', '02', '03', '11', '12', '13', '14', '15', '16', '21', '22', '23', '31', '32', '33', '41', '42', '43'] as const

/** STAGE codes. */
export const stage_codes = ['0', '1', '2', '3', '4'] as const

/** The STAGE of a GRADE code; null for the whole unit. */
export function stageOf(grade: string): string | null {
  return grade === whole_school ? null : grade.slice(0, 1)
}
