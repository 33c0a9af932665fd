/** A record of the journal that is new to access; `direction` 0: the door has two. Records without a believable time have no `at`. */
export type Record = { key: string; subject: string | null; at: Date | null; received_at: Date; place_id: string | null; is_perimeter: boolean; direction: 0 | 1 | 2; is_accepted: boolean; result: number; device_id: string }
/** Where somebody is: 0 unknown, 1 on campus, 2 left; known how: 1 seen, 2 inferred, 3 by hand. */
export type Presence = { state: 0 | 1 | 2; basis: 1 | 2 | 3; since: Date; place_id: string | null; pass_key: string | null }
/** The last pass of somebody at one door with one result, so that a second one within seconds counts once. */
export type Before = { same: string; at: Date }

export type Walked = { direction: 0 | 1 | 2; is_repeat: boolean; is_late: boolean }

const [repeat_ms, late_ms] = [10_000, 10 * 60_000]

/** What makes two passes the same one: subject, door, direction, result (chapter 35 R28). */
export function sameOf(record: Pick<Record, 'subject' | 'device_id' | 'result'>): string {
  return `${record.subject ?? ''}/${record.device_id}/${record.result}`
}

/**
 * Goes through new records in the order in which they happened: the direction where the door has two (R27), repeats (R28), what came late (R26), and where people are
 * then (R34). A record older than what is known of somebody does not move him.
 */
export function walk(records: readonly Record[], presences: ReadonlyMap<string, Presence>, before: readonly Before[]): { walked: Map<string, Walked>; moved: Map<string, Presence> } {
  const walked = new Map<string, Walked>()
  const moved = new Map<string, Presence>()
  const last = new Map(before.map(({ same, at }) => [same, at.getTime()]))
  const timed = records.flatMap(record => (record.at === null ? [] : [{ ...record, at: record.at }])).toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : 1))
  for (const record of records) if (record.at === null) walked.set(record.key, { direction: record.direction, is_repeat: false, is_late: false })
  for (const record of timed) {
    const known = record.subject === null ? undefined : (moved.get(record.subject) ?? presences.get(record.subject))
    const direction = record.direction === 0 && record.subject !== null ? (known?.state === 1 ? 2 : 1) : record.direction
    const same = sameOf(record)
    const previous = last.get(same)
    const gap = previous === undefined ? Infinity : record.at.getTime() - previous
    const is_repeat = record.subject !== null && gap >= 0 && gap <= repeat_ms
    if (previous === undefined || gap > 0) last.set(same, record.at.getTime())
    walked.set(record.key, { direction, is_repeat, is_late: record.received_at.getTime() - record.at.getTime() > late_ms })
    const next = record.subject === null || !record.is_accepted || is_repeat ? null : movedBy(record, direction, known)
    if (next && record.subject !== null) moved.set(record.subject, next)
  }
  return { walked, moved }
}

/** Where somebody is after an accepted pass; null: it says nothing new. */
function movedBy({ at, place_id, is_perimeter, key }: Record & { at: Date }, direction: 0 | 1 | 2, known: Presence | undefined): Presence | null {
  if (known && known.since.getTime() > at.getTime()) return null
  if (is_perimeter) return { state: direction === 2 ? 2 : 1, basis: 1, since: at, place_id, pass_key: key }
  // Who passes an inner door is inside, though nobody saw him come.
  return known?.state === 1 ? null : { state: 1, basis: 2, since: at, place_id, pass_key: key }
}
