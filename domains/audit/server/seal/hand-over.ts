import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { sha256 } from './seal.ts'
import { isSignedBy, sealKeyOf, signRoot } from './seal-key.ts'

/** One seal key that took the place of another; both have signed it (hex). */
export type HandOver = { public_key: string; next_key: string; handed_at: string; signature: string; next_signature: string }

const format = 'campus-audit-hand-over-1'

function rootOf({ public_key, next_key, handed_at }: Pick<HandOver, 'public_key' | 'next_key' | 'handed_at'>): string {
  return sha256(JSON.stringify([format, public_key, next_key, handed_at]))
}

/** Writes down, signed by both, that a seal key took the place of another. Doing it again changes nothing. */
export async function handOverSealKey(database: Database, { from, to, now }: { from: Buffer; to: Buffer; now: Date }): Promise<void> {
  const [former, next] = [sealKeyOf({ seal_key: from }), sealKeyOf({ seal_key: to })]
  const facts = { public_key: former.public_key, next_key: next.public_key, handed_at: now.toISOString() }
  const root = rootOf(facts)
  const [signature, next_signature] = [signRoot(former, root), signRoot(next, root)].map(text => Buffer.from(text, 'hex'))
  await database.tenant(0, db => sql`
    insert into audit_seal_key (public_key, next_key, handed_at, signature, next_signature)
    values (${facts.public_key}, ${facts.next_key}, ${facts.handed_at}, ${signature}, ${next_signature}) on conflict do nothing`.execute(db))
}

/** Every hand-over of the installation. */
export async function handOvers(db: QueryExecutorProvider): Promise<HandOver[]> {
  const { rows } = await sql<Omit<HandOver, 'handed_at'> & { handed_at: Date }>`
    select public_key, next_key, handed_at, encode(signature, 'hex') as signature, encode(next_signature, 'hex') as next_signature from audit_seal_key order by handed_at`.execute(db)
  return rows.map(row => ({ ...row, handed_at: row.handed_at.toISOString() }))
}

/** The public keys that today's key vouches for, itself first, then backwards. A hand-over that not both have signed counts for nothing. */
export function trustedKeys(public_key: string, all: readonly HandOver[]): string[] {
  const trusted = [public_key]
  for (;;) {
    const [last = public_key] = trusted.slice(-1)
    const found = all.find(one => one.next_key === last && !trusted.includes(one.public_key) && isSigned(one))
    if (!found) return trusted
    trusted.push(found.public_key)
  }
}

function isSigned(one: HandOver): boolean {
  const root = rootOf(one)
  return isSignedBy(one.public_key, root, one.signature) && isSignedBy(one.next_key, root, one.next_signature)
}
