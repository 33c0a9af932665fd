import type { PasswordEffect } from '@campus/identity/contract'
import { effectSentence } from '@campus/identity/contract'
import type { ConfigCheck } from '@campus/school/server'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { asIdentity } from './db.ts'
import type { IdentityHandle } from './db.ts'
import type { PasswordRule } from './password-rule/rule.ts'
import { readRule } from './password-set.queries.ts'

/** What of a rule decides whether a password in use may stay. */
type Measure = Pick<PasswordRule, 'pwd_count' | 'valid_days' | 'strong'>

/** An account `a` in use with a password of its own; nothing else can meet 6006. */
const own_password = sql<boolean>`(a.username is not null and a.password_hash is not null and a.enabled and a.super_slot is null and a.vuln_reason is null and a.pwd_state = 1)`

/** Is the grade of account `a` known to be below the rule? 0 is unknown: nobody has typed that password yet. */
export function isBelow({ strong }: Pick<Measure, 'strong'>): RawBuilder<boolean> {
  return sql<boolean>`(a.pwd_grade between 1 and ${strong ? 2 : 1})`
}

/**
 * How many accounts of a school meet 6006 at their next login once the rule is another. Lengths are not stored: after a longer minimum every
 * password that is good today is unknown until it is typed.
 */
export async function countEffect(db: IdentityHandle, school_id: number, { before, after }: { before: Measure; after: Measure }, now: Date): Promise<PasswordEffect> {
  const is_longer = after.pwd_count > before.pwd_count
  const is_untyped = after.strong && !before.strong ? sql`a.pwd_grade = 0` : sql`false`
  const { rows } = await sql<PasswordEffect>`
    select count(*) filter (where ${fails(after, now)})::int as must_change,
      count(*) filter (where ${fails(after, now)} and not ${fails(before, now)})::int as newly,
      count(*) filter (where not ${fails(after, now)} and (${is_longer} or ${is_untyped}))::int as unknown
    from school_user u join account a on a.user_id = u.user_id
    where u.school_id = ${school_id} and u.left_at is null and ${own_password}`.execute(db)
  return rows[0] ?? { must_change: 0, newly: 0, unknown: 0 }
}

function fails(rule: Measure, now: Date): RawBuilder<boolean> {
  if (rule.valid_days === 0) return isBelow(rule)
  const last = new Date(now.getTime() - rule.valid_days * 86_400_000)
  return sql<boolean>`(${isBelow(rule)} or a.pwd_set_at is null or a.pwd_set_at < ${last})`
}

/** What strong mode means for the people of a school; said before the value is saved (chapter 10 §7). */
export const strongModeCheck: ConfigCheck = {
  key: 'is_password_strong',
  async check({ db, school_id, now }, value) {
    if (value !== 1) return null
    const own = asIdentity(db)
    const before = await readRule(own, school_id)
    const effect = await countEffect(own, school_id, { before, after: { ...before, strong: true } }, now)
    const text = effectSentence(effect)
    return text === null ? null : { count: effect.must_change, text }
  },
}
