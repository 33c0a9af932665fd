import type { Integrity } from '@campus/audit/contract'
import type { AuditCtx } from './db.ts'
import { readWatch } from './seal/seal.queries.ts'
import { fingerprintOf, sealKeyOf } from './seal/seal-key.ts'

/** How far both journals of the school are checked: the earlier of the two moments, and whatever was found. */
export async function readIntegrity({ app, db, school_id }: Pick<AuditCtx, 'app' | 'db' | 'school_id'>): Promise<Integrity> {
  const watched = await readWatch(db, school_id)
  const moments = watched.flatMap(({ checked_until }) => checked_until ?? [])
  const broken = watched.flatMap(line => line.broken ?? [])
  const found_at = broken.map(one => one.found_at).toSorted()[0]
  const checked = moments.toSorted((a, b) => a.getTime() - b.getTime())[0]
  return {
    checked_until: moments.length === watched.length && checked ? checked.toISOString() : null,
    broken: found_at === undefined ? null : { found_at, count: broken.reduce((sum, one) => sum + one.count, 0) },
    fingerprint: fingerprintOf(sealKeyOf(app.secrets).public_key),
  }
}
