import { AsyncLocalStorage } from 'node:async_hooks'

/** Turns of waiting people in a row, while others wait: then one of those others goes, so that nothing waits for ever. */
const most_in_a_row = 8
const waited_for = new AsyncLocalStorage<true>()

type Turn = () => void

/** Runs work for which a person waits: where turns are taken, his come before those of machines and of the server's own work. */
export function whilePersonWaits<T>(work: () => Promise<T>): Promise<T> {
  return waited_for.run(true, work)
}

/**
 * Makes a queue for something that only one may use at a time: await a turn, then call what it answers to pass it on (again has no effect).
 * Whoever waits inside `whilePersonWaits` goes before the others; among equals first come, first served.
 */
export function createTurns(): () => Promise<() => void> {
  const people: Turn[] = []
  const others: Turn[] = []
  let is_taken = false
  let in_a_row = 0
  const passOn = (): void => {
    const is_person = people.length > 0 && (others.length === 0 || in_a_row < most_in_a_row)
    in_a_row = is_person ? in_a_row + 1 : 0
    const turn = (is_person ? people : others).shift()
    is_taken = turn !== undefined
    turn?.()
  }
  return () => {
    const { promise, resolve } = Promise.withResolvers<() => void>()
    const queue = waited_for.getStore() ? people : others
    queue.push(() => resolve(once(passOn)))
    if (!is_taken) passOn()
    return promise
  }
}

function once(act: () => void): () => void {
  let is_done = false
  return () => {
    if (is_done) return
    is_done = true
    act()
  }
}
