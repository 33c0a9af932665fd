import { dataOf } from '@apps/server/testing'
import { maintenanceApi, SchoolSetting, schoolSettingApi, setting_defaults, syncApi } from '@campus/devices/contract'
import { inboxApi } from '@campus/messages/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { raiseOfflineAlarms } from '../event/offline-alarm.ts'
import { passesRead } from '../event/passes-read.ts'
import { askTonight } from '../proof/proof.queries.ts'
import { declareGrants, declareSubjects, revoke } from '../sync/declare.ts'
import { aSchoolAdmin, grantOf, startDevices, subjectOf } from '../testing/start.ts'
import type { TestUser } from '@apps/server/testing'
import type { DevicesTest } from '../testing/start.ts'
import { deleteOldForeign } from './foreign.run.ts'

const [minute_ms, day_ms, moved_ms] = [60_000, 86_400_000, 601_000] as const
let d: DevicesTest
let admin: TestUser
beforeAll(async () => {
  d = await startDevices({ codes: ['devices.setting.view', 'devices.setting.edit', 'devices.sync.view', 'devices.sync.edit'] })
  admin = await aSchoolAdmin(d)
})
afterEach(() => d.stopAll())
afterAll(() => d.close())

const read = async () => dataOf(schoolSettingApi.read, await d.app.call(schoolSettingApi.read, {}, { token: d.me.token }))
const put = (setting: SchoolSetting, row_version: number) => d.app.call(schoolSettingApi.update, { ...setting, row_version }, { token: d.me.token })
/** Sets some values, the others as by default. */
const set = async (more: Partial<SchoolSetting>) => dataOf(schoolSettingApi.update, await put({ ...setting_defaults, ...more }, (await read()).row_version)).setting
const effects = async (more: Partial<SchoolSetting>) => dataOf(schoolSettingApi.preview, await d.app.call(schoolSettingApi.preview, { ...(await read()).setting, ...more }, { token: d.me.token })).list
const run = (db: Parameters<Parameters<typeof d.tenant>[0]>[0], now: Date) => ({ app: d.app.running.app, db, school_id: d.school_id, now })
const drift = async (device_id: string, resolved?: '1') => dataOf(syncApi.drift, await d.app.call(syncApi.drift, { device_id, ...(resolved ? { resolved } : {}) }, { token: d.me.token }))

test('nothing set is as by default, also where access has noted how far it has read; two who write at once: one wins; the log has what was before', async () => {
  expect(await read()).toEqual({ setting: setting_defaults, row_version: 0, updated_at: null })
  await d.tenant(db => passesRead({ db, school_id: d.school_id }, new Date(0)))
  expect(await read()).toEqual({ setting: setting_defaults, row_version: 0, updated_at: null })
  const next = { ...setting_defaults, offline_alert_minutes: 5, broker_notes: '防火墙放行8883端口' }
  const both = await Promise.all([put(next, 0), put({ ...next, offline_alert_minutes: 6 }, 0)])
  expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
  expect(await read()).toMatchObject({ setting: { ...next, offline_alert_minutes: expect.any(Number) }, row_version: 1, updated_at: expect.any(String) })
  const { rows } = await d.tenant(db => sql<{ before: SchoolSetting; after: SchoolSetting }>`select before, after from operation_log where school_id = ${d.school_id} and call = 'devices.setting.update' and after is not null`.execute(db))
  expect(rows).toMatchObject([{ before: { offline_alert_minutes: 10 }, after: { broker_notes: '防火墙放行8883端口' } }])
})

test.each<[keyof SchoolSetting, unknown, string]>([
  ['offline_alert_minutes', 1, '离线报警时间须为2至1440分钟的整数'],
  ['mass_delete_pct', 100, '批量删除的占比须为5至90%的整数'],
  ['mass_delete_min', 2.5, '批量删除的人数须为10至1000人的整数'],
  ['pass_keep_days', 179, '通行记录保留须为180至3650天的整数'],
  ['foreign_policy', 'delete', '请选择外来数据的处理方式'],
  ['read_back_hour', 7, '核对要3个小时，请选择20点至次日4点之间开始，避开上下学时间'],
  ['broker_notes', '长'.repeat(501), '备注不能超过500个字'],
])('%s cannot be %s', (key, value, sentence) => {
  expect(SchoolSetting.safeParse({ ...setting_defaults, [key]: value }).error?.issues.map(issue => issue.message)).toEqual([sentence])
})

test('30 §3 rule 16: a device is an alarm after as many silent minutes as the school has set, while somebody works at it after that', async () => {
  const { terminal, device_id } = await d.aGate()
  await terminal.stop()
  await expect.poll(async () => (await d.detail(device_id)).device.device_state).toBe('0')
  const seen = new Date((await d.detail(device_id)).device.last_seen_at ?? '')
  const alarms = async () => (await d.detail(device_id)).alarms.filter(alarm => alarm.alarm_kind === 'offline').length
  const watch = (minutes: number) => d.tenant(db => raiseOfflineAlarms(run(db, new Date(seen.getTime() + minutes * minute_ms + 1000)), new Date(0)))
  await set({ offline_alert_minutes: 30 })
  await watch(11)
  expect(await alarms()).toBe(0)
  await set({ offline_alert_minutes: 5 })
  const until = new Date(seen.getTime() + 20 * minute_ms).toISOString()
  dataOf(maintenanceApi.declare, await d.app.call(maintenanceApi.declare, { device_ids: [device_id], end_at: until, reason: '更换门锁' }, { token: d.me.token }))
  expect((await d.detail(device_id)).maintained_until).toBe(until)
  await watch(19)
  await watch(24)
  expect(await alarms()).toBe(0)
  await watch(26)
  expect(await alarms()).toBe(1)
})

test('30 §3 rule 16: work at a device can be said to begin later, ends early and has an end', async () => {
  const { device_id } = await d.aDevice()
  const later = (minutes: number) => new Date(d.app.clock.now().getTime() + minutes * minute_ms).toISOString()
  const declare = async (span: { begin_at?: string; end_at: string }) => (await d.app.call(maintenanceApi.declare, { device_ids: [device_id], reason: '停电', ...span }, { token: d.me.token })).status
  const until = async () => (await d.detail(device_id)).maintained_until
  expect([await declare({ end_at: later(-1) }), await declare({ begin_at: later(5), end_at: later(4) }), await declare({ end_at: later(32 * 1440) })]).toEqual([422, 422, 422])
  expect([await declare({ begin_at: later(60), end_at: later(120) }), await until()]).toEqual([200, null])
  expect([await declare({ end_at: later(30) }), await until()]).toEqual([200, expect.any(String)])
  dataOf(maintenanceApi.end, await d.app.call(maintenanceApi.end, { device_ids: [device_id] }, { token: d.me.token }))
  expect(await until()).toBe(null)
  expect((await d.tenant(db => sql`select from device_maintenance where school_id = ${d.school_id} and device_id = ${device_id} and end_at > ${d.app.clock.now()}`.execute(db))).rows).toEqual([])
})

test('30-A9 a change is held from the share and the number on that the school has set', async () => {
  const { terminal, device_id, device_name, place_id } = await d.aGate()
  const all = Array.from({ length: 40 }, (_, n) => String(61_000 + n))
  await d.declare(async by => {
    await declareSubjects(by, all.map(user_id => subjectOf(user_id)))
    await declareGrants(by, all.map(user_id => grantOf(user_id, place_id, by.now)))
  })
  await expect.poll(() => d.states(device_id)).toEqual(['applied'])
  d.app.clock.advance(moved_ms)
  const dismiss = (users: readonly string[]) => d.declare(by => revoke(by, 'access', users.map(user_id => `grant ${user_id} ${place_id}`)))
  expect(await effects({ mass_delete_min: 10 })).toEqual([{ key: 'mass_delete_min', text: `一次从一台设备删除超过10人、并且超过30%时，暂停下发，等有权限的人签字。例如人最多的“${device_name}”现有40人，一次删除超过12人才会暂停。已经暂停的变更仍要签字。` }])
  await set({ mass_delete_min: 10, mass_delete_pct: 30 })
  await dismiss(all.slice(0, 12))
  await expect.poll(() => terminal.store.held('person').size).toBe(28)
  await dismiss(all.slice(12, 23))
  await expect.poll(async () => dataOf(syncApi.holds, await d.app.call(syncApi.holds, {}, { token: d.me.token })).list.map(plan => plan.persons)).toEqual([11])
  expect(terminal.store.held('person').size).toBe(28)
})

test('the read-back of the night begins at the hour that the school has set, before midnight too', async () => {
  const { device_id } = await d.aGate()
  const proofs = async (at: string) => {
    await d.tenant(db => askTonight(db, d.school_id, new Date(`${at}:59+08:00`)))
    return (await d.tenant(db => sql`select from sync_proof where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))).rows.length
  }
  await set({ read_back_hour: 23 })
  expect([await proofs('2027-03-02T04:59'), await proofs('2027-03-02T22:58')]).toEqual([0, 0])
  expect([await proofs('2027-03-03T01:59'), await proofs('2027-03-03T02:00')]).toEqual([1, 1])
  expect((await drift(device_id)).read_back_hour).toBe(23)
})

test('30 §3 rule 9: foreign rows go after a day where the school has said so, a day after that at the earliest, told of and listed; elsewhere never', async () => {
  const { terminal, device_id, device_name } = await d.aGate()
  terminal.store.enter('person', 'L9', 'abcdabcdabcdabcd')
  dataOf(syncApi.resync, await d.app.call(syncApi.resync, { id: device_id, mode: 'verify' }, { token: d.me.token }))
  await expect.poll(async () => (await drift(device_id)).list.map(one => [one.row_key, one.delete_at])).toEqual([['L9', null]])
  const told = async () => dataOf(inboxApi.list, await d.app.call(inboxApi.list, {}, { token: admin.token })).list.map(line => line.title).filter(title => title.includes(device_name)).toSorted()
  // Said when the whole read-back has ended, at night later than the row is seen.
  await expect.poll(told).toEqual([`发现不是平台下发的数据：${device_name}`])
  const later = (days: number) => new Date(d.app.clock.now().getTime() + days * day_ms)
  const clean = (at: Date) => d.tenant(db => deleteOldForeign(run(db, at)))
  expect(await clean(later(9))).toBe(0)
  expect((await effects({ foreign_policy: 'delete_after_24h' })).map(one => one.text)).toEqual([expect.stringMatching(/现有1条未处理的，最早在[-\d: ]+删除。发现时和删除后都会通知负责人/u)])
  await d.tenant(db => sql`update sync_drift set found_at = found_at - interval '2 days' where school_id = ${d.school_id} and device_id = ${device_id}`.execute(db))
  await set({ foreign_policy: 'delete_after_24h' })
  expect(await clean(later(0.9))).toBe(0)
  expect((await drift(device_id)).list.map(({ delete_at }) => delete_at !== null && delete_at > later(0.9).toISOString() && delete_at <= later(1).toISOString())).toEqual([true])
  await d.tenant(db => sql`update device_setting set foreign_since = foreign_since - interval '25 hours' where school_id = ${d.school_id}`.execute(db))
  expect(await clean(later(0))).toBe(1)
  await expect.poll(() => terminal.store.held('person').has('L9')).toBe(false)
  expect((await drift(device_id, '1')).list.map(one => [one.row_key, one.resolution])).toEqual([['L9', 'expired']])
  await expect.poll(told).toEqual([`发现不是平台下发的数据：${device_name}`, `外来数据到期删除：${device_name}`])
  await set({ foreign_policy: 'report' })
})

test('keeping passes for a shorter time tells which months go and when', async () => {
  const { device_id } = await d.aDevice()
  const at = new Date(d.app.clock.now().getTime() - 300 * day_ms)
  await d.tenant(db => sql`insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, verify_mode, pass_state) values (${d.school_id}, ${at.toISOString().slice(0, 10)}, ${device_id}, 'set:1', ${at}, ${at}, ${at}, 0, '0123456789abcdef', 2, 1)`.execute(db))
  const month = at.toISOString().slice(0, 7).replace(/-0?/u, '年')
  expect(await effects({ pass_keep_days: 200 })).toEqual([{ key: 'pass_keep_days', text: expect.stringContaining(`${month}月的通行记录将在平台下一次清理旧月份时（通常一天内）整月删除，不能恢复`) }])
  expect((await effects({ pass_keep_days: 350 }))[0]?.text).toContain('目前没有更早的记录')
  expect((await effects({ pass_keep_days: 500 }))[0]?.text).toContain('已经删除的月份不能恢复')
})

test('what is not another value has no effect to tell', async () => {
  expect(await effects((await read()).setting)).toEqual([])
})
