import { z } from 'zod'
import type { SchoolCtx } from './db.ts'

const school_default = '0'

/** The person's own value, else the school's default (user 0), else null. */
export async function readPreference(ctx: SchoolCtx, pref_key: string): Promise<{ value: z.output<ReturnType<typeof z.json>> | null }> {
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

/** Saves one personal setting; the last writer wins, it is the same person. */
export async function savePreference(ctx: SchoolCtx, pref_key: string, value: unknown): Promise<Record<string, never>> {
  await ctx.db
    .insertInto('user_pref')
    .values({ school_id: ctx.school_id, user_id: ctx.me.user_id, pref_key, value: JSON.stringify(value), updated_at: ctx.now })
    .onConflict(on =>
      on.columns(['school_id', 'user_id', 'pref_key']).doUpdateSet(row => ({ value: row.ref('excluded.value'), updated_at: row.ref('excluded.updated_at') })),
    )
    .execute()
  return {}
}
