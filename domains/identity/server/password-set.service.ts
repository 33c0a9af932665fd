import type { passwordSetApi, PasswordSetFields, PasswordSetRow } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { IdentityCtx } from './db.ts'
import { requireWithinBounds } from './installation-rule.ts'
import { countEffect } from './password-effect.ts'
import { loginMax } from './password-rule/rule.ts'
import { readRule, readSet, writeSet } from './password-set.queries.ts'

/** The password rule of the caller's school. */
export async function readPasswordRow({ db, school_id }: IdentityCtx): Promise<PasswordSetRow> {
  const row = await readSet(db, school_id)
  const rule = await readRule(db, school_id)
  return { ...row, login_max: loginMax(rule), is_password_strong: rule.strong ? 1 : 0 }
}

/**
 * Saves the password rule, or with `dry` only counts whom it touches. The bound of the login form never comes down: somebody uses a password
 * that long (chapter 10 P4).
 * @throws Refusal 409 stale, 422 boundsHeld
 */
export async function savePasswordSet(ctx: IdentityCtx, draft: Input<typeof passwordSetApi.update>): Promise<Reply<typeof passwordSetApi.update>> {
  const { app, db, school_id, me, now } = ctx
  const { row_version, dry, is_password_strong, ...values } = draft
  const before = await readPasswordRow(ctx)
  if (before.row_version !== row_version) throw fail(commonErrors.stale)
  const rule = await readRule(db, school_id)
  const strong = is_password_strong === undefined ? rule.strong : is_password_strong === 1
  const effect = await countEffect(db, school_id, { before: rule, after: { pwd_count: values.pwd_count, valid_days: values.valid_days, strong } }, now)
  requireWithinBounds(app.config, values)
  const keys = changedKeys(before, values)
  if (dry === 1 || keys.length === 0) return { row: before, effect }
  if (!(await writeSet(db, { school_id, row_version, values, by: me.user_id, now }))) throw fail(commonErrors.stale)
  const row = await readPasswordRow(ctx)
  ctx.note({ target_kind: 'password_set', target_id: String(school_id), before: only(before, keys), after: only(row, keys) })
  return { row, effect }
}

/** Fields whose value is another; two texts of one instant are the same. */
function changedKeys(before: PasswordSetRow, values: PasswordSetFields): string[] {
  const same = (one: unknown) => (typeof one === 'string' && !Number.isNaN(Date.parse(one)) && one.includes('T') ? Date.parse(one) : one)
  const known: Record<string, unknown> = before
  return Object.entries(values).flatMap(([key, value]) => (same(value) === same(known[key]) ? [] : [key]))
}

function only(row: PasswordSetRow, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => keys.includes(key)))
}
