export type QuotaEntry = { minutes: number; kind: number; leave_id: string | null; expire_on: string | null; day: string }
type Pool = { left: number; expire_on: string | null }
const given_back = 3

/**
 * Minutes left on a day, of entries in their order: what is taken comes from the grant that ends first, what is given back goes where it came from,
 * and what has ended by then counts no more (chapter 70 §2.1 quota).
 */
export function quotaLeft(entries: readonly QuotaEntry[], today: string): number {
  const pools: Pool[] = []
  const taken = new Map<string, { pool: Pool; minutes: number }[]>()
  let missing = 0
  for (const { minutes, kind, leave_id, expire_on, day } of entries) {
    if (kind === given_back) {
      giveBack(taken.get(leave_id ?? '') ?? [], minutes)
      continue
    }
    if (minutes > 0) {
      pools.push({ left: minutes, expire_on })
      continue
    }
    let rest = -minutes
    for (const pool of pools.filter(one => isOpen(one, day)).toSorted(endsFirst)) {
      const part = Math.min(pool.left, rest)
      pool.left -= part
      rest -= part
      taken.set(leave_id ?? '', [...(taken.get(leave_id ?? '') ?? []), { pool, minutes: part }])
    }
    missing += rest
  }
  return pools.filter(one => isOpen(one, today)).reduce((sum, one) => sum + one.left, 0) - missing
}

function giveBack(parts: { pool: Pool; minutes: number }[], minutes: number): void {
  let rest = minutes
  for (const part of parts.toReversed()) {
    const back = Math.min(part.minutes, rest)
    part.pool.left += back
    part.minutes -= back
    rest -= back
  }
}

function isOpen({ expire_on }: Pool, day: string): boolean {
  return expire_on === null || expire_on >= day
}

function endsFirst(one: Pool, other: Pool): number {
  return (one.expire_on ?? '9999-12-31').localeCompare(other.expire_on ?? '9999-12-31')
}
