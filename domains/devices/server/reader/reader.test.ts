import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { cardFormatApi, readerApi, readerDeskApi } from '@campus/devices/contract'
import { openSocialKey } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { storeEvents } from '../event/store.ts'
import { declareCredentials, declareSubjects } from '../sync/declare.ts'

const school_id = test_schools.a
const desk = { desk_name: '一卡通窗口', reader_ip: '127.0.0.1', port: 32_156, mode: 'uid' as const, card_format_id: null }
const format = { format_name: '反码十位', input: 'dec10' as const, byte_order: 'reversed' as const, truncation: 'none' as const, pad: true, upper: true, sample: '2a 83 15 5e' }
let app: TestApp
let me: TestUser

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: ['devices.reader.use', 'devices.reader.edit'], places: 'all' })
  await inSchool(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    await declareSubjects(by, [{ user_id: '71', person_kind: 1, user_no: '2026001', user_name: '张小明', dept_name: '一年级1班', live: true }])
    await declareCredentials(by, [{ user_id: '71', cred_kind: 'card', code: '2A83155E', usable: true, source: 'test', source_ref: 'c1', version: 1 }])
  })
})
afterAll(() => app.close())

const inSchool = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)
const token = () => ({ token: me.token })

test.each(['8.8.8.8', '172.32.0.1', '169.254.1.1', '300.1.1.1', '0.0.0.0', 'localhost', '10.0.0.1/8'])('31-A24 the reader of a desk is never at %s', async reader_ip => {
  const { status, body } = await app.call(readerDeskApi.add, { ...desk, desk_name: `台${reader_ip}`, reader_ip }, token())
  expect([status, body.msg]).toEqual([400, 'IP地址不合法'])
})

test('a desk has a name of its own, a format of its school, and is changed by who has seen its last state', async () => {
  const { format: made } = dataOf(cardFormatApi.add, await app.call(cardFormatApi.add, format, token()))
  expect([made.sample, made.shown, made.desks]).toEqual(['2A83155E', '1578468138', 0])
  const { desk: first } = dataOf(readerDeskApi.add, await app.call(readerDeskApi.add, { ...desk, card_format_id: made.format_id }, token()))
  expect(first).toMatchObject({ format_name: '反码十位', port: 32_156 })
  expect((await app.call(readerDeskApi.add, desk, token())).body.msg).toBe('读卡点名称已存在，请换一个名称')
  expect((await app.call(readerDeskApi.update, { ...desk, desk_id: first.desk_id, row_version: 1, card_format_id: '999' }, token())).status).toBe(404)
  const { desk: second } = dataOf(readerDeskApi.update, await app.call(readerDeskApi.update, { ...desk, reader_ip: '192.168.3.9', desk_id: first.desk_id, row_version: 1 }, token()))
  expect(second).toMatchObject({ reader_ip: '192.168.3.9', format_name: null, row_version: 2 })
  expect((await app.call(readerDeskApi.delete, { desk_id: first.desk_id, row_version: 1 }, token())).status).toBe(409)
  expect((await app.call(readerDeskApi.delete, { desk_id: first.desk_id, row_version: 2 }, token())).status).toBe(200)
  expect((await app.call(readerDeskApi.delete, { desk_id: first.desk_id, row_version: 2 }, token())).status).toBe(404)
  expect(dataOf(cardFormatApi.list, await app.call(cardFormatApi.list, {}, token())).list.map(one => one.format_name)).toEqual(['反码十位'])
})

test('a card on the reader is told in every way of writing it, and whose it is by each of them', async () => {
  const matched = async (uid_hex: string) => {
    const { readings } = dataOf(cardFormatApi.test, await app.call(cardFormatApi.test, { uid_hex }, token()))
    expect(readings).toHaveLength(14)
    return readings.filter(one => one.match).map(({ text, format: { input, byte_order }, match }) => [input, byte_order, text, match?.user_name])
  }
  expect(await matched('2A83155E')).toEqual([['hex', 'as_is', '2A83155E', '张小明'], ['hex', 'as_is', '2A83155E', '张小明']])
  expect(await matched('5e:15:83:2a')).toEqual([['hex', 'reversed', '2A83155E', '张小明'], ['hex', 'reversed', '2A83155E', '张小明']])
  expect(await matched('00000000')).toEqual([])
  const readings = dataOf(cardFormatApi.test, await app.call(cardFormatApi.test, { uid_hex: '2A83155E' }, token())).readings
  expect(readings.find(one => one.format_id !== null)?.text).toBe('1578468138')
  expect((await app.call(cardFormatApi.test, { uid_hex: '12' }, token())).body.data).toMatchObject({ errors: [{ field: 'uid_hex', msg: '卡号应为6到20位十六进制' }] })
})

test('the key of social cards leaves the server sealed for the school\'s readers, for a minute, another time each time, and stands nowhere in clear', async () => {
  expect((await app.call(readerApi.social_cfg, {}, token())).body.msg).toBe('尚未设置社保卡密钥，请联系管理员设置')
  const { pairing } = dataOf(readerApi.social_key, await app.call(readerApi.social_key, { sector: 3, key: 'a0a1a2a3a4a5' }, token()))
  const told = dataOf(readerApi.social_cfg, await app.call(readerApi.social_cfg, {}, token()))
  const again = dataOf(readerApi.social_cfg, await app.call(readerApi.social_cfg, {}, token()))
  const [first, second] = [openSocialKey(pairing, told.key), openSocialKey(pairing, again.key)]
  expect(first).toMatchObject({ sector: 3, key: 'A0A1A2A3A4A5', expires_at: told.expires_at })
  expect(Date.parse(told.expires_at)).toBeLessThanOrEqual(app.clock.now().getTime() + 60_000)
  expect(first?.once).not.toBe(second?.once)
  expect(openSocialKey('0'.repeat(64), told.key)).toBeNull()
  expect(dataOf(readerApi.social_key, await app.call(readerApi.social_key, { sector: 3, key: 'A0A1A2A3A4A6' }, token())).pairing).toBe(pairing)
  expect(dataOf(readerApi.social_key, await app.call(readerApi.social_key, { sector: 3, key: 'A0A1A2A3A4A6', renew_pairing: true }, token())).pairing).not.toBe(pairing)
  const kept = await inSchool(db => sql<{ all: string }>`select (select string_agg(r::text, '') from reader_social r) || (select string_agg(o::text, '') from operation_log o) as all`.execute(db))
  expect(kept.rows[0]?.all).not.toMatch(/A0A1A2A3A4A|6130413141/iu)
  expect(kept.rows[0]?.all).toContain('devices.reader.social_cfg')
})

test('cards that nobody knows are listed once with how often they came, those written otherwise with whose they are; both go when the card is known so', async () => {
  const { place_id } = await inSchool(db => db.selectFrom('place_live_v').select('place_id').where('school_id', '=', school_id).executeTakeFirstOrThrow())
  const device_id = await inSchool(async db => {
    const row = await db.insertInto('device').values({ school_id, device_sn: 'R1', device_name: '食堂读卡器', device_type: '05', model_code: 'ATT-1', lifecycle: 'active' }).returning('device_id').executeTakeFirstOrThrow()
    await db.insertInto('device_place').values({ school_id, device_id: row.device_id, place_id, direction: 3, valid_from: app.clock.now() }).execute()
    return row.device_id
  })
  const at = app.clock.now().toISOString()
  const hear = (items: { seq: number; [name: string]: unknown }[]) => inSchool(db => storeEvents({ app: app.running.app, db, school_id, device_id, now: app.clock.now() }, { epoch: 'e', skew_ms: 0, items }))
  const first = [{ seq: 1, type: 'card', at, code: '5E15832A' }, { seq: 2, type: 'card', at, code: 'FFEE0011' }, { seq: 3, type: 'card', at, code: '2A83155E' }, { seq: 4, type: 'pass', at, verify: 2, result: 2, code_masked: '****9999' }]
  await hear(first)
  await hear([...first, { seq: 5, type: 'card', at, code: 'FFEE0011' }])
  const seen = async (kind: 'unknown' | 'other_format', who = me) => dataOf(readerApi.sightings, await app.call(readerApi.sightings, { kind }, { token: who.token })).list.map(one => [one.code_masked, one.times, one.user_name, one.heard_order])
  expect((await seen('unknown')).toSorted()).toEqual([['****0011', 2, null, null], ['****9999', 1, null, null]])
  expect(await seen('other_format')).toEqual([['****832A', 1, '张小明', 'reversed']])
  expect(await seen('unknown', await app.as({ school_id, codes: ['devices.reader.use'] }))).toEqual([])
  await inSchool(db => declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, [{ user_id: '71', cred_kind: 'card', code: 'FFEE0011', usable: true, source: 'test', source_ref: 'c2', version: 1 }]))
  expect(await seen('unknown')).toEqual([['****9999', 1, null, null]])
})
