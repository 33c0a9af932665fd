import type { BindOutcome } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { IdentityCtx } from '../db.ts'
import { requireHeld } from '../role.rights.ts'

/** One thing of a call and why nothing became of it. */
export type Tried = { id: string; name: string | null; fault: Failure | null }

/**
 * What became of each thing of a call.
 * @throws Refusal with the first reason when nothing became of any; its data tells the same list
 */
export function toldOf(tried: readonly Tried[]): { done: number; list: BindOutcome[] } {
  const list = tried.map(({ id, name, fault }): BindOutcome => ({ id, name, error: fault?.msg ?? null }))
  const done = tried.filter(({ fault }) => fault === null).length
  const first = tried[0]?.fault
  if (done === 0 && first) throw fail(first, { data: { list } })
  return { done, list }
}

/** Nobody hands on what he may not do himself (chapter 10 R7). @throws Refusal 422 notHeld */
export async function requireGivable(ctx: IdentityCtx, role_id: string): Promise<void> {
  const rows = await ctx.db.selectFrom('role_permission').select('code').where('school_id', '=', ctx.school_id).where('role_id', '=', role_id).execute()
  await requireHeld(ctx, { codes: rows.map(row => row.code), scopes: {} })
}

/** Each once, in the order given. */
export function once<T>(items: readonly T[]): T[] {
  return [...new Set(items)]
}

/** As much of a list as a line of the log holds. */
export function shortened(items: readonly string[]): string[] {
  return items.slice(0, 50)
}
