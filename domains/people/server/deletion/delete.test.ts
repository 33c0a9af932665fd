import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { addressOf, keepMade } from '@campus/files/server'
import { studentFileApi, userDeleteApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn, stateHash } from '../testing/changer.ts'
import { delete_codes, deleter, windowNow } from '../testing/deleter.ts'
import { ackErasure, holdsErased } from './ack.ts'
import { erasePort } from './erase-port.ts'
import { precheckPort } from './precheck-port.ts'

const codes = [...delete_codes, 'people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view', 'people.student.edit']
const school_id = 1001
/** A terminal that is away keeps its word for later. */
const terminals = ['terminal:gate-1', 'terminal:gate-2', 'terminal:gate-3']
const with_card = new Set<string>()

let app: TestApp
let school: SmallSchool
let admin: TestUser
let own: ReturnType<typeof deleter>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes })
  own = deleter(app, admin)
  await own.configure({ hold_days: 0, window: windowNow(app) })
  erasePort.fill(app.running.app, {
    domain: 'test', title: '终端', stage: 'terminal', tables: [], stays: {},
    erase: async () => terminals.map(store => ({ store, title: store.slice(9), action: 'deleted' as const, acked: false as const })),
  })
  precheckPort.fill(app.running.app, {
    code: 'card', title: '未退卡', level: 'block',
    find: async (_desk, ids) => ids.filter(id => with_card.has(id)).map(user_id => ({ user_id, action: '请先退卡', link: '/CardManage' })),
    settle: async (_desk, ids) => ids.forEach(id => with_card.delete(id)),
  })
})
afterAll(() => app.close())

/** Pupils who have left. */
async function leavers(count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, () => `D${(made += 1)}`)
  const ids = await pupilsIn(app, school_id, school.class_1, numbers)
  await changer(app, admin).give({ kind: 'OUT', subjects: ids.map(user_id => ({ user_id })), effective_on: dayOf(app), reason: '迁居', to_where: '市第二小学' })
  return ids
}
const one = async () => (await leavers(1))[0] ?? ''
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const inSchool = <R>(fn: (db: Parameters<typeof ackErasure>[0]['db']) => Promise<R>) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const desk = (db: Parameters<typeof ackErasure>[0]['db']) => ({ app: app.running.app, db, school_id, now: app.clock.now() })
const ack = (user_id: string, store: string) => inSchool(db => ackErasure(desk(db), { user_id, store }, 'ack-1'))
const person = (user_id: string) => app.running.database.tenant<PeopleDb, { user_name: string; status: string; mobile: string | null }>(school_id, db =>
  db.selectFrom('person').select(['user_name', 'status', 'mobile']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow())
async function until(batch_no: string, states: string[]): Promise<void> {
  await expect.poll(() => own.states(batch_no), { timeout: 15_000 }).toEqual(states)
}

describe('a deletion', () => {
  test('20-A24 waits for the third terminal, then proves every store; the old name is printed nowhere', async () => {
    const id = await one()
    const { app: running, database } = app.running
    const file_key = `${school_id}/${id}/20261126/photo.png`
    const bytes = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')
    const enter = await keepMade({ app: running, own: database.tenant.bind(database), now: app.clock.now() }, school_id, id, { file_key, purpose: 'avatar', bytes, width: 1, height: 1 })
    await database.tenant<PeopleDb, void>(school_id, async db => {
      await enter({ app: running, db, school_id, now: app.clock.now() }, { ref_kind: 'people.person', ref_id: id })
      await db.updateTable('person').set({ photo_file_key: file_key, mobile: '16955550001' }).where('school_id', '=', school_id).where('user_id', '=', id).execute()
    })
    const photo = async () => (await fetch(`${app.url}${addressOf(running, app.clock.now(), { school_id, file_key, visibility: 'school' }, admin)}`)).status
    expect(await photo()).toBe(200)
    const batch_no = await own.listed([id])
    await until(batch_no, ['waiting_proof'])
    expect(await photo()).toBe(404)
    await ack(id, terminals[0] ?? '')
    await ack(id, terminals[1] ?? '')
    expect(await own.states(batch_no)).toEqual(['waiting_proof'])
    const [waiting] = await own.details(batch_no)
    expect(waiting?.stores.filter(store => store.state === 'waiting').map(store => store.store)).toContain('terminal:gate-3')
    await ack(id, terminals[2] ?? '')
    await until(batch_no, ['deleted'])
    const proof = await own.proofOf(batch_no, id)
    expect(proof.stores.map(store => [store.store, store.action, store.state])).toEqual(expect.arrayContaining([
      ['object:embedded', 'deleted', 'acked'], ...terminals.map(store => [store, 'deleted', 'acked']), ['db:people', 'anonymised', 'acked'], ['db:audit', 'kept', 'acked'], ['account', 'deleted', 'acked'],
    ]))
    expect(proof.stores.filter(store => store.action === 'kept').every(store => store.basis !== null)).toBe(true)
    expect(await own.batch(batch_no)).toMatchObject({ state: 'finished' })
    expect(await person(id)).toEqual({ user_name: '已注销人员', status: 'purged', mobile: null })
    const { rows } = await inSchool(db => sql<{ n: number; name: string }>`
      select (select count(*)::int from file_object where school_id = ${school_id} and file_key = ${file_key} and state < 6) as n,
        (select display_name from person_label where school_id = ${school_id} and user_id = ${id}) as name`.execute(db))
    expect(rows).toEqual([{ n: 0, name: '已注销人员' }])
  })

  test('leaves nothing of him in the tables of people, whichever column', async () => {
    const [, second = ''] = await leavers(2)
    await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
      await db.updateTable('person').set({ user_name: '甲乙丙丁戊', address: '甲乙丙丁戊路1号' }).where('school_id', '=', school_id).where('user_id', '=', second).execute()
      await db.updateTable('student').set({ remark: '甲乙丙丁戊', student_no: 'NO-甲乙丙丁戊' }).where('school_id', '=', school_id).where('user_id', '=', second).execute()
    })
    const batch_no = await own.listed([second])
    await until(batch_no, ['waiting_proof'])
    for (const table of ['person', 'student', 'student_span', 'dept_member', 'change_subject', 'tombstone', 'school_user']) {
      const { rows } = await inSchool(db => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} t where school_id = ${school_id} and to_jsonb(t)::text like '%甲乙丙丁戊%'`.execute(db))
      expect([table, rows[0]?.n]).toEqual([table, 0])
    }
  })

  test('20-A25 is refused with what is unsettled, and for somebody who stands on another list', async () => {
    const id = await one()
    with_card.add(id)
    const answer = await own.run([id])
    expect(refusal(answer)).toEqual([409, 'people.deleteBlocked'])
    expect(answer.body.data).toMatchObject({ list: [{ user_id: id, items: [{ title: '未退卡', action: '请先退卡', link: '/CardManage' }] }] })
    with_card.delete(id)
    await own.configure({ hold_days: 7 })
    await own.listed([id])
    expect(refusal(await own.run([id]))).toEqual([409, 'people.deleteHolding'])
    await own.configure({ hold_days: 0 })
  })

  test('20-A25 cancelled while it is held leaves every row as it was', async () => {
    const ids = await leavers(2)
    await own.configure({ hold_days: 7 })
    const before = await stateHash(app, school_id)
    const batch_no = await own.listed(ids)
    expect((await own.cancel(batch_no)).status).toBe(200)
    const { user_delete_batch: _, user_delete_detail: __, ...rest } = await stateHash(app, school_id)
    expect(before).toMatchObject(rest)
    expect(await own.batch(batch_no)).toMatchObject({ state: 'cancelled' })
    expect(refusal(await own.cancel(batch_no))).toEqual([409, 'people.deleteState'])
    await own.configure({ hold_days: 0 })
  })

  test('two lists at once for one person end in one list and one refusal', async () => {
    const id = await one()
    await own.configure({ hold_days: 7 })
    const both = await Promise.all([own.run([id]), own.run([id])])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await own.configure({ hold_days: 0 })
  })

  test('is never of somebody who is still here; an item may be settled on the spot where the school wants it', async () => {
    expect(refusal(await own.run([school.pupils[0] ?? '']))).toEqual([409, 'people.deleteBlocked'])
    const id = await one()
    with_card.add(id)
    await own.configure({ checks: { card: 'settle' } })
    expect((await own.run([id])).status).toBe(200)
    expect(with_card.has(id)).toBe(false)
    await own.configure({ checks: {} })
  })

  test('of somebody with something unsettled by the end of the holding time is blocked, looked at again and done', async () => {
    const ids = await leavers(2)
    const [first = ''] = ids
    await own.configure({ hold_days: 1, window: { from: '00:00', to: '23:59' } })
    const batch_no = await own.listed(ids)
    with_card.add(first)
    await inSchool(db => sql`update user_delete_batch set hold_until = ${app.clock.now()} where school_id = ${school_id} and batch_no = ${batch_no}`.execute(db))
    await inSchool(db => sql`update work set due_at = ${app.clock.now()} where school_id = ${school_id} and kind = 'people_delete_batch' and ref like ${`${batch_no}%`}`.execute(db))
    await own.configure({ window: windowNow(app) })
    await until(batch_no, ['blocked', 'waiting_proof'])
    expect((await own.retry(batch_no)).status).toBe(200)
    expect(await own.states(batch_no)).toEqual(['blocked', 'waiting_proof'])
    with_card.delete(first)
    await own.retry(batch_no)
    await until(batch_no, ['waiting_proof', 'waiting_proof'])
    await own.configure({ hold_days: 0 })
  })

  test('by a wrong or a spent proof of the password is refused, and by somebody who is no operator', async () => {
    const id = await one()
    const recheck_token = await own.proof()
    const ask = () => app.call(userDeleteApi.confirm, { no: 'D202601010001', recheck_token }, { token: admin.token })
    expect((await ask()).status).toBe(404)
    await own.configure({ operator_user_ids: [school.teachers[0] ?? ''] })
    expect(refusal(await own.run([id]))).toEqual([403, 'people.deleteOperator'])
    await own.configure({ operator_user_ids: [] })
    const stranger = await app.as({ school_id, codes })
    const foreign = await deleter(app, stranger).proof()
    expect(refusal(await app.call(userDeleteApi.confirm, { no: 'D202601010001', recheck_token: foreign }, { token: admin.token }))).toEqual([403, 'people.recheck'])
  })

  test('of more than fifty people waits for a second person', async () => {
    const ids = await leavers(51)
    const batch_no = await own.listed(ids)
    expect(await own.batch(batch_no)).toMatchObject({ state: 'checking', waits_for: 'second' })
    expect(refusal(await own.confirm(batch_no))).toEqual([403, 'people.secondPerson'])
    const second = deleter(app, await app.as({ school_id, codes }))
    await own.configure({ hold_days: 7 })
    expect((await second.confirm(batch_no)).status).toBe(200)
    expect(await own.batch(batch_no)).toMatchObject({ state: 'holding', counts: { holding: 51 } })
    await own.configure({ hold_days: 0 })
  })

  test('of an entry of less than a day that nothing has used undoes the entry at once', async () => {
    const draft = { dept_id: school.class_2, user_name: '误录生', sex: '1', student_no: `E${(made += 1)}`, parents: [{ user_name: '误录父', mobile: '16955559999', relation: '51' }] }
    const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, draft, { token: admin.token }))
    const answer = await own.run([user_id], '误录入')
    expect(answer.body.data).toMatchObject({ batch_no: null, undone: [user_id] })
    const { rows } = await inSchool(db => sql`select user_id from person where school_id = ${school_id} and user_id = ${user_id}`.execute(db))
    expect(rows).toEqual([])
  })
})

describe('a store that answers late', () => {
  test('is asked again when it turns out to hold him after all, and the proof waits for it', async () => {
    const id = await one()
    const batch_no = await own.listed([id])
    await until(batch_no, ['waiting_proof'])
    for (const store of terminals) await ack(id, store)
    expect(await own.states(batch_no)).toEqual(['deleted'])
    expect(await inSchool(db => holdsErased(desk(db), id, { store: 'terminal:gate-9', title: 'gate-9' }))).toBe(true)
    expect(await own.states(batch_no)).toEqual(['waiting_proof'])
    expect(await own.batch(batch_no)).toMatchObject({ state: 'proving' })
    await ack(id, 'terminal:gate-9')
    expect(await own.batch(batch_no)).toMatchObject({ state: 'finished' })
  })

  test('that says it twice at once, with a stranger between, finishes once', async () => {
    const id = await one()
    const batch_no = await own.listed([id])
    await until(batch_no, ['waiting_proof'])
    const said = await Promise.all([...terminals, ...terminals, 'terminal:stranger'].map(store => ack(id, store)))
    expect(said.reduce((sum, n) => sum + n, 0)).toBe(3)
    expect(await own.states(batch_no)).toEqual(['deleted'])
  })

  test('and does not answer within its hours is shown as late', async () => {
    const id = await one()
    const batch_no = await own.listed([id])
    await until(batch_no, ['waiting_proof'])
    await inSchool(db => sql`update user_delete_proof set asked_at = asked_at - interval '25 hours' where school_id = ${school_id} and batch_no = ${batch_no}`.execute(db))
    const [row] = await own.details(batch_no)
    expect(row?.stores.filter(store => store.is_late).map(store => store.store)).toEqual(terminals)
    expect(dataOf(userDeleteApi.details, await app.call(userDeleteApi.details, { batch_no, has_error: true }, { token: admin.token })).total).toBe(1)
  })
})
