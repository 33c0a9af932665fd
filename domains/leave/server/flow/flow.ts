import { day_minutes, leaveTypeName, resolver_names } from '@campus/leave/contract'
import type { FlowStep, FormDesign, StepCondition } from '@campus/leave/contract'

/** What of a leave its flow asks for. `month_times` counts this one. */
export type FlowFacts = { minutes: number; leave_type: string; study_methods: readonly string[]; in_exam: boolean; month_times: number }

/** Whether a leave needs a step: everything that the condition says must hold (chapter 70 §1.1 leave_flow_step). */
export function needsStep({ when }: Pick<FlowStep, 'when'>, facts: FlowFacts): boolean {
  if (when.minutes_from !== undefined && facts.minutes < when.minutes_from) return false
  if (when.minutes_to !== undefined && facts.minutes >= when.minutes_to) return false
  if (when.leave_types?.length && !when.leave_types.includes(facts.leave_type)) return false
  if (when.study_method !== undefined && !facts.study_methods.includes(when.study_method)) return false
  if (when.in_exam !== undefined && when.in_exam !== facts.in_exam) return false
  return when.month_times_ge === undefined || facts.month_times >= when.month_times_ge
}

/** The condition of a step in words. */
export function conditionText(when: StepCondition, person_kind: number): string {
  const parts = [
    when.minutes_from === undefined ? '' : `满${lengthText(when.minutes_from)}`,
    when.minutes_to === undefined ? '' : `不足${lengthText(when.minutes_to)}`,
    when.leave_types?.length ? when.leave_types.map(type => leaveTypeName(person_kind, type)).join('、') : '',
    when.study_method === undefined ? '' : `就读方式${when.study_method}`,
    when.in_exam === undefined ? '' : when.in_exam ? '考试日' : '非考试日',
    when.month_times_ge === undefined ? '' : `本月第${when.month_times_ge}次起`,
  ].filter(Boolean)
  return parts.length === 0 ? '所有申请' : parts.join('，')
}

/** 3天, 2小时, 45分钟. */
export function lengthText(minutes: number): string {
  if (minutes % day_minutes === 0) return `${minutes / day_minutes}天`
  if (minutes % (day_minutes / 2) === 0) return `${minutes / day_minutes}天`
  return minutes % 60 === 0 ? `${minutes / 60}小时` : `${minutes}分钟`
}

/** What a step is called in a list of steps. */
export function stepName(resolver: number): string {
  const names: Readonly<Record<string, string>> = resolver_names
  return names[String(resolver)] ?? ''
}

/**
 * The first type and length that nobody decides (chapter 70 §2.1 publish guard). Steps with further conditions do not count: a leave may come
 * that does not meet them. Conditions change only at their own lengths, so that these and the shortest are all that has to be looked at.
 */
export function findGap({ no_approval, leave_types, steps, min_minutes, max_minutes }: FormDesign): { leave_type: string; minutes: number } | null {
  if (no_approval) return null
  const sure = steps.filter(({ when }) => when.study_method === undefined && when.in_exam === undefined && when.month_times_ge === undefined)
  const lengths = [min_minutes, max_minutes, ...sure.flatMap(({ when }) => [when.minutes_from, when.minutes_to])]
    .filter(length => length !== undefined)
    .filter(length => length >= min_minutes && length <= max_minutes)
    .toSorted((one, other) => one - other)
  for (const leave_type of leave_types) {
    const facts = { leave_type, study_methods: [], in_exam: false, month_times: 1 }
    const minutes = lengths.find(length => !sure.some(step => needsStep(step, { ...facts, minutes: length })))
    if (minutes !== undefined) return { leave_type, minutes }
  }
  return null
}
