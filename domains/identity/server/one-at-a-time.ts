import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'

const longest_queue = 200
const lines = new Map<string, { tail: Promise<unknown>; length: number }>()

/**
 * Runs the attempts on one account one after the other on this node, so that many right logins at once do not use up each other's tries.
 * Across nodes the throttle's own statement decides.
 * @throws Refusal 503 hashBusy when 200 wait already
 */
export async function oneAtATime<T>(key: string, work: () => Promise<T>): Promise<T> {
  const line = lines.get(key) ?? { tail: Promise.resolve(), length: 0 }
  if (line.length >= longest_queue) throw fail(identityErrors.hashBusy, { retry_after: 3 })
  const turn = line.tail.then(work)
  line.tail = turn.catch(() => undefined)
  line.length += 1
  lines.set(key, line)
  try {
    return await turn
  } finally {
    line.length -= 1
    if (line.length === 0) lines.delete(key)
  }
}
