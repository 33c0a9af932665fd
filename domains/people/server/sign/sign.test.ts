import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { jobApi } from '@campus/jobs/contract'
import { changeApi, signApi } from '@campus/people/contract'
import type { SignRow } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool } from '../testing/changer.ts'
import { deleter, delete_codes } from '../testing/deleter.ts'
import { signChannelPort } from './channel-port.ts'
import type { ChannelContract } from './channel-port.ts'
import { createContracts } from './sign.create.ts'
import type { NewContract } from './sign.create.ts'
import { answerContract } from './termination.ts'
import type { ContractAnswer } from './termination.ts'

const school_id = 1001
const codes = ['people.sign.view', 'people.sign.terminate', 'people.sign.export', 'people.change.run', 'people.change.view', 'people.student.view', 'people.staff.view', ...delete_codes]
const hour_ms = 3_600_000
let app: TestApp
let school: SmallSchool
let foreign: SmallSchool
let clerk: TestUser
let made = 0
const asked: ChannelContract[] = []

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  foreign = await openSchool(app, 1002)
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const inSchool = <R>(fn: (db: Db) => Promise<R>, id = school_id) => app.running.database.tenant<PeopleDb, R>(id, fn)
/** Signs for somebody; answers number and id of the contract. */
async function sign(user_id: string, more: Partial<NewContract> = {}, id = school_id): Promise<{ contract_no: string; id: string }> {
  made += 1
  const contract_no = `20261101${String(made).padStart(8, '0')}`
  return inSchool(async db => {
    await createContracts(db, id, [{ user_id, person_kind: 1, signer_user_id: user_id, product: 'quick_pay', channel: '1', contract_no, state: 'signed', signed_at: app.clock.now(), ...more }])
    return db.selectFrom('sign_contract').select(['contract_no', 'id']).where('school_id', '=', id).where('contract_no', '=', contract_no).executeTakeFirstOrThrow()
  }, id)
}
const pupils = async (query: Request<typeof signApi.students> = {}, who = clerk): Promise<SignRow[]> => dataOf(signApi.students, await app.call(signApi.students, { page_size: 300, ...query }, { token: who.token })).list
const row = async (sign_id: string) => (await pupils()).find(one => one.sign_id === sign_id)
const terminate = (sign_ids: string[], who = clerk) => app.call(signApi.terminate, { sign_ids, reason: '家长申请' }, { token: who.token })
const answer = (facts: Omit<ContractAnswer, 'channel'>) => inSchool(db => answerContract({ app: app.running.app, db, school_id, now: app.clock.now() }, { channel: '1', ...facts }))
const live = () => inSchool(async db => (await db.selectFrom('sign_live').select('sign_id').where('school_id', '=', school_id).execute()).map(one => one.sign_id))
const remind = async (input: Request<typeof signApi.remind>) => dataOf(signApi.remind, await app.call(signApi.remind, input, { token: clerk.token }))
/** Some hours pass; whoever was signed in signs in again. Jobs ask the database's own clock whether his role holds. */
async function later(hours: number): Promise<void> {
  app.clock.advance(hours * hour_ms)
  clerk = await app.as({ school_id, codes })
  await inSchool(db => sql`update role_member set valid_from = now() - interval '1 hour' where school_id = ${school_id} and role_no = ${clerk.role_no}`.execute(db))
}
/** Asks for the end of contracts and waits for the job. */
async function terminated(sign_ids: string[]) {
  const { job_no } = dataOf(signApi.terminate, await terminate(sign_ids))
  const job = async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: clerk.token }))
  await expect.poll(async () => ['queued', 'running'].includes((await job()).state), { timeout: 20_000 }).toBe(false)
  return job()
}

test('20-A33 without a channel a contract stays 解约中, and a day later it waits for somebody', async () => {
  const [pupil = ''] = school.pupils
  const { id } = await sign(pupil)
  expect(await row(id)).toMatchObject({ state: 'signed', user_name: '王子涵', dept_name: '一年级1班', contract_no: '202*********0001', product: 'quick_pay', channel: '1' })
  expect(await live()).toEqual([id])
  expect(await terminated([id])).toMatchObject({ state: 'succeeded', done: 1, failed: 0, has_result: true })
  expect(await row(id)).toMatchObject({ state: 'terminating', fail_msg: '支付渠道尚未开通，开通后自动提交解约' })
  expect(await live()).toEqual([])
  await later(23)
  expect((await row(id))?.state).toBe('terminating')
  await later(2)
  await expect.poll(async () => (await row(id))?.state, { timeout: 20_000 }).toBe('check')
  expect((await pupils({ state: 'check' })).map(one => one.sign_id)).toEqual([id])
  expect(await pupils({ state: 'terminating' })).toEqual([])
})

test('20-A33 the channel is asked, and only its answer ends a contract; one that was silent is asked again', async () => {
  signChannelPort.fill(app.running.app, { channel: '1', terminate: async (_, contracts) => void asked.push(...contracts) })
  const [, pupil = ''] = school.pupils
  const { id, contract_no } = await sign(pupil)
  const late = (await pupils({ state: 'check' }))[0]?.sign_id ?? ''
  expect(await terminated([id, late])).toMatchObject({ done: 2, failed: 0 })
  expect(asked.map(contract => contract.id).toSorted()).toEqual([id, late].toSorted())
  expect((await row(late))?.state).toBe('terminating')
  expect(await answer({ contract_no, answer: 'signed', msg: null })).toBe(false)
  expect(await answer({ contract_no, answer: 'refused', msg: '有未完成的扣款' })).toBe(true)
  expect(await row(id)).toMatchObject({ state: 'check', fail_msg: '有未完成的扣款' })
  expect(await answer({ contract_no, answer: 'terminated', msg: null })).toBe(true)
  expect(await row(id)).toMatchObject({ state: 'terminated', fail_msg: null })
  expect(await answer({ contract_no, answer: 'terminated', msg: null })).toBe(false)
  expect(await terminated([id])).toMatchObject({ done: 0, failed: 1 })
})

test('20-A33 a silent channel: a day later the contract waits for somebody with its words', async () => {
  const [, , pupil = ''] = school.pupils
  const { id } = await sign(pupil)
  await terminated([id])
  await later(25)
  await expect.poll(async () => (await row(id))?.state, { timeout: 20_000 }).toBe('check')
  expect((await row(id))?.fail_msg).toBe('支付渠道24小时未答复，请与支付渠道核对')
})

test('the list shows who has not signed beside the contracts, and their first contacts are reminded; grades are counted once a person', async () => {
  expect((await pupils({ state: 'unsigned' })).map(one => [one.user_name, one.sign_id])).toEqual([['王子轩', null]])
  expect(await remind({ who: 'student' })).toEqual({ people: 1, told: 1 })
  expect(await remind({ who: 'student', dept_id: school.class_2 })).toEqual({ people: 0, told: 0 })
  expect((await pupils({ dept_id: school.class_1 })).map(one => one.user_name)).toEqual(['王子涵', '王子轩', '王子轩'])
  expect(await pupils({ channel: '2' })).toEqual([])
  expect((await pupils({ keyword: '20260201' })).map(one => one.state)).toEqual(['check'])
  const { list } = dataOf(signApi.studentStat, await app.call(signApi.studentStat, {}, { token: clerk.token }))
  expect(list).toEqual([{ dept_id: school.grade, name: '一年级', signed: 0, terminating: 2, unsigned: 1 }])
  const [teacher = ''] = school.teachers
  await sign(teacher, { person_kind: 2, product: 'auto_recharge' })
  const staff = dataOf(signApi.teachers, await app.call(signApi.teachers, {}, { token: clerk.token })).list
  expect(staff.map(one => [one.user_name, one.state])).toEqual([['陈晓华', 'signed'], ['周明', 'unsigned']])
  expect(dataOf(signApi.teacherStat, await app.call(signApi.teacherStat, {}, { token: clerk.token })).list).toEqual([{ dept_id: null, name: '全体教职工', signed: 1, terminating: 0, unsigned: 1 }])
})

test('a class teacher sees and ends contracts of his own class alone', async () => {
  const teacher = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
  expect(new Set((await pupils({}, teacher)).map(one => one.user_name))).toEqual(new Set(['单小明']))
  const { id } = await sign(school.pupils[1] ?? '')
  expect((await terminate([id], teacher)).status).toBe(404)
  const theirs = await sign(foreign.pupils[0] ?? '', {}, 1002)
  expect((await terminate([id, theirs.id])).status).toBe(404)
  expect((await row(id))?.state).toBe('signed')
})

test('20-A33 a leave asks for the end of the contracts; somebody whose contract has not ended cannot be deleted', async () => {
  const [, pupil = ''] = school.pupils
  const { id, contract_no } = { ...(await inSchool(db => db.selectFrom('sign_contract').select(['id', 'contract_no']).where('school_id', '=', school_id).where('user_id', '=', pupil).where('state', '=', 'signed').executeTakeFirstOrThrow())) }
  const desk = changer(app, clerk)
  const draft = { kind: 'OUT' as const, subjects: [{ user_id: pupil }], effective_on: dayOf(app), reason: '迁居' }
  const preview = dataOf(changeApi.preview, await desk.preview(draft))
  expect(preview.effects.find(effect => effect.effect_code === 'contract')).toMatchObject({ title: '支付签约', count: 1, undoable: false })
  const receipt = await desk.give(draft)
  expect(receipt.effects.find(effect => effect.effect_code === 'contract')).toMatchObject({ state: 'done', detail: '1份等待支付渠道确认解约' })
  expect(await row(id)).toMatchObject({ state: 'terminating' })
  expect(asked.at(-1)?.id).toBe(id)
  const person = deleter(app, clerk)
  const refused = await person.run([pupil])
  expect([refused.status, JSON.stringify(refused.body.data)]).toEqual([409, expect.stringContaining('未解约')])
  await answer({ contract_no, answer: 'terminated', msg: null })
  expect((await person.run([pupil])).status).toBe(200)
})

test('staff who have not signed are reminded once a day', async () => {
  expect(await remind({ who: 'staff' })).toEqual({ people: 1, told: 1 })
  expect(await remind({ who: 'staff' })).toEqual({ people: 1, told: 1 })
  const lines = await inSchool(db => db.withTables<{ message: { school_id: number; template_code: string } }>().selectFrom('message').select('template_code').where('school_id', '=', school_id).where('template_code', '=', 'people.sign_reminder').execute())
  // one to guardians before, one to staff now
  expect(lines).toHaveLength(2)
})

test('the list is exported with masked numbers', async () => {
  const file = await app.call(signApi.exportStudents, {}, { token: clerk.token })
  expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringContaining('spreadsheet')])
})
