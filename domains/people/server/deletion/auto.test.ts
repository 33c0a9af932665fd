import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { quitApi, userDeleteApi } from '@campus/people/contract'
import { addWork } from '@campus/jobs/server'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from '../testing/changer.ts'
import { delete_codes, deleter, windowNow } from '../testing/deleter.ts'
import { personWork } from './batch-work.ts'
import { erasePort } from './erase-port.ts'

const codes = [...delete_codes, 'people.change.run', 'people.change.view', 'people.student.view']
const school_id = 1001
let app: TestApp
let school: SmallSchool
let admin: TestUser
let own: ReturnType<typeof deleter>
let made = 0
const refusing = new Set<string>()

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes })
  own = deleter(app, admin)
  await own.configure({ hold_days: 0, window: windowNow(app) })
  erasePort.fill(app.running.app, {
    domain: 'test', title: '卡片', stage: 'rows', tables: [], stays: {},
    async erase({ user_id }) {
      if (refusing.has(user_id)) throw new Error('the store refuses')
      return []
    },
  })
})
afterAll(() => app.close())

async function leavers(count: number): Promise<string[]> {
  const ids = await pupilsIn(app, school_id, school.class_1, Array.from({ length: count }, () => `A${(made += 1)}`))
  await changer(app, admin).give({ kind: 'OUT', subjects: ids.map(user_id => ({ user_id })), effective_on: dayOf(app), reason: '迁居', to_where: '市第二小学' })
  return ids
}
const one = async () => (await leavers(1))[0] ?? ''
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const inSchool = <R>(fn: (db: Parameters<typeof addWork>[0]) => Promise<R>) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
async function until(batch_no: string, states: string[]): Promise<void> {
  await expect.poll(() => own.states(batch_no), { timeout: 15_000 }).toEqual(states)
}
const statusOf = async (user_id: string) => (await inSchool(db => sql<{ status: string }>`select status from person where school_id = ${school_id} and user_id = ${user_id}`.execute(db))).rows[0]?.status

describe('the settings', () => {
  test('20-A26 are never stored by a browser, and an older version of them is refused', async () => {
    const response = await fetch(`${app.url}/core/user-delete/config`, { headers: { authorization: admin.token } })
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
    const { config, row_version } = dataOf(userDeleteApi.config, await app.call(userDeleteApi.config, {}, { token: admin.token }))
    const save = (more: object) => app.call(userDeleteApi.saveConfig, { ...config, row_version, ...more }, { token: admin.token })
    expect((await save({ hold_days: 91 })).status).toBe(400)
    expect(refusal(await save({ checks: { head_teacher: 'settle' } }))).toEqual([422, 'people.deleteSettle'])
    expect((await save({ checks: { head_teacher: 'warn' } })).status).toBe(200)
    expect(refusal(await save({}))).toEqual([409, 'people.deleteConfigTaken'])
  })

  test('tell before they are saved whom they would find today', async () => {
    const ids = await leavers(3)
    const { config } = dataOf(userDeleteApi.config, await app.call(userDeleteApi.config, {}, { token: admin.token }))
    const due = async (student: number) => dataOf(userDeleteApi.due, await app.call(userDeleteApi.due, { ...config, leave_days: { ...config.leave_days, student } }, { token: admin.token })).students
    expect(await due(1)).toBe(0)
    const found = await due(0)
    expect(found).toBeGreaterThanOrEqual(3)
    await own.listed(ids.slice(0, 1))
    expect(await due(0)).toBe(found - 1)
  })
})

describe('the nightly search', () => {
  test('proposes batches that nobody has confirmed, and never runs them', async () => {
    const ids = await leavers(2)
    await own.configure({ auto_enabled: true, leave_days: { student: 0, staff: 365 } })
    await inSchool(db => addWork(db, { school_id, kind: 'people_delete_search', ref: 'now', due_at: app.clock.now() }))
    const proposed = async () => dataOf(userDeleteApi.batches, await app.call(userDeleteApi.batches, { source: 'auto' }, { token: admin.token })).list
    await expect.poll(async () => (await proposed()).length, { timeout: 15_000 }).toBe(1)
    await own.configure({ auto_enabled: false, leave_days: { student: 365, staff: 365 } })
    const [batch] = await proposed()
    expect(batch).toMatchObject({ state: 'checking', waits_for: 'confirm', created_by: null, hold_until: null })
    expect((await own.details(batch?.batch_no ?? '')).map(row => row.user_id)).toEqual(expect.arrayContaining(ids))
    expect((await own.confirm(batch?.batch_no ?? '')).status).toBe(200)
    await expect.poll(() => statusOf(ids[0] ?? ''), { timeout: 15_000 }).toBe('purged')
  })
})

describe('an erasure that goes wrong', () => {
  test('is tried again, then shown, and done by hand once the reason is gone', async () => {
    const id = await one()
    refusing.add(id)
    const batch_no = await own.listed([id])
    await until(batch_no, ['deleting'])
    await expect.poll(async () => {
      await inSchool(db => sql`update work set lease_until = null where school_id = ${school_id} and kind = 'people_delete_person' and ref like ${`${batch_no}%`}`.execute(db))
      return own.states(batch_no)
    }, { timeout: 20_000, interval: 300 }).toEqual(['error'])
    expect(await statusOf(id)).toBe('live')
    refusing.delete(id)
    expect((await own.retry(batch_no)).status).toBe(200)
    await until(batch_no, ['deleted'])
    expect(refusal(await own.retry(batch_no))).toEqual([409, 'people.deleteNothing'])
  })

  test('a line that comes twice erases once: the proofs and the day stay', async () => {
    const id = await one()
    const batch_no = await own.listed([id])
    await until(batch_no, ['deleted'])
    const before = await own.proofOf(batch_no, id)
    await inSchool(db => addWork(db, personWork(school_id, batch_no, id, app.clock.now())))
    await expect.poll(async () => (await inSchool(db => sql`select 1 from work where kind = 'people_delete_person' and ref like ${`${batch_no}%`}`.execute(db))).rows.length, { timeout: 15_000 }).toBe(0)
    expect(await own.proofOf(batch_no, id)).toEqual(before)
  })
})

describe('who left', () => {
  test('is listed with the class of his last day, and no more once he is back or his name is gone', async () => {
    const id = await one()
    const file = dataOf(quitApi.detail, await app.call(quitApi.detail, { id }, { token: admin.token }))
    expect(file).toMatchObject({ dept_name: '一年级1班', close_kind: 'OUT', to_where: '市第二小学', left_on: dayOf(app), kept_until: null, items: [], deletion: null, school_name: '测试一校' })
    const batch_no = await own.listed([id])
    await until(batch_no, ['deleted'])
    const { list } = dataOf(quitApi.page, await app.call(quitApi.page, { group: 'out', page_size: 300 }, { token: admin.token }))
    expect(list.find(row => row.user_id === id)).toMatchObject({ user_name: '已注销人员', user_no: '', is_purged: true, deletion: { batch_no, state: 'deleted' } })
    const { list: years } = dataOf(quitApi.years, await app.call(quitApi.years, {}, { token: admin.token }))
    expect(years.find(one_year => one_year.year === dayOf(app).slice(0, 4))?.out).toBe(list.length)
  })

  test('20 §6 are exported as they are listed, within the scope, without names of who was deleted', async () => {
    const exporter = (scope: object) => app.as({ school_id, codes: ['people.quit.view', 'people.quit.export'], ...scope })
    const lines = async (query: Request<typeof quitApi.export>, scope: object = {}) => sheetLines(await app.call(quitApi.export, query, { token: (await exporter(scope)).token }))
    const { list } = dataOf(quitApi.page, await app.call(quitApi.page, { kind: 'student', page_size: 300 }, { token: admin.token }))
    const [title = [], , filter = [], head = [], ...rows] = await lines({ kind: 'student' })
    expect([title[0], filter[0], head[0]]).toEqual([`测试一校　离校人员档案　共${list.length}人`, '条件：类别 学生', '姓名'])
    expect(rows.map(row => [row[0], row[2], row[6]])).toEqual(list.map(row => [row.user_name, row.user_no, row.left_on]))
    expect((await lines({}, { scope: 'custom', scope_ids: [school.class_2] }))[0]?.[0]).toBe('测试一校　离校人员档案　共0人')
    expect((await app.call(quitApi.export, {}, { token: admin.token })).status).toBe(403)
  })

  test('of another class is not told to whoever sees one class alone; pupils still here are never there', async () => {
    const id = await one()
    const narrow = await app.as({ school_id, codes: ['people.quit.view'], scope: 'custom', scope_ids: [school.class_2] })
    expect((await app.call(quitApi.detail, { id }, { token: narrow.token })).status).toBe(404)
    expect(dataOf(quitApi.page, await app.call(quitApi.page, {}, { token: narrow.token })).total).toBe(0)
    expect((await app.call(quitApi.detail, { id: school.pupils[0] ?? '' }, { token: admin.token })).status).toBe(404)
  })
})
