import { adapter_facts, identityErrors } from '@campus/identity/contract'
import type { BoundRow, ProviderAdapter, providerApi, providerLoginApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { callerOf } from '../account.target.ts'
import type { Desk, IdentityCtx } from '../db.ts'
import { insertBind, ownBinds, pageBinds, removeBind } from './bind.queries.ts'
import { browserOf } from './browser-cookie.ts'
import { spendVisit } from './visit.queries.ts'

/**
 * Binds what a provider said before this person signed in by his password (chapter 10 §4): in the same browser, within ten minutes, to himself.
 * @throws Refusal 422 bindExpired, bindElsewhere, 409 boundToOther
 */
export async function bindOwn(pre: Pre, { bind_token }: Input<typeof providerLoginApi.bind>): Promise<{ label: string }> {
  const desk: Desk = pre
  const { user_id } = callerOf(pre)
  const browser = browserOf(pre)
  const visit = browser === undefined ? null : await desk.own(0, db => spendVisit(db, bind_token, browser, ['bind'], desk.now))
  const external_id = visit?.external_id ?? null
  if (!visit || external_id === null) throw fail(identityErrors.bindExpired)
  const { school_id, adapter } = visit
  pre.note({ target_kind: 'identity.provider', target_id: adapter, target_name: adapter_facts[adapter].name })
  await desk.own(school_id, async db => {
    const here = await db.selectFrom('school_user').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).where('left_at', 'is', null).executeTakeFirst()
    if (!here) throw fail(identityErrors.bindElsewhere)
    // Thrown in here, so that the bind he had stays.
    if ((await insertBind(db, { school_id, provider: adapter, external_id, user_id, bound_by: user_id }, desk.now)) === 'other') throw fail(identityErrors.boundToOther)
  })
  return { label: adapter_facts[adapter].name }
}

/** What the caller has bound in his school. */
export async function listOwnBinds({ db, me }: IdentityCtx): Promise<Reply<typeof providerLoginApi.mine>> {
  const binds = await ownBinds(db, me.school_id, me.user_id)
  return { list: binds.map(({ adapter, bound_at }) => ({ adapter, label: adapter_facts[adapter].name, bound_at: bound_at.toISOString() })) }
}

/** Takes the caller's own bind away. @throws Refusal 404 */
export async function unbindOwn(ctx: IdentityCtx, { adapter }: { adapter: ProviderAdapter }): Promise<Record<string, never>> {
  return unbindUser(ctx, { adapter, user_id: ctx.me.user_id })
}

/** Takes a bind away; the person signs in by his password again. @throws Refusal 404 */
export async function unbindUser(ctx: IdentityCtx, { adapter, user_id }: Input<typeof providerApi.unbind>): Promise<Record<string, never>> {
  if (!(await removeBind(ctx.db, ctx.school_id, adapter, user_id))) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'account', target_id: user_id, target_name: adapter_facts[adapter].name })
  return {}
}

/** The people bound to a provider of the school. */
export async function listBinds({ db, school_id }: IdentityCtx, { adapter, ...at }: Input<typeof providerApi.bound>): Promise<{ list: BoundRow[]; total: number }> {
  const { total, rows } = await pageBinds(db, school_id, adapter, at)
  const list = rows.map(({ tail, by_name, bound_at, bound_by, ...row }) => {
    return { ...row, external_tail: `***${tail}`, bound_at: bound_at.toISOString(), bound_by_name: bound_by === row.user_id ? null : by_name }
  })
  return { list, total }
}
