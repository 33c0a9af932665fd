import { peopleErrors } from '@campus/people/contract'
import { fail } from '@kit/contract'
import type { Refusal } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from '../day.ts'
import type { Db } from '../db.ts'

const per_mobile = 5
const per_address = 20
const per_form = 600
const hour_s = 3600
const kept_ms = 2 * 86_400_000

/** What is counted: `span` names the day or hour. */
type Counted = { school_id: number; subject: string; span: string; now: Date }

/** Counts one more hit of a subject in its span; two at once count as two. @returns how many there are now */
async function countHit(db: Db, { school_id, subject, span, now }: Counted): Promise<number> {
  await db.deleteFrom('register_hit').where('school_id', '=', school_id).where('made_at', '<', new Date(now.getTime() - kept_ms)).execute()
  const { hits } = await db
    .insertInto('register_hit')
    .values({ school_id, subject, span, hits: 1, made_at: now })
    .onConflict(on => on.columns(['school_id', 'subject', 'span']).doUpdateSet({ hits: sql<number>`register_hit.hits + 1` }))
    .returning('hits')
    .executeTakeFirstOrThrow()
  return hits
}

/** Five entries a day under one mobile. @throws Refusal 429 */
export async function countMobile(db: Db, school_id: number, mobile_idx: Buffer, now: Date): Promise<void> {
  const hits = await countHit(db, { school_id, subject: mobile_idx.toString('hex'), span: schoolDay(now), now })
  if (hits > per_mobile) throw fail(peopleErrors.registerTooMany, { params: { when: '明天' } })
}

/** Twenty hits an hour from one address. @returns the refusal beyond that */
export function countAddress(db: Db, school_id: number, ip_hash: Buffer, now: Date): Promise<Refusal | null> {
  return countHour(db, { school_id, subject: ip_hash, most: per_address, now })
}

/** Six hundred an hour over all who use one public address. @returns the refusal beyond that */
export function countForm(db: Db, school_id: number, form_idx: Buffer, now: Date): Promise<Refusal | null> {
  return countHour(db, { school_id, subject: form_idx, most: per_form, now })
}

async function countHour(db: Db, { school_id, subject, most, now }: { school_id: number; subject: Buffer; most: number; now: Date }): Promise<Refusal | null> {
  const hits = await countHit(db, { school_id, subject: subject.toString('hex'), span: now.toISOString().slice(0, 13), now })
  if (hits <= most) return null
  return fail(peopleErrors.registerTooMany, { params: { when: '一小时后' }, retry_after: hour_s - (Math.floor(now.getTime() / 1000) % hour_s) })
}
