import type { Cluster } from '../tools/postgres.ts'

/** One measured line: what, its figure as text, the limit as text (null = reported only), and whether the limit holds. */
export type Line = {
  what: string
  /** acceptance number of the specification, where one asks for this */
  asked?: string
  result: string
  limit: string | null
  holds: boolean
}

/** What a figure may use: PostgreSQL of its own, scaled-down data (`quick`), and a place for progress. */
export type Bench = {
  quick: boolean
  /** a private PostgreSQL, started on first use and stopped with the run */
  cluster(): Promise<Cluster>
  say(text: string): void
}

/** A figure of the product: `run` measures it and its baseline in one go. */
export type Figure = { name: string; title: string; how: string; run(bench: Bench): Promise<Line[]> }

/** A line that asserts `value <= limit`. */
export function atMost(what: string, value: number, limit: number, show: (value: number) => string, asked?: string): Line {
  return { what, asked, result: show(value), limit: `≤ ${show(limit)}`, holds: value <= limit }
}

/** A line that asserts `value >= limit`. */
export function atLeast(what: string, value: number, limit: number, show: (value: number) => string, asked?: string): Line {
  return { what, asked, result: show(value), limit: `≥ ${show(limit)}`, holds: value >= limit }
}

/** A line without a limit, for the reader. */
export function reported(what: string, result: string): Line {
  return { what, result, limit: null, holds: true }
}

export const times = (value: number) => `${value.toFixed(2)}×`
export const milliseconds = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const seconds = (value: number) => `${(value / 1000).toFixed(1)} s`
export const kibibytes = (value: number) => `${(value / 1024).toFixed(1)} KiB`
export const megabytes = (value: number) => `${Math.round(value / 1e6)} MB`
