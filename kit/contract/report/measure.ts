/** A figure of a report. `rate` (percent) and `mean` are made of two other measures, so that their total is right too. */
export type MeasureFact = {
  kind: 'count' | 'sum' | 'distinct' | 'minutes' | 'rate' | 'mean'
  label: string
  unit: string
  /** rate, mean: the measures above and below the line */
  of?: readonly [part: string, whole: string]
  /** px of its column; default 96 */
  width?: number
}
export type MeasureFacts = Readonly<Record<string, MeasureFact>>

/** How many rows: 人次, 次, 条. */
export function count(label: string, unit = '次'): MeasureFact {
  return { kind: 'count', label, unit }
}

/** A sum of a column. */
export function sum(label: string, unit: string): MeasureFact {
  return { kind: 'sum', label, unit }
}

/** How many different ones; its total is no sum, the server asks for it apart or leaves it out. */
export function distinct(label: string, unit = '人'): MeasureFact {
  return { kind: 'distinct', label, unit }
}

/** A sum of whole minutes. */
export function minutes(label: string): MeasureFact {
  return { kind: 'minutes', label, unit: '分钟' }
}

/** Percent of two measures, one digit behind the point; empty where the whole is nothing. */
export function rate(label: string, part: string, whole: string): MeasureFact {
  return { kind: 'rate', label, unit: '%', of: [part, whole] }
}

/** One measure divided by another, one digit behind the point. */
export function mean(label: string, unit: string, total: string, number: string): MeasureFact {
  return { kind: 'mean', label, unit, of: [total, number] }
}
