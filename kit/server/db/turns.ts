/** Makes a queue for something that only one may use at a time: await a turn, then call what it answers to pass it on. First come, first served. */
export function createTurns(): () => Promise<() => void> {
  let tail: Promise<void> = Promise.resolve()
  return async () => {
    const before = tail
    const { promise, resolve } = Promise.withResolvers<void>()
    tail = promise
    await before
    return resolve
  }
}
