import type { Product } from './product.ts'

const look_ms = 50

/** Watches the resident memory of a process; `stop` answers how many bytes it grew by at most. */
export function watchMemory(product: Product): { stop(): number } {
  const before = product.rss() ?? 0
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, product.rss() ?? 0)
  }, look_ms)
  return {
    stop() {
      clearInterval(timer)
      return most - before
    },
  }
}
