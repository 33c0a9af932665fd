import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { arrangeApi, attendLocationApi, ruleApi, RuleBody } from '@campus/attendance/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { makeLessonSchool, semester_id } from '../testing/lesson-school.ts'
import type { LessonSchool } from '../testing/lesson-school.ts'

const { a: school_id } = test_schools
/** A degree of latitude is 111 km: this is 100 m to the north. */
const north_100m = 0.0009
const middle = { lng: 120.38, lat: 36.06 }
let app: TestApp
let me: TestUser
let school: LessonSchool

const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const rows = <T>(query: ReturnType<typeof sql<T>>) =>
  app.running.database.tenant(school_id, async (db: Db) => (await query.execute(db)).rows)
const save = (more: object = {}) =>
  app.call(attendLocationApi.save, { place_id: school.gate, ...middle, radius_m: 150, row_version: 0, ...more }, as())
const sign = (more: object = {}, who: TestUser = me) => app.call(attendLocationApi.add, { ...middle, accuracy_m: 20, ...more }, as(who))

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-01T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  school = await makeLessonSchool(app, me)
  app.clock.setTo('2026-09-18T08:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await rows(sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex)
    values (${school_id}, ${me.user_id}, '赵敏', 'zhaomin', 'zm', '1')`)
  await rows(sql`insert into staff (school_id, user_id, teacher_no, kind, join_month)
    values (${school_id}, ${me.user_id}, 'T777', '11', '202609')`)
  await rows(sql`insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from)
    select ${school_id}::int, ${me.user_id}::bigint, d.id, 'staff', d.dept_type, '2026-09-01' from dept_now d
    where d.school_id = ${school_id} and d.parent_id is null`)
})
afterAll(() => app.close())

/** Staff clock from 08:10, anywhere; `ways`: how. */
async function officeHours(ways: number[]): Promise<void> {
  const body = RuleBody.parse({ place_match: 4, before_min: 60, identify_types: ways })
  const draft = { rule_name: '坐班', person_kind: 2, kind: 'clock' as const, note: '', effective_from: '2026-09-18', reason: '', body }
  const { row } = dataOf(ruleApi.add, await app.call(ruleApi.add, draft, as()))
  const slots = [{ slot_id: null, slot_name: '上班', begin: '08:10', end: '11:30', day_kinds: [8], need_out: false }]
  const days = { semester_id, valid_from: '2026-09-18', valid_to: '2027-01-29', section_from: null, section_to: null }
  dataOf(arrangeApi.add, await app.call(arrangeApi.add, {
    ...days, arrange_name: '坐班', rule_id: row.rule_id, scope_kind: 1, scope_id: '0', slots, reason: '',
  }, as()))
}

test('a phone signs in at the place whose circle it is in, once a minute; the position itself is not kept', async () => {
  expect(refusal(await sign())).toEqual([422, 'attend.locationNone', '学校没有设置定位打卡点，请扫码或在考勤设备上打卡'])
  dataOf(attendLocationApi.save, await save())
  expect(dataOf(attendLocationApi.list, await app.call(attendLocationApi.list, {}, as()))).toEqual({
    list: [{ place_id: school.gate, place_name: '南门', ...middle, radius_m: 150, row_version: 1 }], total: 1,
  })
  await officeHours([6])
  const near = { lat: middle.lat + north_100m }
  const signed = dataOf(attendLocationApi.add, await sign(near))
  expect(signed).toMatchObject({ place_name: '南门', distance_m: 100, served: '上班', hint: null })
  dataOf(attendLocationApi.add, await sign(near))
  const events = await rows(sql<object>`select source::int as source, identify_type::int as way, place_id::text as place_id
    from attend_event where school_id = ${school_id} and source = 4`)
  expect(events).toEqual([{ source: 4, way: 6, place_id: school.gate }])
})

test('who is far away, who does not know where he is, and who is expected nowhere, is refused with what to do', async () => {
  expect(refusal(await sign({ lat: middle.lat + 5 * north_100m }))).toEqual([
    422, 'attend.locationFar', '不在打卡范围内，距离南门约500米，请走到150米以内再打卡',
  ])
  expect(refusal(await sign({ accuracy_m: 800 }))).toEqual([
    422, 'attend.locationVague', '定位误差约800米，无法确认位置，请打开手机定位并到开阔处重试',
  ])
  for (const wrong of [{ lat: 95 }, { lng: -181 }, { lng: '120' }, { accuracy_m: -1 }]) expect((await sign(wrong)).status).toBe(400)
  const stranger = await app.as({ school_id, codes: [] })
  expect(refusal(await sign({}, stranger)).slice(0, 2)).toEqual([422, 'attend.signPerson'])
})

test('a circle is of a place of the school, of a fitting size, and is not overwritten unseen; without it nobody signs in', async () => {
  expect((await save({ place_id: '999999' })).status).toBe(404)
  for (const radius_m of [29, 1001, 50.5]) {
    const answer = await save({ radius_m, row_version: 1 })
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining('打卡半径应为30到1000米')])
  }
  expect(refusal(await save({ row_version: 0 })).slice(0, 2)).toEqual([409, 'attend.stale'])
  dataOf(attendLocationApi.save, await save({ radius_m: 60, row_version: 1 }))
  expect(refusal(await sign({ lat: middle.lat + north_100m })).slice(0, 2)).toEqual([422, 'attend.locationFar'])
  dataOf(attendLocationApi.remove, await app.call(attendLocationApi.remove, { place_id: school.gate }, as()))
  expect((await app.call(attendLocationApi.remove, { place_id: school.gate }, as())).status).toBe(404)
  expect(refusal(await sign()).slice(0, 2)).toEqual([422, 'attend.locationNone'])
})
