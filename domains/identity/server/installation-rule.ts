import { identityErrors } from '@campus/identity/contract'
import type { PasswordSetFields } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Config } from '@kit/server/config'
import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'

type Bounds = Pick<Config, 'CAMPUS_SHORTEST_PASSWORD' | 'CAMPUS_LONGEST_PASSWORD_DAYS' | 'CAMPUS_LONGEST_IDLE_MINUTES' | 'CAMPUS_MOST_LOGIN_TRIES'>
type Bounded = Pick<PasswordSetFields, 'pwd_count' | 'valid_days' | 'lock_times' | 'idle_minutes'>

/**
 * Brings the password rule of a school inside the installation's bounds (chapter 10 S3, profile mlps3); whatever is inside stays as it is. School 0 is
 * the rule of addresses that name no school. @returns whether something was changed
 */
export async function holdRule(db: QueryExecutorProvider, school_id: number, bounds: Bounds): Promise<boolean> {
  const { CAMPUS_SHORTEST_PASSWORD: shortest, CAMPUS_LONGEST_PASSWORD_DAYS: days, CAMPUS_LONGEST_IDLE_MINUTES: idle, CAMPUS_MOST_LOGIN_TRIES: tries } = bounds
  const { rows } = await sql`
    update password_set set pwd_count = greatest(pwd_count, ${shortest}), idle_minutes = least(idle_minutes, ${idle}), lock_times = least(lock_times, ${tries}),
      valid_days = case when ${days} > 0 and (valid_days = 0 or valid_days > ${days}) then ${days} else valid_days end, row_version = row_version + 1
    where school_id = ${school_id} and (pwd_count < ${shortest} or idle_minutes > ${idle} or lock_times > ${tries} or (${days} > 0 and (valid_days = 0 or valid_days > ${days})))
    returning school_id`.execute(db)
  return rows.length > 0
}

/** @throws Refusal 422 boundsHeld, naming the bound, for a rule that is looser than the installation allows */
export function requireWithinBounds(bounds: Bounds, rule: Bounded): void {
  const problem = boundBroken(bounds, rule)
  if (problem !== null) throw fail(identityErrors.boundsHeld, { params: { rule: problem } })
}

/** Which bound of the installation a rule breaks, in words; null when none. */
export function boundBroken(bounds: Bounds, { pwd_count, valid_days, lock_times, idle_minutes }: Bounded): string | null {
  const { CAMPUS_SHORTEST_PASSWORD: shortest, CAMPUS_LONGEST_PASSWORD_DAYS: days, CAMPUS_LONGEST_IDLE_MINUTES: idle, CAMPUS_MOST_LOGIN_TRIES: tries } = bounds
  if (pwd_count < shortest) return `密码最小长度不能少于${shortest}位`
  if (days > 0 && (valid_days === 0 || valid_days > days)) return `密码有效期须设为30-${days}天`
  if (lock_times > tries) return `锁定次数不能多于${tries}次`
  return idle_minutes > idle ? `空闲时长不能超过${idle}分钟` : null
}
