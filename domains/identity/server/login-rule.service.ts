import type { loginApi } from '@campus/identity/contract'
import { Refusal } from '@kit/contract'
import type { Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Desk } from './db.ts'
import { authenticate } from './gate.ts'
import { loginMax } from './password-rule/rule.ts'
import { isOpenSchool, readRule, readSet } from './password-set.queries.ts'

/**
 * What the login page may know of a school's rule: unknown and closed schools answer like the root page. Whoever is signed in to the school
 * learns what else binds him; a token that is over is none.
 */
export async function readLoginRule(pre: Pre, asked?: number): Promise<Reply<typeof loginApi.passwordSet>> {
  const desk: Desk = pre
  const own_school = await schoolOfToken(desk, pre.bearer)
  const school_id = asked ?? 0
  const open = await desk.own(school_id, async db => ((await isOpenSchool(db, school_id)) ? readRule(db, school_id) : null))
  const rule = open ?? (await desk.own(0, db => readRule(db, 0)))
  const told = { pwd_count: rule.pwd_count, is_password_strong: rule.strong ? 1 : 0, login_max: loginMax(rule) }
  if (own_school === null || own_school !== school_id) return told
  const { valid_days, history_count, lock_times, idle_minutes, notice_until, notice_text } = await desk.own(school_id, db => readSet(db, school_id))
  return { ...told, valid_days, history_count, lock_times, idle_minutes, notice_until, notice_text }
}

async function schoolOfToken(desk: Desk, bearer: string): Promise<number | null> {
  if (bearer === '') return null
  try {
    return (await authenticate(desk, bearer)).school_id
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
