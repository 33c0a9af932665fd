import { identityErrors } from '@campus/identity/contract'
import type { LoginReply, ProviderShape } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Desk } from '../db.ts'
import { answerLogin } from '../login-answer.service.ts'
import { refuseFastGuesses } from '../login-attempt.service.ts'
import type { Account } from '../login-lookup.service.ts'
import { checkPolicy } from '../login-policy.service.ts'
import { openSchools, usableRoles } from '../role-list.service.ts'
import { countFailOfAddress } from '../throttle.queries.ts'
import type { Line, Vouched } from './adapter.ts'
import { findVouched } from './bind.queries.ts'
import { browserOf } from './browser-cookie.ts'
import { openLine } from './line.queries.ts'
import type { LineKey, StoredLine } from './line.queries.ts'
import { looksLikeOneTimeCode, spendOneTimeCode } from './one-time-code.service.ts'
import { usableLine } from './provider-start.service.ts'
import { finishTest } from './provider-test.service.ts'
import { stateInCode } from './test-provider.ts'
import { exchange, refusalOf } from './travel.ts'
import { Trip } from './trip.ts'
import { beginVisit, spendVisit } from './visit.queries.ts'
import type { Visit } from './visit.queries.ts'

const [unknown_grade, strong_grade] = [0, 3]

/** With what somebody came back; `school_id` is said by shape D alone and decides nothing. */
export type Arrival = { shape: ProviderShape; code: string; state?: string; school_id?: number }

/**
 * Signs in whoever a provider vouches for (chapter 10 §2: L3 and L4 are the provider's; L5, L6, L9, L10 run, L7 and L8 only where no outside
 * password rules). Exchange results decide school and person, nothing in the address does; and as the provider is one school's, only that
 * school's identities are given.
 * @throws Refusal 422 codeInvalid, providerOff, notBound with what may be bound, accountShut, providerTested; 503 providerSilent; 429 tooFast
 */
export async function loginByProvider(pre: Pre, arrival: Arrival): Promise<LoginReply> {
  await refuseFastGuesses(pre)
  if (arrival.shape === 'D' && looksLikeOneTimeCode(arrival.code)) return loginByCode(pre, arrival)
  const visit = await visitOf(pre, arrival)
  if (!visit || visit.shape !== arrival.shape) throw await failed(pre)
  pre.note({ school_id: visit.school_id })
  if (visit.purpose === 'test') return finishTest(pre, visit, arrival.code)
  const stored = await lineOf(pre, visit.school_id, visit)
  const line = openLine(pre.app, visit.school_id, stored)
  const vouched = await exchange(pre, line, { code: arrival.code, state: visit.state }, new Trip()).catch(async (error: unknown) => {
    await countFail(pre)
    throw refusalOf(pre, line, error)
  })
  const desk: Desk = pre
  const user_id = await desk.own(line.school_id, db => findVouched(db, desk.app, { ...line, match_by: stored.match_by, vouched }))
  if (user_id === null) throw await unknownPerson(pre, stored, line, vouched)
  return enterSchool(pre, { school_id: line.school_id, user_id, has_own_password_rule: line.adapter === 'test' })
}

/** Spends the state; the test provider's codes carry it where the shape does not. */
function visitOf(pre: Pre, { code, state }: Arrival): Promise<Visit | null> {
  const desk: Desk = pre
  const browser = browserOf(pre)
  const brought = state ?? stateInCode(code)
  if (browser === undefined || brought === null) return Promise.resolve(null)
  return desk.own(0, db => spendVisit(db, brought, browser, ['login', 'test'], desk.now))
}

async function lineOf(pre: Pre, school_id: number, key: LineKey): Promise<StoredLine> {
  const desk: Desk = pre
  const stored = await desk.own(school_id, db => usableLine(desk, db, school_id, key))
  if (!stored) throw fail(identityErrors.providerOff)
  return stored
}

/** Nobody fits: what the provider said is kept for ten minutes, so that whoever signs in by his password may bind it. */
async function unknownPerson(pre: Pre, { label }: StoredLine, { school_id, shape, adapter }: Line, vouched: Vouched) {
  const desk: Desk = pre
  const browser = browserOf(pre)
  if ('username' in vouched || browser === undefined) return fail(identityErrors.notBound)
  const bind_token = await desk.own(0, db => beginVisit(db, { purpose: 'bind', browser, school_id, shape, adapter, external_id: vouched.external_id }, desk.now))
  return fail(identityErrors.notBound, { data: { bind_token, label } })
}

async function loginByCode(pre: Pre, { code, school_id }: Arrival): Promise<LoginReply> {
  const found = await spendOneTimeCode(pre, code)
  if (!found) throw await failed(pre)
  pre.note({ school_id: found.school_id })
  if (found.school_id !== school_id) throw await failed(pre)
  await lineOf(pre, found.school_id, { shape: 'D', adapter: 'one_time_code' })
  return enterSchool(pre, { ...found, has_own_password_rule: true })
}

/** From a known person to his role ticket, by the rules of the one school. */
async function enterSchool(pre: Pre, { school_id, user_id, has_own_password_rule }: { school_id: number; user_id: string; has_own_password_rule: boolean }): Promise<LoginReply> {
  const desk: Desk = pre
  const account = await desk.own(0, db => db.selectFrom('account').selectAll().where('user_id', '=', user_id).executeTakeFirst())
  pre.note({ user_id, target_kind: 'account', target_id: user_id, target_name: account?.username ?? undefined })
  if (!account?.enabled) throw fail(identityErrors.accountShut)
  const schools = await openSchools(desk, { ...account, super_slot: null }, [school_id])
  if (has_own_password_rule) await checkPolicy(desk, { account: withKnownGrade(account), typed: null, remember_token: null }, schools, school_id)
  else if (account.vuln_reason !== null) throw fail(identityErrors.accountVulnerable)
  const role_list = usableRoles(schools, { school_id, school_type: schools[0]?.school_type }, 'web')
  return answerLogin(pre, account, { schools, role_list, school_id, only_school: school_id })
}

/** A password that nobody has typed since it was set has no grade yet, and none is typed here: it is judged at its next use. */
function withKnownGrade(account: Account): Account {
  return { ...account, pwd_grade: account.pwd_grade === unknown_grade ? strong_grade : account.pwd_grade }
}

async function failed(pre: Pre) {
  await countFail(pre)
  return fail(identityErrors.codeInvalid)
}

/** Guessing at codes is guessing at logins. */
async function countFail(pre: Pre): Promise<void> {
  const desk: Desk = pre
  await desk.own(0, db => countFailOfAddress(db, pre.request.ip, desk.now))
}
