import type { PasswordSetFields } from '@campus/identity/contract'

const tail_length = 6

/** What the archives know of a person, as far as a first password may be made of it. */
export type FirstFacts = { mobile: string | null; id_no: string | null }

/**
 * The first password of somebody under the rule of his school (PwdConfig, 默认密码规则): the school's prefix and the end of a number he knows. Null: a
 * random one, by the rule or because the archives hold no such number.
 */
export function firstPassword({ default_rule, default_prefix }: Pick<PasswordSetFields, 'default_rule' | 'default_prefix'>, { mobile, id_no }: FirstFacts): string | null {
  const number = { random: null, phone_tail: mobile, id_tail: id_no }[default_rule]
  if (number === null || number.length < tail_length || default_prefix === null) return null
  return `${default_prefix}${number.slice(-tail_length)}`
}
