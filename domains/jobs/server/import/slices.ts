import { setImmediate } from 'node:timers/promises'

const longest_stretch_ms = 10

/** Maps a long list without holding up the server: other requests get their turn every few milliseconds. */
export async function mapInSlices<T, R>(items: readonly T[], fn: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  let begun = performance.now()
  for (const item of items) {
    results.push(fn(item))
    if (performance.now() - begun < longest_stretch_ms) continue
    await setImmediate()
    begun = performance.now()
  }
  return results
}

/** Cuts a list into pieces of at most `size`. */
export function pieces<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size))
}
