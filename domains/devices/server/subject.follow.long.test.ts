import { createHash, randomUUID } from 'node:crypto'
import { dataOf, startTestApp, tapWire } from '@apps/server/testing'
import type { TestApp, TestUser, WireTap } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { deviceApi } from '@campus/devices/contract'
import { changeApi, deleteApi, deptEditApi, personApi, personPageApi, studentFileApi, userDeleteApi } from '@campus/people/contract'
import type { ChangeDraft, ChangeReceipt } from '@campus/people/contract'
import { createDepts, enrolStudents, linkGuardians } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declareCredentials, declareGrants } from './sync/declare.ts'

const school_id = 1001
const [day_ms, hour_ms] = [86_400_000, 3_600_000]
const zone_ms = 8 * hour_ms
/** After so long a terminal is asked once more for what it did not say. */
const ask_again_ms = 11_000
/** Identity number and telephone of the pupil. */
const protected_values = ['370200202005120019', '16912345678'] as const
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'people.student.view', 'people.student.edit', 'people.dept.view', 'people.dept.edit', 'people.change.run', 'people.change.view', 'people.change.undo', 'people.delete.run', 'people.delete.view', 'people.delete.config', 'people.quit.view', 'devices.sync.view']
let app: TestApp
let me: TestUser
let terminal: JdevTerminal
let tap: WireTap
let pupil: string
let parent: string
let class_id: string
let other_class: string
let place_id: string

beforeAll(async () => {
  app = await startTestApp()
  tap = await tapWire(await app.running.listenToDevices())
  me = await app.as({ school_id, codes, places: 'all' })
  ;({ pupil, parent, class_id, other_class } = await aPupil())
  place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  const draft = { device_sn: 'F1', device_name: '南门终端', device_type: '01' as const, model_code: 'JD-F10', place_id }
  const { setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
  terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${tap.port}`, sn: 'F1', secret: setup?.secret ?? '' })
  await terminal.start()
  await app.running.database.tenant(school_id, async db => {
    const now = app.clock.now()
    const by = { app: app.running.app, db, school_id, now }
    const to = new Date(Math.floor(now.getTime() / day_ms + 90) * day_ms)
    await declareCredentials(by, [{ user_id: pupil, cred_kind: 'card', code: '11223344', usable: true, source: 'cards', source_ref: 'card 1', version: 1 }])
    await declareGrants(by, [pupil, parent].map(user_id => ({ user_id, place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `grant ${user_id}`, version: 1, expires_at: to })))
  })
})
afterAll(async () => {
  await terminal?.stop()
  tap?.close()
  await app?.close()
})

/** A pupil in a class, as the roll knows him, with his mother, and another class. */
async function aPupil(): Promise<{ pupil: string; parent: string; class_id: string; other_class: string }> {
  return app.running.database.tenant(school_id, async db => {
    const { rows } = await sql<{ id: string }>`select id::text from dept where school_id = ${school_id} order by id limit 1`.execute(db)
    const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: rows[0]?.id ?? '', dept_name: '一年级', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '一年级1班', dept_type: 4, class_no: 1, capacity: 30, ...cohort },
      { key: 'other', parent: 'grade', dept_name: '一年级2班', dept_type: 4, class_no: 2, capacity: 30, ...cohort },
    ], '2026-09-01')
    const of_class = ids.get('class') ?? ''
    const [user_id = ''] = await enrolStudents(db, app.running.app.secrets, school_id, [{ user_name: '王子涵', sex: '1', student_no: '20260101', id_no: protected_values[0], tel: protected_values[1], dept_id: of_class, enrol_month: '202609', from: '2026-09-01', birthday: '2020-05-12', id_type: '1', study_method: '1', nation: '01' }])
    const [mother] = await linkGuardians(db, app.running.app.secrets, school_id, [{ student_user_id: user_id, user_name: '李芳', mobile: '16900000001', relation: '52', is_first: true, is_guardian: true, from: '2026-09-01' }])
    return { pupil: user_id, parent: mother ?? '', class_id: of_class, other_class: ids.get('other') ?? '' }
  })
}

const held = (user_id = pupil) => terminal.store.held('person').get(user_id)?.body
const row_version = async () => dataOf(personApi.detail, await app.call(personApi.detail, { id: pupil }, { token: me.token })).row_version

const today = () => new Date(app.clock.now().getTime() + zone_ms).toISOString().slice(0, 10)
const leave = async () => (await give({ kind: 'OUT', subjects: [{ user_id: pupil }], effective_on: today(), reason: '随父母迁居', to_where: '市第二小学' })).receipt

/** Gives a command as the page does, and says what its preview had told of the devices. */
async function give(draft: ChangeDraft) {
  const preview = dataOf(changeApi.preview, await app.call(changeApi.preview, { draft }, { token: me.token }))
  const receipt = dataOf(changeApi.apply, await app.call(changeApi.apply, { draft, plan_hash: preview.plan_hash }, { token: me.token }))
  return { planned: preview.effects.find(isDevices), receipt }
}

const isDevices = ({ domain }: { domain: string }) => domain === 'devices'
const receiptOf = async (command_id: string) => dataOf(changeApi.detail, await app.call(changeApi.detail, { id: command_id }, { token: me.token }))
/** How a command stands, and its line of the devices. */
const lineOf = ({ state, effects }: ChangeReceipt) => {
  const line = effects.find(isDevices)
  return [state, line?.state, line?.detail]
}
const stands = async (command_id: string) => lineOf(await receiptOf(command_id))
/** What the page of the pupil says of his cards and of the terminals. */
const credentials = async () => dataOf(personPageApi.credentials, await app.call(personPageApi.credentials, { id: pupil }, { token: me.token })).list.flatMap(({ title, items }) => items.map(item => [title, item.title, item.status_text, item.detail]))
const away_text = '等待 1 台设备上线：南门终端'

/** Puts the pupil on the list of those who are erased at once, the own password proved again. @returns the number of the batch */
async function erase(): Promise<string> {
  const recheck_token = randomUUID()
  const at = (ms: number) => new Date(app.clock.now().getTime() + zone_ms + ms).toISOString().slice(11, 16)
  const { config, row_version: version } = dataOf(userDeleteApi.config, await app.call(userDeleteApi.config, {}, { token: me.token }))
  dataOf(userDeleteApi.saveConfig, await app.call(userDeleteApi.saveConfig, { ...config, hold_days: 0, window: { from: at(-hour_ms), to: at(2 * hour_ms) }, row_version: version }, { token: me.token }))
  await app.running.database.tenant(school_id, db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(recheck_token).digest()}, 'recheck', ${me.user_id}, ${school_id}, ${new Date(app.clock.now().getTime() + 60_000)})`.execute(db))
  return dataOf(deleteApi.run, await app.call(deleteApi.run, { user_ids: [pupil], reason: '已毕业', recheck_token }, { token: me.token })).batch_no ?? ''
}

describe('whoever may pass a gate is known there as the school knows him', () => {
  test('20-A28 what a terminal is told of him holds no protected value', async () => {
    const said = () => tap.packets.filter(packet => packet.kind === 3 && packet.from === 'broker').map(packet => packet.body.toString('utf8')).join('\n')
    await expect.poll(said).toContain('王子涵')
    expect(protected_values.filter(value => said().includes(value))).toEqual([])
  })

  test('with a right alone, nobody having declared him: name, number and class', async () => {
    await expect.poll(() => held()).toMatchObject({ name: '王子涵', no: '20260101', dept: '一年级1班' })
  })

  test('a new name stands on the terminal, and so does a new name of the class', async () => {
    expect((await app.call(studentFileApi.update, { user_id: pupil, row_version: await row_version(), user_name: '王子函' }, { token: me.token })).status).toBe(200)
    await expect.poll(() => held()).toMatchObject({ name: '王子函' })
    expect((await app.call(deptEditApi.update, { school_id, id: class_id, row_version: 1, dept_name: '一年级向日葵班' }, { token: me.token })).status).toBe(200)
    await expect.poll(() => held()).toMatchObject({ dept: '一年级向日葵班' })
  })

  test('20-A11 a move waits for the terminal that is away, by its name, and is settled when it has confirmed the new class', async () => {
    await terminal.stop()
    await expect.poll(async () => dataOf(deviceApi.list, await app.call(deviceApi.list, {}, { token: me.token })).list[0]?.device_state).not.toBe('1')
    const { planned, receipt } = await give({ kind: 'CLASS', subjects: [{ user_id: pupil, from_dept_id: class_id, to_dept_id: other_class }], effective_on: today(), reason: '家长申请' })
    expect([planned?.count, planned?.detail]).toEqual([2, '1 台设备'])
    expect(lineOf(receipt)).toEqual(['applied', 'waiting', away_text])
    expect(await stands(receipt.command_id)).toEqual(['applied', 'waiting', away_text])
    await expect.poll(credentials).toEqual([['识别凭证', '卡', '可用', null], ['终端', '南门终端', '待下发', '等待设备上线，上次确认']])
    await terminal.start()
    await expect.poll(() => stands(receipt.command_id)).toEqual(['settled', 'done', null])
    expect(await credentials()).toEqual([['识别凭证', '卡', '可用', null], ['终端', '南门终端', '已下发', '确认于']])
    expect(held()).toMatchObject({ dept: '一年级2班' })
  })

  test('20-A11 who leaves is no longer there, nor are his parents; a departure that is taken back brings them again', async () => {
    await expect.poll(() => held(parent)).toMatchObject({ name: '李芳' })
    const receipt = await leave()
    await expect.poll(() => stands(receipt.command_id)).toEqual(['settled', 'done', null])
    expect((await receiptOf(receipt.command_id)).expiry).toEqual({ seconds: expect.any(Number), median_seconds: expect.any(Number), measured: 1 })
    expect([held(), held(parent), terminal.store.held('credential').size]).toEqual([undefined, undefined, 0])
    expect((await app.call(changeApi.undo, { id: receipt.command_id, reason: '办错' }, { token: me.token })).status).toBe(200)
    await expect.poll(() => held()).toMatchObject({ name: '王子函' })
    await expect.poll(() => held(parent)).toMatchObject({ name: '李芳' })
  })

  test('20-A11 a leave that is taken back before the terminal has heard of it waits for nobody', async () => {
    await terminal.stop()
    const { command_id } = await leave()
    expect((await app.call(changeApi.undo, { id: command_id, reason: '办错' }, { token: me.token })).status).toBe(200)
    expect(await stands(command_id)).toEqual(['undone', 'undone', null])
    await terminal.start()
    await expect.poll(() => stands(command_id)).toEqual(['undone', 'undone', null])
    expect(held()).toMatchObject({ name: '王子函' })
  })

  test('a terminal that is lost is waited for no longer', async () => {
    const draft = { device_sn: 'F2', device_name: '北门终端', device_type: '01' as const, model_code: 'JD-F10', place_id }
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token: me.token }))
    const lost = new JdevTerminal({ url: `mqtt://127.0.0.1:${tap.port}`, sn: 'F2', secret: setup?.secret ?? '' })
    await lost.start()
    await expect.poll(() => lost.store.held('person').has(pupil)).toBe(true)
    await lost.stop()
    const { command_id } = await leave()
    await expect.poll(() => stands(command_id)).toEqual(['applied', 'waiting', expect.stringContaining('北门终端')])
    await expect.poll(() => held()).toBeUndefined()
    const now = dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token: me.token })).device
    expect((await app.call(deviceApi.retire, { device_id: device.device_id, row_version: now.row_version, reason: '遗失', is_lost: true }, { token: me.token })).status).toBe(200)
    await expect.poll(() => stands(command_id)).toEqual(['settled', 'done', null])
    expect((await app.call(changeApi.undo, { id: command_id, reason: '办错' }, { token: me.token })).status).toBe(200)
    await expect.poll(() => held()).toMatchObject({ name: '王子函' })
  })

  test('who is erased while a terminal is away is not proved gone before the terminal itself has said so', async () => {
    await terminal.stop()
    const { command_id } = await leave()
    const batch_no = await erase()
    const detail = async () => dataOf(userDeleteApi.details, await app.call(userDeleteApi.details, { batch_no, page_size: 300 }, { token: me.token })).list[0]
    await expect.poll(async () => (await detail())?.state).toBe('waiting_proof')
    const waiting = async () => (await detail())?.stores.flatMap(store => (store.state === 'waiting' ? [store.store.split(':')[0]] : []))
    expect(await waiting()).toEqual(['terminal'])
    expect(await stands(command_id)).toEqual(['applied', 'waiting', away_text])
    // He is gone from it, but its answer is lost, and then it does not say what it holds.
    Object.assign(terminal.faults, { drop_replies: 1, refuse_reads: true })
    await terminal.start()
    await expect.poll(() => held()).toBeUndefined()
    await terminal.stop()
    terminal.trace.length = 0
    await terminal.start()
    await expect.poll(() => terminal.trace.length).toBeGreaterThan(0)
    expect(await waiting()).toEqual(['terminal'])
    terminal.faults.refuse_reads = false
    app.clock.advance(ask_again_ms)
    await expect.poll(async () => (await detail())?.state).toBe('deleted')
    await expect.poll(() => stands(command_id)).toEqual(['settled', 'done', null])
  })
})
