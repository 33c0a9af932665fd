/** What a teacher has said of a pupil. */
export type Claim = 'present' | 'late' | 'absent' | 'left'
type Row = { user_id: string; claim: Claim }
/** A roll that was handed in on this phone: it waits for a line, or the server has refused it and says why. */
export type KeptRoll = {
  lesson_day_id: string
  title: string
  class_name: string
  version: number
  rows: readonly Row[]
  confirm_all: boolean
  taken_at: string
  /** null: 待发送 */
  refusal: string | null
}
/** How the server answered: taken, refused with a sentence, or not at all. */
export type Sent = { kind: 'taken' } | { kind: 'refused'; msg: string } | { kind: 'no_line' }

/** Puts a roll at the end of the queue; an earlier one of the same lesson gives way. */
export function keepRoll(queue: readonly KeptRoll[], roll: KeptRoll): KeptRoll[] {
  return [...dropRoll(queue, roll.lesson_day_id), roll]
}

export function dropRoll(queue: readonly KeptRoll[], lesson_day_id: string): KeptRoll[] {
  return queue.filter(one => one.lesson_day_id !== lesson_day_id)
}

/** Whether the roll the server has says the same: a first answer that got lost on the way is no conflict. */
export function saysTheSame(kept: Pick<KeptRoll, 'rows'>, saved: readonly Row[]): boolean {
  const claims = new Map(saved.map(one => [one.user_id, one.claim]))
  return kept.rows.length === saved.length && kept.rows.every(one => claims.get(one.user_id) === one.claim)
}

/**
 * Sends what waits, in order. Without a line the rest stays as it is; what is refused stays with its sentence until it is read,
 * so that nothing is lost (chapter 80 M13). @returns the queue afterwards, and how many were taken
 */
export async function sendRolls(
  queue: readonly KeptRoll[],
  send: (roll: KeptRoll) => Promise<Sent>,
): Promise<{ queue: KeptRoll[]; taken: number }> {
  let left = [...queue]
  let taken = 0
  for (const roll of queue.filter(one => one.refusal === null)) {
    const answer = await send(roll)
    if (answer.kind === 'no_line') break
    if (answer.kind === 'taken') {
      taken += 1
      left = dropRoll(left, roll.lesson_day_id)
    } else left = left.map(one => (one.lesson_day_id === roll.lesson_day_id ? { ...one, refusal: answer.msg } : one))
  }
  return { queue: left, taken }
}

/** The queue as it was stored; something that is none is an empty one. */
export function readRolls(text: string | null): KeptRoll[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found) ? found.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(one: unknown): one is KeptRoll {
  return typeof one === 'object' && one !== null && 'lesson_day_id' in one && 'rows' in one && Array.isArray(one.rows) && 'taken_at' in one
}
