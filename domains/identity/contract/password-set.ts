import { api, get, loose, post, put } from '@kit/contract'
import { z } from 'zod'
import { OwnRule, whole } from './own-rule.ts'

/** How a first password is made up when a login is issued. */
export const default_rules = { random: '随机密码', phone_tail: '前缀+手机号后6位', id_tail: '前缀+证件号后6位' } as const
/** What happens to somebody who signs in with a password that anybody could guess. */
export const weak_actions = { force: '强制修改后登录', block: '禁止登录，由超级管理员重置' } as const
const rule_codes = ['random', 'phone_tail', 'id_tail'] as const
const action_codes = ['force', 'block'] as const
const flag = z.union([z.literal(0), z.literal(1)])
/** With six digits behind it every login form takes the result (chapter 10 P4). */
const prefix_shape = /^(?=.*[a-z])(?=.*[A-Z])[!-~]{2,8}$/

/** The fields of a school's password rule with their bounds (chapter 10 §1). */
export const PasswordSetFields = z.strictObject({
  pwd_count: whole(8, 64),
  ...OwnRule.shape,
  default_rule: z.enum(rule_codes),
  default_prefix: loose({ kind: 'text', max: 8 }),
  weak_action: z.enum(action_codes),
})
export type PasswordSetFields = z.output<typeof PasswordSetFields>

/** What is wrong with the prefix of first passwords; null when nothing is. */
export function checkPrefix({ default_rule, default_prefix }: Pick<PasswordSetFields, 'default_rule' | 'default_prefix'>): string | null {
  if (default_rule === 'random') return null
  return prefix_shape.test(default_prefix ?? '') ? null : '前缀须为2-8位字母、数字或符号，同时含大写和小写字母'
}

/**
 * A rule to save. `row_version`: the one it was read with. `dry` = 1 only counts. `is_password_strong`: the strong
 * mode that will hold when it is saved along with the rule; counted with, not saved here.
 */
export const PasswordSetDraft = PasswordSetFields.extend({ row_version: z.number().int().min(1).max(2_000_000_000), dry: flag.default(0), is_password_strong: flag.optional() }).superRefine((draft, ctx) => {
  const msg = checkPrefix(draft)
  if (msg !== null) ctx.addIssue({ code: 'custom', path: ['default_prefix'], message: msg })
})

/** A school's rule as it stands. `login_max`: the most signs its login form takes, follows from the passwords in use. */
export const PasswordSetRow = PasswordSetFields.extend({ login_max: z.number().int(), is_password_strong: z.number().int(), row_version: z.number().int() })
export type PasswordSetRow = z.output<typeof PasswordSetRow>

/**
 * Accounts of the school that have to change their password at their next login (6006). `newly`: those that need not under the rule as it is.
 * `unknown`: whose password is known only when it is typed again.
 */
export const PasswordEffect = z.object({ must_change: z.number().int(), newly: z.number().int(), unknown: z.number().int() })
export type PasswordEffect = z.output<typeof PasswordEffect>

const Saved = z.object({ row: PasswordSetRow, effect: PasswordEffect })

/** The password rule of a school. Both names of the write do the same: a school without a row gets one. */
export const passwordSetApi = api('web', 'identity.password', {
  detail: get('user-set/password/get_set', { reply: PasswordSetRow, need: 'identity.password.view', within: 'school' }),
  add: post('user-set/password/add_set', { body: PasswordSetDraft, reply: Saved, need: 'identity.password.edit', within: 'school', op: 4 }),
  update: put('user-set/password/update_set', { body: PasswordSetDraft, reply: Saved, need: 'identity.password.edit', within: 'school', op: 4 }),
})

/** What a first password looks like under a rule; 123456 stands for the last six signs of the number. */
export function samplePassword({ default_rule, default_prefix }: Pick<PasswordSetFields, 'default_rule' | 'default_prefix'>): string {
  if (default_rule === 'random') return 'kT7mHw3RxQ9p（每人不同）'
  return `${default_prefix ?? ''}123456`
}

/** What a change of the rule means for people, in a sentence; null when nobody is touched. */
export function effectSentence({ must_change, unknown }: PasswordEffect): string | null {
  const parts = [must_change > 0 ? `${must_change}人下次登录需修改密码` : '', unknown > 0 ? `${unknown}人的密码登录时才能核对` : '']
  return parts.filter(part => part !== '').join('，') || null
}
