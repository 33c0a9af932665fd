import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import { peopleErrors, whitelistApi } from '@campus/people/contract'
import type { WhitelistRow } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from '../testing/changer.ts'
import { answerWhitelist } from './channel.ts'
import { whitelistChannelPort } from './channel-port.ts'
import type { ChannelLine } from './channel-port.ts'

const school_id = 1001
const codes = ['people.whitelist.edit', 'people.whitelist.approve', 'people.change.run', 'people.student.view']
let app: TestApp
let school: SmallSchool
let foreign: SmallSchool
let clerk: TestUser
let second: TestUser
const told: { push: ChannelLine[]; remove: ChannelLine[] } = { push: [], remove: [] }
const channel = {
  push: async (_: unknown, lines: readonly ChannelLine[]) => void told.push.push(...lines),
  remove: async (_: unknown, lines: readonly ChannelLine[]) => void told.remove.push(...lines),
}

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  foreign = await openSchool(app, 1002)
  clerk = await app.as({ school_id, codes })
  second = await app.as({ school_id, codes })
})
afterAll(() => app.close())

type Draft = Request<typeof whitelistApi.add>
const draftOf = (user_id: string, more: Partial<Draft> = {}): Draft => ({ user_id, alipay_logon: '16900000001', purpose: 'face_pay', ...more })
const add = (draft: Draft, who = clerk) => app.call(whitelistApi.add, draft, { token: who.token })
const entered = async (draft: Draft) => dataOf(whitelistApi.add, await add(draft)).id
const approve = (ids: string[], who = second) => app.call(whitelistApi.approve, { ids }, { token: who.token })
const remove = (ids: string[], who = clerk) => app.call(whitelistApi.remove, { ids, reason: '登记有误' }, { token: who.token })
const lines = async (query: Request<typeof whitelistApi.page> = {}, who = clerk): Promise<WhitelistRow[]> => dataOf(whitelistApi.page, await app.call(whitelistApi.page, { page_size: 300, ...query }, { token: who.token })).list
const line = async (id: string) => (await lines()).find(row => row.id === id)
const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const active = () => inSchool(db => db.selectFrom('whitelist_active').select(['whitelist_id', 'user_id', 'payer_user_id', 'purpose']).where('school_id', '=', school_id).execute())
const answer = (id: string, state: 'active' | 'failed' | 'removed', msg: string | null = null) =>
  app.running.database.tenant<PeopleDb, boolean>(school_id, db => answerWhitelist({ app: app.running.app, db, school_id, now: app.clock.now() }, { id, state, msg }))
const newPupil = async (no: string) => (await pupilsIn(app, school_id, school.class_2, [no]))[0] ?? ''

test('20-A32 nobody approves his own line; another person does, and without a channel it waits', async () => {
  const [pupil = ''] = school.pupils
  const id = await entered(draftOf(pupil))
  expect(await line(id)).toMatchObject({ state: 'pending', user_name: '王子涵', dept_name: '一年级1班', payer_name: '王志强', alipay_logon: '169****0001', is_own: true })
  const own = await approve([id], clerk)
  expect([own.status, own.body.msg]).toEqual([403, peopleErrors.secondPerson.msg])
  expect((await line(id))?.state).toBe('pending')
  expect(dataOf(whitelistApi.approve, await approve([id]))).toEqual({ approved: 1, pushed: 0 })
  expect(await line(id)).toMatchObject({ state: 'approved', channel_msg: '支付渠道尚未开通，开通后自动处理', approved_by_name: expect.stringMatching(/^测试用户/) })
  expect((await approve([id])).body.msg).toBe(peopleErrors.whitelistState.msg)
  expect(await active()).toEqual([])
})

test('20-A32 the header tenant-id must name the school of the session', async () => {
  const asked = (tenant: string) => app.call(whitelistApi.page, {}, { token: clerk.token, headers: { 'tenant-id': tenant } })
  expect((await asked('1002')).status).toBe(403)
  expect((await asked(String(school_id))).status).toBe(200)
  const draft = draftOf(school.pupils[1] ?? '')
  expect((await app.call(whitelistApi.add, draft, { token: clerk.token, headers: { 'tenant-id': '1002' } })).status).toBe(403)
  expect(await lines({ keyword: '王子轩' })).toEqual([])
})

test('20-A32 two who enter the same pupil at once make one line', async () => {
  const pupil = await newPupil('WL1')
  const draft = draftOf(pupil)
  const guardian = { student_user_id: pupil, user_name: '马小兰', mobile: '16900000044', relation: '52', is_first: true, is_guardian: true, from: school.from }
  await inSchool(db => linkGuardians(db, app.running.app.secrets, school_id, [guardian]))
  const answers = await Promise.all([add(draft), add(draft, second)])
  expect(answers.map(one => one.status).toSorted()).toEqual([200, 409])
  expect(answers.find(one => one.status === 409)?.body.msg).toBe(peopleErrors.whitelistTaken.msg)
  expect(await lines({ keyword: 'WL1' })).toHaveLength(1)
  await entered({ ...draft, purpose: 'recharge' })
  expect(await lines({ keyword: 'WL1' })).toHaveLength(2)
})

test('who pays is a guardian of the pupil, or the member of staff himself', async () => {
  const [, pupil = '', other = ''] = school.pupils
  const [teacher = ''] = school.teachers
  const payers = dataOf(whitelistApi.payers, await app.call(whitelistApi.payers, { user_id: pupil }, { token: clerk.token })).list
  expect(payers).toMatchObject([{ user_name: '王志强', mobile: '169****0001' }])
  const theirs = dataOf(whitelistApi.payers, await app.call(whitelistApi.payers, { user_id: other }, { token: clerk.token })).list
  const wrong = await add(draftOf(pupil, { payer_user_id: theirs[0]?.user_id }))
  expect([wrong.status, wrong.body.msg]).toEqual([422, peopleErrors.whitelistPayer.msg])
  expect((await add(draftOf(teacher, { payer_user_id: payers[0]?.user_id }))).status).toBe(422)
  expect((await add(draftOf(pupil, { alipay_logon: '12345' }))).body.data).toMatchObject({ errors: [{ field: 'alipay_logon', msg: '支付宝账号应为手机号或邮箱' }] })
  expect((await add(draftOf(foreign.pupils[0] ?? ''))).status).toBe(404)
  expect((await add(draftOf(await newPupil('WL2')))).body.msg).toBe(peopleErrors.whitelistNoPayer.msg)
  const id = await entered(draftOf(teacher, { alipay_logon: 'zhou@example.com' }))
  expect(await line(id)).toMatchObject({ person_kind: 2, payer_name: '陈晓华', alipay_logon: 'z***@example.com', dept_name: '教务处' })
})

test('a class teacher sees and enters his own class alone', async () => {
  const teacher = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
  const [pupil = '', , own = ''] = school.pupils
  const id = await entered(draftOf(pupil, { purpose: 'recharge' }))
  expect((await lines({}, teacher)).map(row => row.id)).not.toContain(id)
  expect((await approve([id], teacher)).status).toBe(404)
  expect((await add(draftOf(pupil), teacher)).status).toBe(404)
  expect((await add(draftOf(own), teacher)).status).toBe(200)
  expect((await lines({}, teacher)).map(row => row.user_name)).toContain('单小明')
})

test('the channel takes lines up and drops them; only its answer makes a line active, or removed', async () => {
  whitelistChannelPort.fill(app.running.app, channel)
  const [, pupil = ''] = school.pupils
  const id = await entered(draftOf(pupil))
  expect(dataOf(whitelistApi.approve, await approve([id])).pushed).toBe(2)
  expect(told.push.map(one => one.alipay_logon)).toEqual(['16900000001', '16900000001'])
  expect((await line(id))?.state).toBe('pushing')
  expect(await answer(id, 'removed')).toBe(false)
  await answer(id, 'active', '已生效')
  expect(await active()).toMatchObject([{ whitelist_id: id, user_id: pupil, purpose: 'face_pay' }])
  expect(dataOf(whitelistApi.remove, await remove([id]))).toEqual({ removed: 0, removing: 1 })
  expect(await active()).toEqual([])
  expect((await line(id))?.state).toBe('removing')
  expect((await remove([id])).body.msg).toBe(peopleErrors.whitelistState.msg)
  await answer(id, 'removed')
  expect((await line(id))?.state).toBe('removed')
  expect(told.remove.map(one => one.id)).toEqual([id])
})

test('whoever leaves is taken off the whitelist by an effect of the leave', async () => {
  const [, , pupil = ''] = school.pupils
  const id = (await lines({ keyword: '单小明' }))[0]?.id ?? ''
  await approve([id], clerk)
  await answer(id, 'active')
  const desk = changer(app, await app.as({ school_id, codes: 'all' }))
  const receipt = await desk.give({ kind: 'OUT', subjects: [{ user_id: pupil }], effective_on: dayOf(app), reason: '迁居' })
  expect(receipt.effects.find(effect => effect.effect_code === 'whitelist')).toMatchObject({ state: 'done', undoable: false, detail: '1条等待支付渠道确认移除' })
  expect(await line(id)).toMatchObject({ state: 'removing', dept_name: '' })
})

test('a sheet enters lines that wait for another person; wrong ones stay out, and the batch can be taken back', async () => {
  const columns = ['人员类别', '编号', '姓名', '支付宝账号', '用途', '付款人手机号'].map(label => ({ prop: label, label, required: label !== '付款人手机号', text: true }))
  const samples = [
    ['教职工', 'T2', '周明', '16900000005', '刷脸支付', ''], ['学生', '20260102', '王子轩', '16900000001', '刷脸支付', '16900000001'], ['学生', '20260101', '王子涵', '16900000001', '刷脸支付', ''],
    ['学生', '20260102', '王子轩', '16900000001', '充值', '16900000003'], ['学生', '20260102', '王小轩', '1690', '充值', ''], ['学生', '99', '无此人', 'a@example.com', '充值', ''],
  ]
  const body = await writeTemplate({ sheet: '支付宝白名单导入', notes: ['说明', '说明'], columns, samples })
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'alipay_whitelist' }, { token: clerk.token, file: { name: 'list.xlsx', body } }))
  const reach = async (states: readonly string[]) => {
    await expect.poll(async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token: clerk.token })).state, { timeout: 20_000 }).toSatisfy((state: string) => states.includes(state))
  }
  await reach(['parsed', 'refused', 'failed'])
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_size: 300 }, { token: clerk.token }))
  expect(list.map(row => row.errors.map(issue => issue.msg).join('；'))).toEqual([
    '', '', '该人员已在白名单中', expect.stringContaining('付款人须为该学生的监护人'), expect.stringContaining('支付宝账号应为手机号或邮箱'), '人员不存在或不在校',
  ])
  for (const { row_no, errors } of list) if (errors.length > 0) await app.call(importApi.fix, { batch_no, row_no, skip: true }, { token: clerk.token })
  await app.call(importApi.apply, { batch_no }, { token: clerk.token })
  await reach(['applied', 'failed'])
  expect(await lines({ state: 'pending', keyword: '周明' })).toMatchObject([{ state: 'pending', user_name: '周明', is_own: true }])
  const [pupil] = await lines({ state: 'pending', keyword: '王子轩' })
  await approve([pupil?.id ?? ''])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no, partial: true }, { token: clerk.token }))
  await expect.poll(async () => lines({ keyword: '周明' }), { timeout: 20_000 }).toEqual([])
  expect((await lines({ keyword: '王子轩', state: 'pushing' })).map(row => row.id)).toEqual([pupil?.id])
})
