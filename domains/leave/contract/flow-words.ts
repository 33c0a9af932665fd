import { leaveTypeName } from './dictionary.ts'
import { day_minutes } from './form.ts'
import type { StepCondition } from './form.ts'

const in_hour = 60
const study_names: Readonly<Record<string, string>> = { 1: '走读生', 2: '住校生', 3: '借宿生' }

/** 3天, 0.5天, 2小时, 45分钟. */
export function lengthText(minutes: number): string {
  if (minutes % (day_minutes / 2) === 0) return `${minutes / day_minutes}天`
  return minutes % in_hour === 0 ? `${minutes / in_hour}小时` : `${minutes}分钟`
}

/** When a step is needed, in words. */
export function conditionText(when: StepCondition, person_kind: number): string {
  const parts = [
    when.minutes_from === undefined ? '' : `满${lengthText(when.minutes_from)}`,
    when.minutes_to === undefined ? '' : `不足${lengthText(when.minutes_to)}`,
    when.leave_types?.length ? when.leave_types.map(type => leaveTypeName(person_kind, type)).join('、') : '',
    when.study_method === undefined ? '' : (study_names[when.study_method] ?? `就读方式${when.study_method}`),
    when.in_exam === undefined ? '' : when.in_exam ? '考试日' : '非考试日',
    when.month_times_ge === undefined ? '' : `本月第${when.month_times_ge}次起`,
  ].filter(Boolean)
  return parts.length === 0 ? '所有申请' : parts.join('，')
}
