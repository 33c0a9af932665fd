import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { grantRole, startSession } from '@campus/identity/server'
import { send } from '@campus/messages/server'
import { peopleTemplates, personHistoryApi, personLookupApi, personPageApi, studentFileApi } from '@campus/people/contract'
import { credentialPort, timelinePort, todayLinePort } from '@campus/people/server'
import type { TimelineProvider } from '@campus/people/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'

const views = ['people.student.view', 'people.staff.view', 'people.parent.view']
const canteen = 'people.tag.edit'
let app: TestApp
let school: SmallSchool
let reader: TestUser
let head: TestUser
let pupil = ''
let other = ''

/** Twelve lanes of a test; the last one never answers, the eleventh needs a code of its own. */
const lane = (n: number): TimelineProvider => ({
  lane: `test.lane${n}`, title: `测试${n}`, need: n === 11 ? canteen : 'people.student.view', facets: ['student'],
  items: (_desk, { until }) => {
    const at = new Date(Date.UTC(2026, 8, n))
    return n === 12 ? new Promise(() => {}) : Promise.resolve(until && at >= until ? [] : [{ id: 'one', at, domain: 'test', kind: 'test', title: `事项${n}`, link: null }])
  },
})

beforeAll(async () => {
  app = await startTestApp()
  const { app: running, database } = app.running
  for (let n = 1; n <= 12; n += 1) timelinePort.fill(running, lane(n))
  todayLinePort.fill(running, { lane: 'test.gate', title: '进出校', need: 'people.student.view', facets: ['student'], lines: () => Promise.resolve([{ at: new Date('2026-09-01T00:00:00Z'), text: '进校 · 南门' }]) })
  todayLinePort.fill(running, { lane: 'test.meal', title: '用餐', need: canteen, facets: ['student'], lines: () => Promise.reject(new Error('down')) })
  school = await database.tenant<PeopleDb, SmallSchool>(1001, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', 1001).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, 1001, root.id)
  })
  pupil = school.pupils[0] ?? ''
  other = school.pupils[2] ?? ''
  reader = await app.as({ school_id: 1001, codes: [...views, canteen, 'people.archive.view', 'people.change.view', 'people.student.edit', 'people.picker.use'] })
  head = await app.as({ school_id: 1001, codes: [...views, 'people.picker.use', 'people.archive.view'], scope: 'custom', scope_ids: [school.class_1] })
})
afterAll(() => app.close())

const headOf = (id: string, who = reader) => app.call(personPageApi.head, { id }, { token: who.token })
/** A lane of the database alone; on a busy machine it may have to be asked again, as a person would. */
async function ownLane(id: string, lane_name: string, query = {}, who = reader) {
  for (let asked = 0; asked < 20; asked += 1) {
    const { list, unavailable } = await timeline(id, { domains: lane_name, ...query }, who)
    if (unavailable.length === 0) return list
  }
  throw new Error(`${lane_name} never answered`)
}
const timeline = async (id: string, query = {}, who = reader) => dataOf(personPageApi.timeline, await app.call(personPageApi.timeline, { id, ...query }, { token: who.token }))

describe('20-A34 twelve lanes, one of which never answers', () => {
  test('the others stand there, the silent one is named; every lane can be left out', async () => {
    const all = await timeline(pupil)
    expect(all.unavailable.filter(one => one.lane.startsWith('test.'))).toEqual([{ lane: 'test.lane12', title: '测试12' }])
    expect(all.list.filter(item => item.domain === 'test').map(item => item.title)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map(n => `事项${n}`))
    const few = await timeline(pupil, { domains: 'test.lane2,test.lane3', to: '2026-09-02' })
    expect(few.list.map(item => item.title)).toEqual(['事项2'])
    expect(few.unavailable).toEqual([])
  })
  test('who lacks the code of a lane sees neither its items nor that it exists', async () => {
    const seen = await timeline(pupil, {}, head)
    expect(JSON.stringify(seen)).not.toMatch(/测试11|事项11|lane11/)
    expect(seen.list.map(item => item.title)).toContain('事项10')
    expect((await timeline(pupil, { domains: 'test.lane11' }, head)).list).toEqual([])
  })
  test('lines of the day: who is down is named, who may not know of it does not hear of it', async () => {
    const ask = async (who: TestUser) => dataOf(personPageApi.today, await app.call(personPageApi.today, { id: pupil }, { token: who.token }))
    expect(await ask(reader)).toEqual({ list: [{ lane: 'test.gate', at: '2026-09-01T00:00:00.000Z', text: '进校 · 南门' }], unavailable: [{ lane: 'test.meal', title: '用餐' }] })
    expect((await ask(head)).unavailable).toEqual([])
  })
})

test('cards and devices are what their domains tell: none registered nothing, who is down is named, who lacks the code does not hear of it', async () => {
  const ask = async (who: TestUser) => dataOf(personPageApi.credentials, await app.call(personPageApi.credentials, { id: pupil }, { token: who.token }))
  expect(await ask(reader)).toEqual({ list: [], unavailable: [] })
  const card = { id: 'c1', title: '校园卡 0017', status: 'ok' as const, status_text: '正常', detail: '尾号 0017', at: new Date('2026-09-01T00:00:00Z') }
  const { app: running } = app.running
  credentialPort.fill(running, { lane: 'test.card', title: '卡', need: canteen, facets: ['student'], items: () => Promise.resolve([card]) })
  credentialPort.fill(running, { lane: 'test.terminal', title: '终端', need: 'people.student.view', facets: ['student'], items: () => Promise.reject(new Error('down')) })
  credentialPort.fill(running, { lane: 'test.empty', title: '人脸', need: 'people.student.view', facets: ['student'], items: () => Promise.resolve([]) })
  expect(await ask(reader)).toEqual({ list: [{ lane: 'test.card', title: '卡', items: [{ ...card, at: '2026-09-01T00:00:00.000Z' }] }], unavailable: [{ lane: 'test.terminal', title: '终端' }] })
  expect(await ask(head)).toEqual({ list: [], unavailable: [{ lane: 'test.terminal', title: '终端' }] })
})

test('the head says who somebody is, with his family and duties', async () => {
  const of = dataOf(personPageApi.head, await headOf(pupil))
  expect(of).toMatchObject({ user_name: '王子涵', facets: [{ facet: 'student', user_no: '20260101', label: '一年级1班', state: '01', left_on: null }], warnings: [] })
  expect(of.guardians.map(one => one.user_name)).toEqual(['王志强', '李秀芳'])
  expect(of.siblings.map(one => one.user_name)).toEqual(['王子轩'])
  const [teacher = ''] = school.teachers
  expect(dataOf(personPageApi.head, await headOf(teacher)).duties).toEqual([{ duty: 'head', dept_name: '一年级1班' }])
  const parent = dataOf(personPageApi.head, await headOf(of.guardians[0]?.user_id ?? ''))
  expect(parent.facets[0]?.facet).toBe('parent')
  expect(parent.children.map(child => child.user_name)).toEqual(['王子涵', '王子轩'])
})

test('20-A35 outside scope, school or codes a person is nobody, on every call of the page', async () => {
  const stranger = await app.as({ school_id: 1002, codes: [...views, 'people.archive.view'] })
  const staff_only = await app.as({ school_id: 1001, codes: ['people.staff.view', 'people.archive.view'] })
  for (const [id, who] of [[other, head], [pupil, stranger], [pupil, staff_only]] as const) {
    expect((await headOf(id, who)).status).toBe(404)
    expect((await app.call(personPageApi.timeline, { id }, { token: who.token })).status).toBe(404)
    expect((await app.call(personPageApi.today, { id }, { token: who.token })).status).toBe(404)
    expect((await app.call(personPageApi.credentials, { id }, { token: who.token })).status).toBe(404)
    expect((await app.call(personHistoryApi.history, { id, field: 'remark' }, { token: who.token })).status).toBe(404)
  }
})

test('people’s own lanes: guardians of a pupil, duties of staff', async () => {
  const [teacher = ''] = school.teachers
  expect((await ownLane(pupil, 'people.guardian')).map(item => item.title).toSorted()).toEqual(['关联家长 李秀芳', '关联家长 王志强'])
  expect((await ownLane(teacher, 'people.duty')).map(item => [item.at, item.title])).toEqual([['2026-08-31T16:00:00.000Z', '担任一年级1班班主任']])
  expect(await ownLane(pupil, 'people.change')).toEqual([])
})

test('what identity and messages know of a person stands in lanes of their own codes, without addresses of logins', async () => {
  const [teacher = ''] = school.teachers
  const keeper = await app.as({ school_id: 1001, codes: [...views, 'identity.member.view', 'identity.account.manage', 'messages.message.view'] })
  const { app: running, database } = app.running
  const now = new Date()
  const [role_no = ''] = await database.tenant<PeopleDb, string[]>(1001, async db => {
    await send({ app: running, db, school_id: 1001, now }, { template: peopleTemplates.collectAsked, source_ref: 'lane', to: [{ user_id: teacher }], values: { title: '联系方式', at: '明天' }, level: 1 })
    return grantRole(db, 1001, [{ role_id: keeper.role_id, user_id: teacher, valid_from: now }])
  })
  await startSession({ app: running, now, own: (id, fn) => database.tenant(id, fn) }, { school_id: 1001, user_id: teacher, role_no, device_label: 'Chrome', ip: '192.0.2.7' })
  expect((await ownLane(teacher, 'identity.role', {}, keeper)).map(item => item.title)).toEqual([expect.stringMatching(/^获得角色“测试角色\d+”$/)])
  const account = await ownLane(teacher, 'identity.account', {}, keeper)
  expect(account.map(item => item.title).toSorted()).toEqual(['建立账号', '登录管理后台（Chrome）'])
  expect(JSON.stringify(account)).not.toContain('192.0.2.7')
  const [line] = await ownLane(teacher, 'messages.inbox', {}, keeper)
  expect(line).toMatchObject({ domain: 'messages', kind: 'unread', title: '请核对信息：联系方式（未读）' })
  expect(await ownLane(teacher, 'messages.inbox', { cursor: `${line?.at}/messages.inbox/${line?.id}` }, keeper)).toEqual([])
  expect(JSON.stringify((await timeline(teacher)).lanes)).not.toMatch(/identity\.|messages\./)
})

test('what became of a field: newest first, with where it came from; the timeline tells of it page by page', async () => {
  for (const [row_version, remark] of [[1, '走读'], [2, '住校']] as const) {
    expect((await app.call(studentFileApi.update, { user_id: pupil, row_version, remark }, { token: reader.token })).status).toBe(200)
  }
  const { list } = dataOf(personHistoryApi.history, await app.call(personHistoryApi.history, { id: pupil, field: 'remark' }, { token: reader.token }))
  expect(list.map(line => [line.change.before, line.change.after, line.source])).toEqual([['走读', '住校', 'typed'], [null, '走读', 'typed']])
  const files = await ownLane(pupil, 'people.archive')
  expect(files.map(item => item.title)).toEqual([expect.stringMatching(/^修改备注：.+ → .+（.+）$/), expect.stringMatching(/^修改备注：.+ → .+（.+）$/)])
  const [first] = files
  const rest = await ownLane(pupil, 'people.archive', { cursor: `${first?.at}/people.archive/${first?.id}` })
  expect(rest.map(item => item.id)).toEqual([files[1]?.id])
})

test('lookups by exact keys: matches, ambiguous and nobody, within the scope; identity numbers masked', async () => {
  const ask = async (verb: keyof typeof personLookupApi, keys: string[], kind: 'student' | 'teacher' = 'student', who = reader) =>
    dataOf(personLookupApi[verb], await app.call(personLookupApi[verb], { kind, keys }, { token: who.token }))
  expect(await ask('number', ['20260101', '20260201', '9'])).toMatchObject({ matches: [{ key: '20260101', user_name: '王子涵', label: '一年级1班' }, { key: '20260201' }], ambiguous: [], not_available: ['9'] })
  expect((await ask('number', ['20260101', '20260201'], 'student', head)).not_available).toEqual(['20260201'])
  expect((await ask('name', ['陈晓华', '陈'], 'teacher')).matches.map(one => one.user_no)).toEqual(['T1'])
  const identity = await ask('identity', ['370200202005120019', '370200202005120999'])
  expect(identity.matches.map(one => one.user_name)).toEqual(['王子涵'])
  expect(JSON.stringify(identity)).not.toMatch(/370200202005120/)
  expect((await ask('phone', ['16910000001'], 'teacher')).matches.map(one => one.user_name)).toEqual(['陈晓华'])
})
