import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { passApi, strangerTurnoverApi, studentTurnoverApi, turnoverApi, wallApi } from '@campus/access/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeGateSchool, record } from '../testing/gate-school.ts'
import type { GateSchool, Told } from '../testing/gate-school.ts'

let app: TestApp
let me: TestUser
let s: GateSchool
const day = '2026-11-19'
const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(statement: ReturnType<typeof sql<R>>) => app.running.database.tenant<unknown, R[]>(s.school_id, async db => (await statement.execute(db)).rows)
const passCount = async () => (await tenant(sql<{ n: number }>`select count(*)::int as n from access_pass where school_id = ${s.school_id}`))[0]?.n
const span = { from: day, to: day }

/** Every pupil comes at 7:20 and leaves at 16:30, but the first one, whose exit nobody saw; a stranger is refused. */
function aDay(): Told[] {
  const come = s.pupils.map((user_id, at): Told => ({ seq: `in${at}`, device_id: s.gate_in, place_id: s.gate, direction: 1, user_id, at: `${day}T07:20:0${at}+08:00` }))
  const go = s.pupils.slice(1).map((user_id, at): Told => ({ seq: `out${at}`, device_id: s.gate_out, place_id: s.gate, direction: 2, user_id, at: `${day}T16:30:0${at}+08:00` }))
  const inner: Told = { seq: 'inner', device_id: s.inner_door, place_id: s.inner, direction: null, user_id: s.pupils[0] ?? '', at: `${day}T10:00:00+08:00` }
  const stranger: Told = { seq: 'who', device_id: s.gate_in, place_id: s.gate, direction: 1, user_id: null, at: `${day}T09:00:00+08:00`, result: 2 }
  return [...come, inner, stranger, ...go]
}

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id: 1001, codes: 'all', places: 'all' })
  s = await makeGateSchool(app)
})
afterAll(() => app.close())

test('35-A11 records told three times and shuffled become one pass each, in few pieces, and a reader by ingest_seq misses none', async () => {
  const rows = aDay()
  await record(app, rows.toReversed())
  await record(app, rows)
  await record(app, rows.toSorted((a, b) => (a.seq < b.seq ? -1 : 1)))
  await expect.poll(passCount, { timeout: 20_000 }).toBe(rows.length)
  const waits = sql<{ n: number }>`select count(*)::int as n from work where school_id = ${s.school_id} and lane = 'event access.read_passes'`
  await expect.poll(async () => (await tenant(waits))[0]?.n, { timeout: 20_000 }).toBe(0)
  expect(await passCount()).toBe(rows.length)
  const seqs = await tenant(sql<{ n: string }>`select count(distinct ingest_seq)::text as n from access_pass_v where school_id = ${s.school_id}`)
  expect(seqs).toEqual([{ n: String(rows.length) }])
})

test('35-A20 presence and days follow: one exit was never seen', async () => {
  const summary = dataOf(studentTurnoverApi.summary, await app.call(studentTurnoverApi.summary, span, as()))
  expect(summary.list.map(row => [row.dept_name, row.people, row.in_count, row.out_count, row.no_exit])).toEqual([['三年级1班', 3, 3, 2, 1], ['三年级2班', 3, 3, 3, 0]])
  const { list } = dataOf(studentTurnoverApi.day, await app.call(studentTurnoverApi.day, { ...span, keyword: '学生1' }, as()))
  expect(list).toMatchObject([{ user_name: '学生1', in_count: 1, out_count: 1, minutes_inside: 550, flags: 0 }])
  const inside = dataOf(wallApi.presence, await app.call(wallApi.presence, { state: '1' }, as()))
  expect(inside.list.map(row => [row.user_name, row.basis])).toEqual([['学生0', 1]])
})

test('35-A17 days rebuilt from the passes are the same', async () => {
  const days = sql`select date::text, subject_id::text, first_in, last_out, in_count, out_count, denied_count, minutes_inside, flags from access_user_day where school_id = ${s.school_id} order by 1, 2`
  const before = await tenant(days)
  expect(dataOf(turnoverApi.rebuild, await app.call(turnoverApi.rebuild, span, as()))).toEqual({ read: 0, days: 6 })
  expect(await tenant(days)).toEqual(before)
})

test('35-A32 35-A15 pages: filters, the page behind a pass, wide ranges and deep pages are refused with a sentence', async () => {
  const page = async (more: object = {}) => app.call(studentTurnoverApi.page, { ...span, ...more }, as())
  const first = dataOf(studentTurnoverApi.page, await page({ direction: '2' }))
  expect([first.total, first.list[0]?.user_name]).toEqual([6, '学生5'])
  const behind = dataOf(studentTurnoverApi.page, await page({ direction: '2', cursor: first.list[2]?.pass_key ?? '' }))
  expect(behind.list.map(row => row.user_name)).toEqual(['学生2', '学生1', '学生0'])
  const refused = [await page({ from: '2026-10-01' }), await page({ page_index: 900 }), await page({ page_size: 500 }), await page({ from: '2026-11-20' })]
  expect(refused.map(({ status, body }) => [status, body.msg])).toEqual([
    [400, '时间范围不能超过31天'], [400, '请缩小时间范围或使用导出'], [400, expect.any(String)], [422, '结束日期不能早于开始日期'],
  ])
  expect(dataOf(strangerTurnoverApi.page, await app.call(strangerTurnoverApi.page, span, as())).list).toMatchObject([{ user_id: null, result: 2, code_masked: '****1234' }])
})

test('35-A33 a class teacher sees own classes alone; the photo needs its right and every look is logged', async () => {
  const teacher = await app.as({ school_id: s.school_id, codes: ['access.report.view', 'access.pass.view'], scope: 'custom', scope_ids: [s.class_1] })
  const { list } = dataOf(studentTurnoverApi.page, await app.call(studentTurnoverApi.page, { ...span, direction: '1' }, as(teacher)))
  expect(list.filter(row => row.place_name?.includes('南门')).map(row => row.user_name)).toEqual(['学生2', '学生1', '学生0'])
  const all = dataOf(studentTurnoverApi.page, await app.call(studentTurnoverApi.page, { ...span, keyword: '学生5' }, as())).list
  const [pass] = all
  if (!pass) throw new Error('no pass')
  const { event_date, device_id, device_seq } = pass
  expect((await app.call(passApi.detail, { event_date, device_id, device_seq }, as(teacher))).status).toBe(404)
  expect((await app.call(passApi.photo, { event_date, device_id, device_seq }, as(teacher))).status).toBe(403)
  expect(dataOf(passApi.photo, await app.call(passApi.photo, { event_date, device_id, device_seq }, as()))).toEqual({ captured_url: null, portrait_url: null })
  const looks = sql<{ n: number }>`select count(*)::int as n from operation_log where school_id = ${s.school_id} and target_name = '学生5'`
  await expect.poll(async () => (await tenant(looks))[0]?.n).toBe(1)
})

test('35-A15 a page of passes touches two months at most and scans no growing table', async () => {
  const plan = await app.running.database.tenant<unknown, string>(s.school_id, async db => {
    await sql`set local enable_seqscan = off`.execute(db)
    const { rows } = await sql<Record<string, string>>`explain select event_time from access_pass p where p.school_id = ${s.school_id} and p.event_date between '2026-11-17'::date and '2026-11-21'::date
      and p.event_time >= '2026-11-19T00:00:00+08:00'::timestamptz and p.event_time < '2026-11-20T00:00:00+08:00'::timestamptz order by p.event_time desc, p.device_id desc, p.device_seq desc limit 20`.execute(db)
    return rows.flatMap(row => Object.values(row)).join('\n')
  })
  expect(new Set(plan.match(/access_pass_(?:\d{6}|other)\b/g)).size).toBeLessThanOrEqual(2)
  expect(plan).not.toContain('Seq Scan')
})
