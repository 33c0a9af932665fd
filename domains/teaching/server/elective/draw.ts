import { createHash, createHmac } from 'node:crypto'

/** Places by offer, what cannot be had together, and every pupil's wishes in order. `key` is the pupil's draw. */
export type DrawInput = { max_pick: number; seats: Readonly<Record<string, number>>; apart: Readonly<Record<string, readonly string[]>>; lines: readonly { key: string; wishes: readonly string[]; /** given by the school before the draw */ held: readonly string[] }[] }
/** What a wish came to. */
type WishResult = 'won' | 'full' | 'apart' | 'enough'
export type Drawn = { order_no: number; key: string; wishes: { offer_id: string; result: WishResult }[] }

/** Shown before anybody may choose, so that the school cannot pick the seed afterwards (chapter 50 rule 37). */
export function hashOfSeed(seed: string): string {
  return createHash('sha256').update(seed).digest('hex')
}

/** A pupil's draw: HMAC-SHA256(seed, task_id + student_no); ascending keys are the order. */
export function drawKey(seed: string, task_id: string, student_no: string): string {
  return createHmac('sha256', seed).update(`${task_id}${student_no}`).digest('hex')
}

/**
 * The whole draw as a function of its input, whatever the order of the lines (chapter 50 rule 37): round by round of wishes, those with fewer
 * courses first, then by key. The same input gives the same result to everybody.
 */
export function drawSeats({ max_pick, seats, apart, lines }: DrawInput): Drawn[] {
  const left = new Map(Object.entries(seats))
  const pupils = lines.toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map((line, at) => ({ ...line, order_no: at + 1, won: [...line.held], results: noResults() }))
  const rounds = Math.max(0, ...pupils.map(one => one.wishes.length))
  for (let round = 0; round < rounds; round += 1) {
    for (const pupil of pupils.toSorted((a, b) => a.won.length - b.won.length || a.order_no - b.order_no)) {
      const offer_id = pupil.wishes[round]
      if (offer_id === undefined) continue
      const result = pupil.won.length >= max_pick ? 'enough' : pupil.won.some(other => apart[offer_id]?.includes(other)) ? 'apart' : (left.get(offer_id) ?? 0) > 0 ? 'won' : 'full'
      pupil.results.push({ offer_id, result })
      if (result !== 'won') continue
      pupil.won.push(offer_id)
      left.set(offer_id, (left.get(offer_id) ?? 0) - 1)
    }
  }
  return pupils.map(({ order_no, key, results }) => ({ order_no, key, wishes: results }))
}

function noResults(): Drawn['wishes'] {
  return []
}
