import type { FlowStep, FormDesign } from '@campus/leave/contract'

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
