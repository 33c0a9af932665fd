import { provider_adapters } from '@campus/identity/contract'
import type { MatchKind, ProviderAdapter } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { asIdentity } from '../db.ts'
import type { IdentityHandle } from '../db.ts'
import { directory } from '../directory.ts'
import type { Vouched } from './adapter.ts'

const tail_length = 4

/** One bind as it stood, for whoever takes its end back; `bound_at` is a text with its microseconds. */
export type BindImage = { provider: string; external_id: string; user_id: string; bound_at: string; bound_by: string | null }

/**
 * The person of the school whom a provider means: who has bound it, else who fits by number or mobile where the school trusts in that. Whoever
 * has left is nobody, and so are two who share a mobile.
 */
export async function findVouched(db: IdentityHandle, app: App, who: { school_id: number; adapter: ProviderAdapter; match_by: MatchKind; vouched: Vouched }): Promise<string | null> {
  const { school_id, adapter, match_by, vouched } = who
  if ('username' in vouched) {
    const account = await db.selectFrom('account').select('user_id').where('username_key', '=', vouched.username.toLowerCase()).executeTakeFirst()
    return living(db, school_id, account)
  }
  const bound = await db.selectFrom('external_bind').select('user_id').where('school_id', '=', school_id).where('provider', '=', adapter).where('external_id', '=', vouched.external_id).executeTakeFirst()
  if (bound) return living(db, school_id, bound)
  if (match_by === 'user_no' && vouched.user_no !== undefined) {
    return living(db, school_id, await db.selectFrom('school_user').select('user_id').where('school_id', '=', school_id).where('user_no', '=', vouched.user_no).executeTakeFirst())
  }
  return match_by === 'phone' && vouched.phone !== undefined ? byPhone(db, app, school_id, vouched.phone) : null
}

async function byPhone(db: IdentityHandle, app: App, school_id: number, given: string): Promise<string | null> {
  const phone = given.replace(/[\s-]/g, '').replace(/^\+?86(?=1\d{10}$)/, '')
  const [known] = directory.all(app)
  if (!known || !/^1\d{10}$/.test(phone)) return null
  const { rows } = await sql<{ user_id: string }>`select u.user_id from school_user u
    where u.school_id = ${school_id} and u.left_at is null and u.user_id in (${known.search(school_id, phone.slice(-4))})`.execute(db)
  const contacts = await known.contacts(db, school_id, rows.map(row => row.user_id))
  const fitting = rows.filter(({ user_id }) => contacts.get(user_id)?.mobile === phone)
  return fitting.length === 1 ? (fitting[0]?.user_id ?? null) : null
}

/** The person who was found, unless he has left the school or never was there. */
async function living(db: IdentityHandle, school_id: number, found: { user_id: string } | undefined): Promise<string | null> {
  if (!found) return null
  const here = await db.selectFrom('school_user').select('user_id').where('school_id', '=', school_id).where('user_id', '=', found.user_id).where('left_at', 'is', null).executeTakeFirst()
  return here?.user_id ?? null
}

/** Binds an outside account to a person, in place of the one he had bound before; `other` when it is somebody else's. */
export async function insertBind(db: IdentityHandle, bind: { school_id: number; provider: ProviderAdapter; external_id: string; user_id: string; bound_by: string }, now: Date): Promise<'bound' | 'other'> {
  const { school_id, provider, external_id, user_id } = bind
  await db.deleteFrom('external_bind').where('school_id', '=', school_id).where('provider', '=', provider).where('user_id', '=', user_id).where('external_id', '<>', external_id).execute()
  await db.insertInto('external_bind').values({ ...bind, bound_at: now }).onConflict(oc => oc.doNothing()).execute()
  const stored = await db
    .selectFrom('external_bind')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('provider', '=', provider)
    .where('external_id', '=', external_id)
    .executeTakeFirst()
  return stored?.user_id === user_id ? 'bound' : 'other'
}

/** Frees one person from one provider; answers whether there was anything. */
export async function removeBind(db: IdentityHandle, school_id: number, provider: ProviderAdapter, user_id: string): Promise<boolean> {
  const gone = await db.deleteFrom('external_bind').where('school_id', '=', school_id).where('provider', '=', provider).where('user_id', '=', user_id).returning('user_id').executeTakeFirst()
  return gone !== undefined
}

/** Everything that is bound to people who leave goes with them. */
export async function removeBindsOf(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<BindImage[]> {
  const of_people = sql`school_id = ${school_id} and user_id = any(${[...user_ids]}::bigint[])`
  const { rows } = await sql<BindImage>`
    select provider, external_id, user_id, bound_at::text as bound_at, bound_by from external_bind where ${of_people} for update`.execute(db)
  if (rows.length > 0) await sql`delete from external_bind where ${of_people}`.execute(db)
  return rows
}

/** Puts binds back, but for those that somebody else has taken meanwhile. */
export async function restoreBinds(db: QueryExecutorProvider, school_id: number, binds: readonly BindImage[]): Promise<void> {
  if (binds.length === 0) return
  await asIdentity(db).insertInto('external_bind').values(binds.map(bind => ({ school_id, ...bind }))).onConflict(oc => oc.doNothing()).execute()
}

/** How many people are bound to each provider of the school. */
export async function countBinds(db: IdentityHandle, school_id: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('external_bind').select(['provider', sql<number>`count(*)::int`.as('n')]).where('school_id', '=', school_id).groupBy('provider').execute()
  return new Map(rows.map(({ provider, n }) => [provider, n]))
}

/** The people bound to a provider, the latest first; of the outside id only its end is read. */
export async function pageBinds(db: IdentityHandle, school_id: number, provider: ProviderAdapter, { page_index, page_size }: { page_index: number; page_size: number }) {
  const rows = await db
    .selectFrom('external_bind as b')
    .innerJoin('school_user as u', join => join.onRef('u.school_id', '=', 'b.school_id').onRef('u.user_id', '=', 'b.user_id'))
    .leftJoin('school_user as w', join => join.onRef('w.school_id', '=', 'b.school_id').onRef('w.user_id', '=', 'b.bound_by'))
    .select(['b.user_id', 'u.user_name', 'u.user_no', 'b.bound_at', 'b.bound_by', 'w.user_name as by_name', sql<string>`right(b.external_id, ${tail_length})`.as('tail')])
    .where('b.school_id', '=', school_id)
    .where('b.provider', '=', provider)
    .orderBy('b.bound_at', 'desc')
    .orderBy('b.user_id')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
  const total = (await countBinds(db, school_id)).get(provider) ?? 0
  return { total, rows }
}

/** What one person has bound in a school. */
export async function ownBinds(db: IdentityHandle, school_id: number, user_id: string) {
  const rows = await db.selectFrom('external_bind').select(['provider', 'bound_at']).where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('bound_at').execute()
  return rows.map(({ provider, bound_at }) => ({ adapter: z.enum(provider_adapters).parse(provider), bound_at }))
}

/**
 * The outside accounts that people have bound, by user_id, without their realm (a corporation, an Official Account): where messages reach them.
 * Whoever has bound none of this realm is left out.
 */
export async function boundAccounts(db: QueryExecutorProvider, school_id: number, { provider, realm, user_ids }: { provider: string; realm: string; user_ids: readonly string[] }): Promise<ReadonlyMap<string, string>> {
  const rows = await asIdentity(db)
    .selectFrom('external_bind')
    .select(['user_id', 'external_id'])
    .where('school_id', '=', school_id)
    .where('provider', '=', provider)
    .where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
    .execute()
  const start = `${realm}|`
  return new Map(rows.flatMap(({ user_id, external_id }) => (external_id.startsWith(start) ? [[user_id, external_id.slice(start.length)]] : [])))
}
