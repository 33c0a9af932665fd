import { identityErrors } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Failure } from '@kit/contract'
import type { Desk } from './db.ts'
import type { Account } from './login-lookup.service.ts'
import type { Proof } from './login-proof.service.ts'
import { passwordOwners } from './password-owner.ts'
import { gradeOf, isStillGood, isWeak, strictest } from './password-rule/rule.ts'
import type { PasswordRule } from './password-rule/rule.ts'
import type { SchoolOfPerson } from './role-list.service.ts'
import { issueTicket } from './ticket.queries.ts'

const own_password = 1

/**
 * What an account must still do after a right password (L6–L8): nothing but wait for the super administrator, or set a new password first.
 * @throws Refusal 6007 without any ticket; 6005, 6006 with the school whose rule counts and the ticket for the new password
 */
export async function checkPolicy(desk: Desk, proof: Proof, schools: readonly SchoolOfPerson[], entry_school_id: number | undefined): Promise<void> {
  const { account, typed } = proof
  if (account.vuln_reason !== null) throw fail(identityErrors.accountVulnerable)
  const rule = strictest(schools.map(school => school.rule))
  const owners = typed === null ? [] : await passwordOwners(desk, account, schools)
  const grade = typed === null ? account.pwd_grade : gradeOf(typed, rule, owners)
  if (grade !== account.pwd_grade) await keepGrade(desk, account.user_id, grade)
  if (typed !== null && isToBeShut(account, rule) && isWeak(typed, owners)) throw await shutWeak(desk, account.user_id)
  if (account.pwd_state !== own_password) throw await newPasswordFirst(desk, identityErrors.passwordDefault, account, rule, entry_school_id)
  if (!isStillGood(grade, account.pwd_set_at, rule, desk.now)) throw await newPasswordFirst(desk, identityErrors.passwordExpired, account, rule, entry_school_id)
}

/** A school may shut guessable passwords out (§2 Password); whoever could open them again is only asked to change his. */
function isToBeShut({ pwd_state, super_slot }: Account, rule: PasswordRule): boolean {
  return rule.blocks_weak && pwd_state === own_password && super_slot === null
}

async function shutWeak(desk: Desk, user_id: string) {
  await desk.own(0, db => db.updateTable('account').set({ vuln_reason: '弱口令' }).where('user_id', '=', user_id).execute())
  return fail(identityErrors.accountVulnerable)
}

function keepGrade(desk: Desk, user_id: string, pwd_grade: number): Promise<unknown> {
  return desk.own(0, db => db.updateTable('account').set({ pwd_grade }).where('user_id', '=', user_id).execute())
}

async function newPasswordFirst(desk: Desk, failure: Failure, { user_id }: Account, rule: PasswordRule, entry_school_id: number | undefined) {
  const purpose = failure === identityErrors.passwordDefault ? 'pwd_default' : 'pwd_expired'
  const { token } = await desk.own(0, db => issueTicket(db, { purpose, user_id, entry_school_id }, desk.now))
  return fail(failure, { data: { have_more_school: rule.school_id, token } })
}
