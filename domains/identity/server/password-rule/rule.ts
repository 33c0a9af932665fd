import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Refusal } from '@kit/contract'
import { checkNewPassword, checkStrong } from '@kit/contract/checks'
import { tooSimple } from '@kit/contract/checks/password-common'
import type { PasswordOwner } from '@kit/contract/checks/password-common'

/** The password rule of a school as far as one account meets it (chapter 10 P4, P5). */
export type PasswordRule = {
  school_id: number
  /** shortest length, at least 8 */
  pwd_count: number
  /** 0 = a password does not age */
  valid_days: number
  /** how many earlier passwords may not come back */
  history_count: number
  strong: boolean
  lock_times: number
  login_max: number
  /** a password that anybody could guess shuts the account instead of being changed */
  blocks_weak: boolean
}

export const default_rule: PasswordRule = { school_id: 0, pwd_count: 8, valid_days: 0, history_count: 5, strong: false, lock_times: 5, login_max: 20, blocks_weak: false }

/** 1 below the rule, 2 meets it, 3 also strong; coarse on purpose, because it is stored. */
export type PasswordGrade = 1 | 2 | 3

const day_ms = 86_400_000
/** The longest a login form takes before a longer password raises it. */
const form_max = { plain: 20, strong: 16, raised: 64 }
/** What stands in the password field of a remembered login; a password that begins so could never be typed. */
export const remember_prefix = 'remember:'

/** The strictest of the rules of a person's schools in every respect; `school_id` is the school that asks the most. */
export function strictest(rules: readonly PasswordRule[]): PasswordRule {
  const [first = default_rule, ...more] = rules
  return more.reduce((one, other) => {
    const asks_more = Number(other.strong) - Number(one.strong) || other.pwd_count - one.pwd_count
    return {
      ...one,
      school_id: asks_more > 0 ? other.school_id : one.school_id,
      pwd_count: Math.max(one.pwd_count, other.pwd_count),
      valid_days: one.valid_days === 0 || other.valid_days === 0 ? Math.max(one.valid_days, other.valid_days) : Math.min(one.valid_days, other.valid_days),
      history_count: Math.max(one.history_count, other.history_count),
      strong: one.strong || other.strong,
      blocks_weak: one.blocks_weak || other.blocks_weak,
    }
  }, first)
}

/** Facts about one person, once or as each of his schools knows them. */
type Owners = PasswordOwner | readonly PasswordOwner[]

/** Why a new password is refused, or null. The history is checked elsewhere, it needs hashing. */
export function refuseNew(password: string, rule: PasswordRule, owners: Owners): Refusal | null {
  if (checkNewPassword(password, rule.pwd_count)) return fail(identityErrors.passwordRule, { params: { n: rule.pwd_count } })
  if (rule.strong && checkStrong(password)) return fail(identityErrors.passwordStrong)
  if ([owners].flat().some(owner => tooSimple(password, owner) !== null) || password.startsWith(remember_prefix)) return fail(identityErrors.passwordSimple)
  return null
}

/** Grade of a password while its text is at hand. */
export function gradeOf(password: string, rule: PasswordRule, owners: Owners): PasswordGrade {
  if (refuseNew(password, { ...rule, strong: false }, owners)) return 1
  return checkStrong(password) ? 2 : 3
}

/**
 * Whether anybody could guess a password: below what every school asks, common, or made of what is known of its owner. A school that asks
 * for more signs makes nobody's password guessable.
 */
export function isWeak(password: string, owners: Owners): boolean {
  return refuseNew(password, default_rule, owners) !== null
}

/** Whether a right password may still be used (L8): young enough and of a grade that meets today's rule. */
export function isStillGood(grade: number, set_at: Date | null, rule: PasswordRule, now: Date): boolean {
  const is_young = rule.valid_days === 0 || (set_at !== null && set_at.getTime() + rule.valid_days * day_ms >= now.getTime())
  return is_young && grade >= (rule.strong ? 3 : 2)
}

/** Upper bound of the login form: 20, 16 in a strong school, 64 once a longer password has been set. */
export function loginMax(rule: PasswordRule): number {
  if (rule.login_max >= form_max.raised) return form_max.raised
  return rule.strong ? form_max.strong : form_max.plain
}

/** Whether the login forms of these schools must be raised for a password of this length. */
export function mustRaise(length: number, rule: PasswordRule): boolean {
  return length > loginMax(rule)
}
