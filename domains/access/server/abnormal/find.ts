import { schoolMoment, startOfDate } from '@kit/terminal-protocol'

/** A pass as the queue looks at it; `judge` 2: let through without a right, 3: refused with one. */
export type Seen = {
  key: string
  subject_kind: number
  subject_id: string | null
  dept_id: string | null
  place_id: string | null
  device_id: string
  direction: number
  result: number
  judge: number
  at: Date
  is_perimeter: boolean
  /** out of school in the middle of a lesson, by no leave and no one-off right */
  leaves_lesson: boolean
  detail: string | null
}
/** Something that somebody should look at; equal kind, subject and window are one. */
export type Found = {
  kind: number
  subject_key: string
  subject_kind: number | null
  subject_id: string | null
  dept_id: string | null
  place_id: string | null
  window_start: Date
  severity: 1 | 2 | 3
  evidence: string[]
  detail: string | null
}

const kinds = {
  unjustified: 1,
  wrongly_refused: 2,
  often_refused: 5,
  two_places: 6,
  twice_in: 7,
  left_lesson: 8,
  at_night: 9,
  loitering: 10,
  lost_card: 12,
} as const
const [accepted, lost, entering, student, visitor, stranger] = [1, 9, 1, 1, 4, 5] as const
const [minute_ms, hour_ms, often] = [60_000, 3_600_000, 3] as const
/** access_setting: walk_sec, night_from, night_to. */
const [walk_ms, night_from, night_to] = [60_000, 22 * 60 + 30, 5 * 60 + 30] as const
/** How far back a pass is compared with those before it. */
export const looked_back_ms = 30 * minute_ms

/** What passes of some people and doors say, pure: the same passes always say the same (chapter 35 R54). */
export function findAbnormals(passes: readonly Seen[]): Found[] {
  const ordered = passes.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : 1))
  const groups = [...Map.groupBy(ordered, subjectKey).values()]
  const found = groups.flatMap(own => own.flatMap((pass, at) => findAt(pass, own.slice(0, at))))
  const once = new Map<string, Found>()
  for (const one of found) {
    const key = `${one.kind} ${one.subject_key} ${one.window_start.toISOString()}`
    const known = once.get(key)
    once.set(
      key,
      known ? { ...known, evidence: [...new Set([...known.evidence, ...one.evidence])], detail: one.detail ?? known.detail } : one,
    )
  }
  return [...once.values()]
}

/** A person, or a door at which somebody is not known. */
function subjectKey({ subject_kind, subject_id, device_id }: Seen): string {
  return subject_id === null ? `device/${device_id}` : `${subject_kind}/${subject_id}`
}

/** `earlier`: passes of the same subject before it. */
function findAt(pass: Seen, earlier: readonly Seen[]): Found[] {
  const before = (ms: number) => earlier.filter(one => pass.at.getTime() - one.at.getTime() <= ms)
  const [day, hour] = [startOfDate(schoolMoment(pass.at).date), new Date(Math.floor(pass.at.getTime() / hour_ms) * hour_ms)]
  const say = (kind: number, severity: 1 | 2 | 3, window_start: Date, others: readonly Seen[] = []): Found[] => [
    foundOf(pass, others, { kind, severity, window_start }),
  ]
  const found: Found[] = []
  if (pass.judge === 2) found.push(...say(kinds.unjustified, 3, day))
  if (pass.judge === 3) found.push(...say(kinds.wrongly_refused, 2, day))
  if (pass.result === lost) found.push(...say(kinds.lost_card, 3, hour))
  if (pass.result !== accepted) {
    const refused = before(10 * minute_ms).filter(one => one.result !== accepted)
    if (pass.subject_id !== null && refused.length + 1 >= often) found.push(...say(kinds.often_refused, 1, hour, refused))
    const tries = pass.subject_id === null && pass.subject_kind === stranger ? before(looked_back_ms) : []
    if (tries.length + 1 >= often) found.push(...say(kinds.loitering, 2, hour, tries))
    return found
  }
  if (pass.leaves_lesson) found.push(...say(kinds.left_lesson, 2, hour))
  const elsewhere = before(walk_ms).filter(
    one => one.result === accepted && one.place_id !== null && pass.place_id !== null && one.place_id !== pass.place_id,
  )
  if (elsewhere.length > 0) found.push(...say(kinds.two_places, 2, hour, elsewhere))
  const last = before(5 * minute_ms).findLast(one => one.result === accepted && one.is_perimeter)
  if (pass.is_perimeter && pass.direction === entering && last?.direction === entering && last.device_id !== pass.device_id)
    found.push(...say(kinds.twice_in, 1, hour, [last]))
  const { minute } = schoolMoment(pass.at)
  if (pass.is_perimeter && (pass.subject_kind === student || pass.subject_kind === visitor) && (minute >= night_from || minute < night_to))
    found.push(...say(kinds.at_night, 1, hour))
  return found
}

function foundOf(pass: Seen, others: readonly Seen[], of: Pick<Found, 'kind' | 'severity' | 'window_start'>): Found {
  const { subject_id, dept_id, place_id, detail } = pass
  const subject_kind = subject_id === null ? null : pass.subject_kind
  return {
    ...of,
    subject_key: subjectKey(pass),
    subject_kind,
    subject_id,
    dept_id,
    place_id,
    evidence: [...others, pass].map(one => one.key),
    detail: of.kind === kinds.unjustified || of.kind === kinds.wrongly_refused ? detail : null,
  }
}
