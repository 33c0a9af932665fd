import { identityErrors } from '@campus/identity/contract'
import type { providerApi, ProviderStep } from '@campus/identity/contract'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { callerOf } from '../account.target.ts'
import type { Desk } from '../db.ts'
import type { Line, Vouched } from './adapter.ts'
import { problemOf } from './adapters.ts'
import { findVouched } from './bind.queries.ts'
import { keepBrowser } from './browser-cookie.ts'
import { ProviderFault } from './fault.ts'
import { openLine, readLine } from './line.queries.ts'
import type { StoredLine } from './line.queries.ts'
import { exchange, wayOut } from './travel.ts'
import { Trip } from './trip.ts'
import { beginVisit, keepSteps, readTest, testNoOf } from './visit.queries.ts'
import type { Visit } from './visit.queries.ts'

/**
 * Tries a line before people meet it, whether or not it is on: what can be checked here is checked at once, the rest when the administrator
 * comes back from the provider in another window. Nobody is signed in by it.
 * @throws Refusal 404
 */
export async function beginTest(pre: Pre, input: Input<typeof providerApi.test>): Promise<Reply<typeof providerApi.test>> {
  const desk: Desk = pre
  const { school_id, user_id } = callerOf(pre)
  const stored = await desk.own(school_id, db => readLine(db, school_id, input))
  if (!stored) throw fail(commonErrors.notFound)
  const line = openLine(desk.app, school_id, stored)
  const trip = new Trip()
  const problem = problemOf(desk.app, line)
  trip.note('检查设置', problem === null, problem ?? '设置完整')
  const begin = (steps: readonly ProviderStep[]) => desk.own(0, db => beginVisit(db, { purpose: 'test', browser: keepBrowser(pre), school_id, shape: line.shape, adapter: line.adapter, user_id, steps }, desk.now))
  const state = await begin(trip.steps)
  const url = problem === null && line.adapter !== 'one_time_code' ? await addressOf(pre, line, state, trip) : null
  if (line.adapter === 'one_time_code' && problem === null) trip.note('生成登录码', true, '在角色成员的“更多”中为某人生成；兑换后即失效')
  await desk.own(0, db => keepSteps(db, state, trip.steps))
  return { test_no: testNoOf(state), url, is_over: url === null, steps: trip.steps }
}

/** The way out, or null with the reason among the steps. */
async function addressOf(pre: Pre, line: Line, state: string, trip: Trip): Promise<string | null> {
  try {
    const url = await wayOut(pre, line, state, trip)
    trip.note('生成登录地址', true, url.startsWith('/') ? '本系统内置页面' : new URL(url).host)
    return url
  } catch (error) {
    if (error instanceof ProviderFault) return null
    throw error
  }
}

/** The way back of a test. @throws Refusal 422 providerTested, always: it ends here */
export async function finishTest(pre: Pre, visit: Visit, code: string): Promise<never> {
  const desk: Desk = pre
  const { school_id, state } = visit
  const trip = new Trip(visit.steps)
  trip.note('返回本系统', true, 'state 与浏览器一致，且未用过')
  const stored = await desk.own(school_id, db => readLine(db, school_id, visit))
  if (stored) await tryLine(pre, stored, { school_id, code, state }, trip)
  else trip.note('读取设置', false, '该登录方式已被删除')
  await desk.own(0, db => keepSteps(db, state, trip.steps))
  throw fail(identityErrors.providerTested)
}

async function tryLine(pre: Pre, stored: StoredLine, { school_id, code, state }: { school_id: number; code: string; state: string }, trip: Trip): Promise<void> {
  const line = openLine(pre.app, school_id, stored)
  try {
    await whose(pre, stored, line, await exchange(pre, line, { code, state }, trip), trip)
  } catch (error) {
    // The steps already say what went wrong.
    if (!(error instanceof ProviderFault) && !(error instanceof Refusal)) throw error
  }
}

async function whose(pre: Pre, stored: StoredLine, line: Line, vouched: Vouched, trip: Trip): Promise<void> {
  const desk: Desk = pre
  const { school_id } = line
  const found = await desk.own(school_id, async db => {
    const user_id = await findVouched(db, desk.app, { ...line, match_by: stored.match_by, vouched })
    return user_id === null ? undefined : db.selectFrom('school_user').select(['user_name', 'user_no']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  })
  // Where people bind themselves, an unknown one is how everybody begins.
  const is_fine = found !== undefined || ('external_id' in vouched && stored.match_by === 'external_bind')
  trip.note('匹配本校人员', is_fine, found ? `${found.user_name}（${found.user_no}）` : '没有匹配的人员；真实登录时会提示用密码登录一次，再绑定')
}

/** How far a test of the caller has come. @throws Refusal 404 */
export async function readTestSteps(pre: Pre, test_no: string): Promise<Reply<typeof providerApi.testResult>> {
  const desk: Desk = pre
  const { user_id } = callerOf(pre)
  const found = await desk.own(0, db => readTest(db, test_no, user_id))
  if (!found) throw fail(commonErrors.notFound)
  return { test_no, steps: found.steps, is_over: found.used_at !== null || found.expire_at <= desk.now }
}
