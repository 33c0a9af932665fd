import { dataOf, jobSheet, sheetLines } from '@apps/server/testing'
import type { Answer, TestUser } from '@apps/server/testing'
import { deviceLinkApi, passEventApi } from '@campus/devices/contract'
import { JobNo } from '@campus/jobs/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { declareSubjects } from './sync/declare.ts'
import { startDevices, subjectOf } from './testing/start.ts'
import type { DevicesTest } from './testing/start.ts'

const codes = ['devices.card.view', 'devices.card.export', 'devices.device.export']
const head_lines = 4
const second_ms = 1000
let school: DevicesTest
let gate: Awaited<ReturnType<DevicesTest['aDevice']>>
let other: typeof gate
let day: string
let noon: number

beforeAll(async () => {
  school = await startDevices({ codes })
  ;[gate, other] = [await school.aDevice(), await school.aDevice()]
  day = dayBefore(0)
  noon = Date.parse(`${day}T12:00:00+08:00`)
  await school.declare(by => declareSubjects(by, [subjectOf('8101', { user_name: '=1+1' }), subjectOf('8102', { user_name: '林小满' })]))
})
afterAll(() => school.close())

/** A day of the school: so many before yesterday, of which nothing is still to come. */
function dayBefore(days: number): string {
  return new Date(school.app.clock.now().getTime() + 8 * 3_600_000 - (days + 1) * 86_400_000).toISOString().slice(0, 10)
}

type Pass = { seq: string; at: number; user_id?: string; state?: number; time_state?: 0 | 1 | 2; device_day?: string; device?: typeof gate; temp_tenths?: number }

/** Stores passes as they lie; of one whose clock was wrong the day is that of its clock. */
async function stored(rows: readonly Pass[]): Promise<void> {
  const full = rows.map(({ seq, at, user_id, state = 1, time_state = 0, device_day, device = gate, temp_tenths }) => {
    const instant = new Date(at).toISOString()
    return { seq, at: instant, event_time: time_state === 2 ? null : instant, day: device_day ?? new Date(at + 8 * 3_600_000).toISOString().slice(0, 10), user_id, state, time_state, device_id: device.device_id, place_id: device.place_id, temp_tenths }
  })
  await school.tenant(db => sql`
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, user_id, verify_mode, pass_state, direction, place_id, code_masked, temp_tenths)
    select ${school.school_id}::int, r.day, r.device_id, r.seq, r.at, r.at, r.event_time, r.time_state, 'h', r.user_id, 2, r.state, 1, r.place_id, '****2C3D', r.temp_tenths
    from jsonb_to_recordset(${JSON.stringify(full)}::jsonb) r(seq text, at timestamptz, event_time timestamptz, day date, user_id bigint, state int, time_state int, device_id bigint, place_id bigint, temp_tenths int)`.execute(db))
}

const passes = (asked: object, { token }: TestUser = school.me) => school.app.call(passEventApi.export, { from: day, to: day, ...asked }, { token })
const links = (asked: object, { token }: TestUser = school.me) => school.app.call(deviceLinkApi.export, { from: day, to: day, ...asked }, { token })
const Wrong = z.object({ errors: z.array(z.object({ field: z.string(), msg: z.string() })) })
const told = ({ status, body }: Answer) => [status, body.msg, Wrong.parse(body.data).errors]

test('passes of some days leave as they were at the door: who, where, how, and how sure their time is', async () => {
  await stored([
    { seq: 'a:1', at: noon - 3000, user_id: '8101', temp_tenths: 366 }, { seq: 'a:2', at: noon - 2000, user_id: '8102', state: 3, time_state: 1, device_day: dayBefore(1) },
    { seq: 'a:3', at: noon - 1000, time_state: 2, device_day: '1970-01-01' }, { seq: 'a:4', at: noon, device: other, user_id: '8102' }, { seq: 'a:5', at: noon - 86_400_000, user_id: '8102' },
  ])
  const [first, , conditions, header, ...rows] = await sheetLines(await passes({ place_id: gate.place_id }))
  expect([first?.[0], conditions?.[0]]).toEqual([expect.stringContaining('通行记录　共3条'), expect.stringContaining(`日期 ${day} 至 ${day}；场所 `)])
  expect(header).toEqual(['时间', '姓名', '编号', '部门', '场所（当时）', '当时名称', '设备', '方向', '识别方式', '结果', '凭证（已掩码）', '体温', '记录状态'])
  const of = (row: string[] = []) => [row[0], row[1], row[2], row[6], row[7], row[9], row[11] ?? '', row[12]]
  expect(rows.map(of)).toEqual([
    [`${day} 11:59:59`, '未知卡', '', gate.device_name, '进', '通过', '', '待校时'],
    [`${day} 11:59:58`, '林小满', 'N8102', gate.device_name, '进', '不在时段', '', '已校正'],
    [`${day} 11:59:57`, expect.stringContaining('=1+1'), 'N8101', gate.device_name, '进', '通过', '36.6', '正常'],
  ])
  const found = async (asked: object) => (await sheetLines(await passes(asked))).slice(head_lines).map(row => [row[0], row[6]])
  expect(await found({ keyword: 'N8102', from: dayBefore(1) })).toEqual([[`${day} 12:00:00`, other.device_name], [`${day} 11:59:58`, gate.device_name], [`${dayBefore(1)} 12:00:00`, gate.device_name]])
  expect(await found({ pass_state: '3' })).toEqual([[`${day} 11:59:58`, gate.device_name]])
  expect(await found({ device_id: other.device_id })).toEqual([[`${day} 12:00:00`, other.device_name]])
  const counted = async (asked: object) => dataOf(passEventApi.count, await school.app.call(passEventApi.count, { from: day, to: day, ...asked }, { token: school.me.token })).count
  expect([await counted({ place_id: gate.place_id }), await counted({ keyword: 'N8102', from: dayBefore(1) }), await counted({ pass_state: '3' }), await counted({ device_id: other.device_id })]).toEqual([3, 3, 1, 1])
})

test('whoever looks after one place takes that place alone, and may only with the permission for it', async () => {
  const near = await school.app.as({ school_id: school.school_id, codes, places: [other.place_id] })
  expect((await sheetLines(await passes({}, near))).slice(head_lines).map(row => row[6])).toEqual([other.device_name])
  for (const answer of [await passes({ place_id: gate.place_id }, near), await school.app.call(passEventApi.count, { from: day, to: day, place_id: gate.place_id }, { token: near.token }), await passes({ device_id: gate.device_id }, near), await links({ place_id: gate.place_id }, near), await links({ device_id: gate.device_id }, near)]) expect(answer.status).toBe(404)
  const reader = await school.app.as({ school_id: school.school_id, codes: ['devices.card.view', 'devices.device.view'], places: 'all' })
  expect([(await passes({}, reader)).status, (await links({}, reader)).status]).toEqual([403, 403])
})

test('more days than a month, and an end before the beginning, are refused at the field of the end', async () => {
  for (const ask of [passes, links]) {
    expect(told(await ask({ from: dayBefore(31) }))).toEqual([422, '一次最多导出31天的记录，请缩小日期范围', [{ field: 'to', msg: '一次最多导出31天的记录，请缩小日期范围' }]])
    expect(told(await ask({ to: dayBefore(1) }))).toEqual([422, '结束日期不能早于开始日期', [{ field: 'to', msg: '结束日期不能早于开始日期' }]])
    expect((await ask({ from: dayBefore(30) })).status).toBe(200)
    expect(told(await ask({ from: undefined }))).toEqual([400, expect.anything(), [{ field: 'from', msg: '请选择日期' }]])
  }
})

test('a list of many pages is made by a job, holds each pass once, in its order, and more than a thousand want a reason', async () => {
  const same = Array.from({ length: 5600 }, (_, n) => ({ seq: `m:${n}`, at: noon - 3_600_000 - Math.floor(n / 700) * second_ms, user_id: '8102', device: n % 2 === 0 ? gate : other, device_day: dayBefore(n % 3 === 0 ? 1 : 0), time_state: 1 as const }))
  await stored(same)
  expect(told(await passes({}))).toEqual([422, '请填写导出原因', [{ field: 'reason', msg: '请填写导出原因' }]])
  const { job_no } = z.object({ job_no: JobNo }).parse((await passes({ keyword: '林小满', reason: '核对考勤' })).body.data)
  const rows = (await jobSheet(school.app, job_no, school.me)).slice(head_lines)
  const [late, before] = [rows.filter(row => (row[0] ?? '') >= `${day} 11:30`), rows.filter(row => (row[0] ?? '') < `${day} 11:30`)]
  expect([late.length, before.length]).toEqual([2, same.length])
  expect(before.map(row => row[0])).toEqual(before.map(row => row[0]).toSorted().toReversed())
  expect(before.filter(row => row[6] === gate.device_name)).toHaveLength(same.length / 2)
})

test('turns of lines leave with why they turned, in words', async () => {
  const turn = (device: typeof gate, at: number, kind: string, more: { reason?: string; client_ip?: string } = {}) => ({ device_id: device.device_id, at: new Date(at).toISOString(), kind, ...more })
  const turns = [
    turn(gate, noon - 4000, 'online', { client_ip: '10.1.1.9' }), turn(gate, noon - 3000, 'offline', { reason: 'keepalive' }), turn(gate, noon - 2000, 'kicked'), turn(gate, noon - 1000, 'refused', { reason: 'secret', client_ip: '10.1.1.8' }),
    turn(other, noon - 500, 'offline', { reason: 'will' }), turn(gate, noon - 86_400_000, 'online'),
  ]
  await school.tenant(db => sql`
    insert into device_link_event (school_id, device_id, at, kind, reason, client_ip)
    select ${school.school_id}::int, r.device_id, r.at, r.kind, r.reason, r.client_ip from jsonb_to_recordset(${JSON.stringify(turns)}::jsonb) r(device_id bigint, at timestamptz, kind text, reason text, client_ip text)`.execute(db))
  const [, , , header, ...rows] = await sheetLines(await links({ place_id: gate.place_id }))
  expect(header).toEqual(['时间', '设备', '序列号', '场所（当时）', '当时名称', '事件', '原因', 'IP'])
  const of = (row: string[]) => [row[0]?.slice(11), row[2], row[5], row[6] ?? '', row[7] ?? '']
  expect(rows.map(of)).toEqual([
    ['11:59:59', gate.sn, '拒绝', '密码错误', '10.1.1.8'], ['11:59:58', gate.sn, '顶替', '被新的连接顶替', ''], ['11:59:57', gate.sn, '离线', '心跳超时', ''], ['11:59:56', gate.sn, '上线', '', '10.1.1.9'],
  ])
  expect((await sheetLines(await links({ device_id: other.device_id, from: dayBefore(5) }))).slice(head_lines).map(of)).toEqual([['11:59:59', other.sn, '离线', '连接中断', '']])
})

test('30-3.21 30-A22 what happened before a place was renamed or moved is told with its name of today and the one of then, there and in the use of the place; when it is called so again, with one', async () => {
  const { app, me: { token } } = school
  const at = async (id: string) => dataOf(placeApi.detail, await app.call(placeApi.detail, { id }, { token })).place
  const { place_id } = other
  const old = (await at(place_id)).node_path_name
  await school.tenant(db => sql`update device_place set valid_from = valid_from - interval '3 days' where school_id = ${school.school_id} and device_id = ${other.device_id}`.execute(db))
  const rename = async (place_name: string) => expect((await app.call(placeApi.update, { id: place_id, row_version: (await at(place_id)).row_version, place_name }, { token })).status).toBe(200)
  const names = async () => [
    ...new Set([...(await sheetLines(await passes({ device_id: other.device_id, keyword: 'N8102', reason: '核对' }))).slice(head_lines).map(row => [row[4], row[5]].join(' < ')), ...(await sheetLines(await links({ device_id: other.device_id }))).slice(head_lines).filter(row => row[0]?.endsWith('11:59:59')).map(row => [row[3], row[4]].join(' < '))]),
    (await school.detail(other.device_id)).placements.map(row => row.then_name),
  ]
  const now = old.replace(/[^/]+$/u, '南门岗亭')
  await rename('南门岗亭')
  expect(await names()).toEqual([`${now} < ${old}`, [old]])
  expect(dataOf(placeApi.history, await app.call(placeApi.history, { id: place_id }, { token })).list.filter(era => era.kind === 'name')).toMatchObject([{ title: old, to: expect.any(String) }])
  await rename(old.split('/').at(-1) ?? '')
  expect(await names()).toEqual([`${old} < `, [null]])
  const above = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: school.campus, place_name: '校门区', place_kind: 2 }, { token })).place
  expect((await app.call(placeApi.move, { place_id, superior_id: above.place_id, row_version: (await at(place_id)).row_version }, { token })).status).toBe(200)
  expect(await names()).toEqual([`${(await at(place_id)).node_path_name} < ${old}`, [old]])
})
