import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { peopleErrors, rechargeApi } from '@campus/people/contract'
import type { RechargeCard } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'

const school_id = 1001
const codes = ['people.recharge.edit', 'people.recharge.approve']
const rules = {
  is_open: true, channels: ['1' as const, '2' as const], min_fen: 1000, max_fen: 50_000, quick_fen: [5000, 10_000], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: true,
}
let app: TestApp
let clerk: TestUser
let second: TestUser

beforeAll(async () => {
  app = await startTestApp()
  clerk = await app.as({ school_id, codes })
  second = await app.as({ school_id, codes })
})
afterAll(() => app.close())

type Draft = Request<typeof rechargeApi.save>
const save = (more: Partial<Draft> = {}, who = clerk) => app.call(rechargeApi.save, { person_kind: 1, latest: 0, ...rules, ...more }, { token: who.token })
const approve = (version_no: number, who = second, pass = true) => app.call(rechargeApi.approve, { version_no, person_kind: 1, pass }, { token: who.token })
const card = async (who = clerk): Promise<RechargeCard | undefined> => dataOf(rechargeApi.config, await app.call(rechargeApi.config, {}, { token: who.token })).list[0]
const active = () => app.running.database.tenant<PeopleDb, object[]>(school_id, db => db.selectFrom('recharge_active').select(['person_kind', 'version', 'max_fen', 'active_from']).where('school_id', '=', school_id).execute())

test('20-A32 amounts that contradict each other are refused beside their fields', async () => {
  const wrong = await save({ min_fen: 60_000 })
  expect([wrong.status, wrong.body.data]).toEqual([422, { errors: [{ field: 'max_fen', msg: '单笔最高不能小于单笔最低' }] }])
  const cap = await save({ balance_cap_fen: 40_000, day_limit_fen: 1, quick_fen: [100], channels: [] })
  expect(cap.body.data).toEqual({ errors: [
    { field: 'channels', msg: '开放充值时请至少选择一个渠道' }, { field: 'quick_fen', msg: '快捷金额必须在单笔最低和最高之间' },
    { field: 'day_limit_fen', msg: '每日限额不能小于单笔最高' }, { field: 'balance_cap_fen', msg: '余额上限不能小于单笔最高' },
  ] })
  expect((await save({ min_fen: 0 })).status).toBe(400)
  expect((await save({ quick_fen: [1, 2, 3, 4, 5, 6, 7] })).status).toBe(400)
  expect(await card()).toEqual({ person_kind: 1, latest: 0, active: null, pending: null })
})

test('20-A32 a version is served once another person has approved it, and not before', async () => {
  expect((await save()).status).toBe(200)
  expect(await card()).toMatchObject({ latest: 1, active: null, pending: { version: 1, is_own: true, channels: ['1', '2'] } })
  expect(await active()).toEqual([])
  const own = await approve(1, clerk)
  expect([own.status, own.body.msg]).toEqual([403, peopleErrors.secondPerson.msg])
  expect(await active()).toEqual([])
  expect((await approve(1)).status).toBe(200)
  expect(await active()).toEqual([{ person_kind: 1, version: 1, max_fen: 50_000, active_from: expect.any(Date) }])
  expect((await approve(1)).body.msg).toBe(peopleErrors.rechargeState.msg)
  expect((await approve(9)).status).toBe(404)
})

test('what holds goes on beside a pending version; a refused one never holds', async () => {
  expect((await save({ latest: 1, max_fen: 80_000 })).status).toBe(200)
  expect(await card(second)).toMatchObject({ latest: 2, active: { version: 1, max_fen: 50_000 }, pending: { version: 2, max_fen: 80_000, is_own: false } })
  expect(await active()).toMatchObject([{ version: 1 }])
  dataOf(rechargeApi.approve, await approve(2, second, false))
  expect(await card()).toMatchObject({ latest: 2, active: { version: 1 }, pending: null })
  expect((await save({ latest: 1 })).body.msg).toBe(peopleErrors.rechargeStale.msg)
  expect((await save({ latest: 2, max_fen: 70_000 })).status).toBe(200)
  expect((await save({ latest: 3, max_fen: 60_000 }, second)).status).toBe(200)
  expect((await approve(3, second)).body.msg).toBe(peopleErrors.rechargeState.msg)
  dataOf(rechargeApi.approve, await approve(4, clerk))
  expect(await active()).toMatchObject([{ version: 4, max_fen: 60_000 }])
})

test('two who submit at once make one version', async () => {
  const answers = await Promise.all([save({ latest: 4 }), save({ latest: 4 }, second)])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  expect((await card())?.latest).toBe(5)
})

test('an enterprise has its own person kinds', async () => {
  const boss = await app.as({ school_id: 1003, codes })
  expect(dataOf(rechargeApi.config, await app.call(rechargeApi.config, {}, { token: boss.token })).list.map(one => one.person_kind)).toEqual([6, 7])
  expect((await app.call(rechargeApi.save, { person_kind: 1, latest: 0, ...rules }, { token: boss.token })).status).toBe(404)
})
