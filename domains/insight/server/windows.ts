import type { RowMetric } from '@campus/insight/contract'
import type { ChangeKind, Window } from './change.queries.ts'
import { addDays } from './day.ts'

const week_days = 7

/** The figures that count changes: which kind, and over which days. */
export const change_metrics = {
  enrolled_week: { kind: 'enrolled', ahead: false },
  moved_week: { kind: 'moved', ahead: false },
  left_week: { kind: 'left', ahead: false },
  enrolled_next: { kind: 'enrolled', ahead: true },
  moved_next: { kind: 'moved', ahead: true },
  left_next: { kind: 'left', ahead: true },
} as const satisfies Partial<Record<RowMetric, { kind: ChangeKind; ahead: boolean }>>
export type ChangeMetric = keyof typeof change_metrics

/** Is this a figure of changes? */
export function isChange(metric: RowMetric): metric is ChangeMetric {
  return metric in change_metrics
}

/** The last seven days with today, or everything from tomorrow on. */
export function windowOf(metric: ChangeMetric, today: string): Window {
  return change_metrics[metric].ahead ? { from: addDays(today, 1), to: null } : { from: addDays(today, 1 - week_days), to: today }
}

/** The figures of changes in their order. */
export const change_codes: readonly ChangeMetric[] = ['enrolled_week', 'moved_week', 'left_week', 'enrolled_next', 'moved_next', 'left_next']
