import { createHash } from 'node:crypto'
import { addDays, startOfDay } from './school-year.ts'

/** One in the log of the demo: when, who, what. Persons and objects are named by their place in the lists of the school. */
export type PlannedLine = { at: Date; kind: PlannedKind; who: number; object: number; ms: number; request_id: string; refusal: 'none' | 'forbidden' | 'password'; ip: string }
export type PlannedKind = 'login' | 'logout' | 'student' | 'reveal' | 'export' | 'upload' | 'apply' | 'dept' | 'setting' | 'job'

const days = 90
const line_count = 9000
const typed_count = 880
const burst = { days_ago: 23, hour: 2, minute: 13, lines: 48, every_s: 11, ip: '203.0.113.45' }
const refused_share = 0.02
const minute_ms = 60_000
const hour_ms = 60 * minute_ms

/** Sunday first: a school works from Monday to Friday, a little on Saturday. */
const weekday_weight = [0.1, 1.25, 1.05, 1, 1, 0.95, 0.22]
const hour_weight = [0, 0, 0, 0, 0, 0, 0.4, 3, 6, 5, 6, 4, 2, 3, 6, 5, 6, 4, 2, 1, 1, 0.6, 0.2, 0]
const kind_weight: Record<PlannedKind, number> = { login: 34, logout: 9, student: 20, reveal: 6, export: 4, upload: 2, apply: 2, dept: 4, setting: 16, job: 3 }
const kinds: readonly PlannedKind[] = ['login', 'logout', 'student', 'reveal', 'export', 'upload', 'apply', 'dept', 'setting', 'job']
const kind_weights = kinds.map(one => kind_weight[one])

/**
 * Ninety days of a school's log before a day: busy on weekday mornings and afternoons, some refusals, and one night on which somebody tried
 * passwords. The same for the same seed and day.
 */
export function planLog(seed: string, today: string): PlannedLine[] {
  const random = randomOf(seed)
  const dayOf = busyDays(today)
  const lines = Array.from({ length: line_count - burst.lines }, () => planLine(random, dayOf(random())))
  return [...lines, ...nightBurst(random, addDays(today, -burst.days_ago))].toSorted(byTime)
}

/** What was typed at the files of pupils in the ninety days before a day, and not refused. */
export function planTyped(seed: string, today: string): PlannedLine[] {
  const random = randomOf(seed)
  const dayOf = busyDays(today)
  return Array.from({ length: typed_count }, () => planLine(random, dayOf(random()), 'student')).filter(line => line.refusal === 'none').toSorted(byTime)
}

function byTime(one: PlannedLine, other: PlannedLine): number {
  return one.at.getTime() - other.at.getTime()
}

/** A day of the ninety by a number from 0 to 1. */
function busyDays(today: string): (at: number) => string {
  const all = Array.from({ length: days }, (_, at) => addDays(today, at - days))
  const weights = all.map(day => weekday_weight[new Date(day).getUTCDay()] ?? 1)
  return at => all[pick(weights, at)] ?? today
}

function planLine(random: () => number, day: string, only?: PlannedKind): PlannedLine {
  const at = new Date(startOfDay(day).getTime() + pick(hour_weight, random()) * hour_ms + Math.floor(random() * hour_ms))
  const kind = only ?? kinds[pick(kind_weights, random())] ?? 'login'
  const refused = random() < refused_share
  const refusal = kind === 'login' ? 'password' : 'forbidden'
  const who = Math.floor(random() ** 2 * 1_000_000)
  return { at, kind, who, object: Math.floor(random() * 1_000_000), ms: 4 + Math.floor(random() ** 4 * 900), request_id: uuidOf(random), refusal: refused ? refusal : 'none', ip: `10.20.${who % 8}.${20 + (who % 200)}` }
}

function nightBurst(random: () => number, day: string): PlannedLine[] {
  const begin = startOfDay(day).getTime() + burst.hour * hour_ms + burst.minute * minute_ms
  return Array.from({ length: burst.lines }, (_, at) => ({
    at: new Date(begin + at * burst.every_s * 1000 + Math.floor(random() * 4000)),
    kind: 'login' as const, who: at % 6, object: 0, ms: 130 + Math.floor(random() * 60), request_id: uuidOf(random), refusal: 'password' as const, ip: burst.ip,
  }))
}

/** The place in a list of weights that a number from 0 to 1 falls on. */
function pick(weights: readonly number[], at: number): number {
  let rest = at * weights.reduce((sum, weight) => sum + weight, 0)
  const found = weights.findIndex(weight => (rest -= weight) < 0)
  return found < 0 ? weights.length - 1 : found
}

/** Numbers from 0 to 1 that depend on the seed alone (mulberry32). */
export function randomOf(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export function uuidOf(random: () => number): string {
  const hex = Array.from({ length: 4 }, () => Math.floor(random() * 4_294_967_296).toString(16).padStart(8, '0')).join('')
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
