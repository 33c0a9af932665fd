import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { SchoolCtx, SchoolDb } from './db.ts'

/** Whose row is the school's own default. */
export const school_default = '0'

/** Whose setting: of one person in one school. */
export type PrefOwner = { school_id: number; user_id: string; pref_key: string }
type Value = z.output<ReturnType<typeof z.json>>

/** The person's own value, else the school's default (user 0), else null. */
export async function readPreference(ctx: SchoolCtx, pref_key: string): Promise<{ value: Value | null }> {
  const rows = await ctx.db
    .selectFrom('user_pref')
    .select(['user_id', 'value'])
    .where('school_id', '=', ctx.school_id)
    .where('pref_key', '=', pref_key)
    .where('user_id', 'in', [ctx.me.user_id, school_default])
    .execute()
  const found = rows.find(row => row.user_id === ctx.me.user_id) ?? rows[0]
  return { value: found ? z.json().parse(found.value) : null }
}

/** The person's own values of one kind, by key. */
export async function listPreferences(ctx: SchoolCtx, kind: string): Promise<{ list: { pref_key: string; value: Value }[] }> {
  const rows = await ctx.db
    .selectFrom('user_pref')
    .select(['pref_key', 'value'])
    .where('school_id', '=', ctx.school_id)
    .where('user_id', '=', ctx.me.user_id)
    .where('pref_key', '>=', `${kind}:`)
    .where('pref_key', '<', `${kind};`)
    .orderBy('pref_key')
    .execute()
  return { list: rows.map(({ pref_key, value }) => ({ pref_key, value: z.json().parse(value) })) }
}

/** Saves one personal setting, or forgets it with null so that the school's default shows again; the last writer wins, it is the same person. */
export async function savePreference(ctx: SchoolCtx, pref_key: string, value: unknown): Promise<Record<string, never>> {
  const owner = { school_id: ctx.school_id, user_id: ctx.me.user_id, pref_key }
  if (value === null) await dropPref(ctx.db, owner)
  else await savePref(ctx.db, owner, value, ctx.now)
  return {}
}

/** The person's own value alone, read in the caller's transaction; undefined where there is none. */
export async function findPref(db: QueryExecutorProvider, { school_id, user_id, pref_key }: PrefOwner): Promise<unknown> {
  const found = await asTables<SchoolDb>(db).selectFrom('user_pref').select('value').where('school_id', '=', school_id).where('user_id', '=', user_id).where('pref_key', '=', pref_key).executeTakeFirst()
  return found?.value
}

/** Writes a personal setting in the caller's transaction (chapter 90 §2). */
export async function savePref(db: QueryExecutorProvider, owner: PrefOwner, value: unknown, now: Date): Promise<void> {
  await asTables<SchoolDb>(db)
    .insertInto('user_pref')
    .values({ ...owner, value: JSON.stringify(value), updated_at: now })
    .onConflict(on =>
      on.columns(['school_id', 'user_id', 'pref_key']).doUpdateSet(row => ({ value: row.ref('excluded.value'), updated_at: row.ref('excluded.updated_at') })),
    )
    .execute()
}

/** Forgets every setting of somebody who is deleted. @returns how many */
export async function erasePrefs(db: QueryExecutorProvider, { school_id, user_id }: Omit<PrefOwner, 'pref_key'>): Promise<number> {
  const { numDeletedRows } = await asTables<SchoolDb>(db).deleteFrom('user_pref').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Forgets a personal setting. */
export async function dropPref(db: QueryExecutorProvider, { school_id, user_id, pref_key }: PrefOwner): Promise<void> {
  await asTables<SchoolDb>(db).deleteFrom('user_pref').where('school_id', '=', school_id).where('user_id', '=', user_id).where('pref_key', '=', pref_key).execute()
}
