import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { controlApi, planApi, presenceApi, scoreApi, swapApi } from '@campus/exams/contract'
import { explainApi } from '@campus/access/contract'
import { devicesEvents } from '@campus/devices/contract'
import { createDevices } from '@campus/devices/server'
import { insertMany } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examSchool, plannedExam, refusal, school_id } from './testing/exam-school.ts'
import type { ExamSchool } from './testing/exam-school.ts'

let school: ExamSchool
let exam_id = ''
let [session_id, paper_id] = ['', '']
let watcher: TestUser
const doors: { place_id: string; device_id: string }[] = []
const call: typeof school.app.call = (...args) => school.app.call(...args)
const rows = <T>(query: ReturnType<typeof sql<T>>) => school.app.running.database.tenant<unknown, T[]>(school_id, async db =>
  (await query.execute(db)).rows)

beforeAll(async () => {
  school = await examSchool(6)
  await makeDevices()
  const made = await plannedExam(school, '11月月考', '2026-11-02', '2026-11-03')
  exam_id = made.exam_id
  await call(planApi.refresh, { exam_id, preview: false }, school.as)
  const places = school.places.map(place_id => ({ room_id: null, place_id, col_count: 2, row_count: 4, path: 'S' as const, blocked: [],
    is_spare: false }))
  await call(planApi.saveRooms, { exam_id, rooms: places }, school.as)
  dataOf(planApi.runSeats, await call(planApi.runSeats, { exam_id, seed: 1 }, school.as))
  dataOf(planApi.runDuties, await call(planApi.runDuties, { exam_id, seed: 1, per_room: 1 }, school.as))
  dataOf(planApi.publish, await call(planApi.publish, { exam_id }, school.as))
  const later = made.sessions.at(-1)
  session_id = later?.session_id ?? ''
  paper_id = later?.paper_ids[0] ?? ''
  watcher = await school.app.as({ school_id, codes: ['exams.presence.enter'] })
})
afterAll(() => school.app.close())

/** A door and a board at each room. */
async function makeDevices(): Promise<void> {
  const plan = school.places.flatMap((place_id, at) => [
    { key: `door ${at}`, device_sn: `EXAM-D${at}`, device_name: `考场门${at}`, device_type: '01', model_code: 'JD-F10', place_id,
      direction: 3, parent: null },
    { key: `board ${at}`, device_sn: `EXAM-B${at}`, device_name: `班牌${at}`, device_type: '03', model_code: 'JD-B32', place_id,
      direction: 3, parent: null },
  ] as const)
  const made = await school.app.running.database.tenant(school_id, (db: Parameters<typeof createDevices>[0]) =>
    createDevices(db, school_id, plan, new Date('2026-09-01T00:00:00Z')))
  doors.push(...school.places.map((place_id, at) => ({ place_id, device_id: made.get(`door ${at}`) ?? '' })))
}

/** Somebody has come through the door of a room. */
async function pass(user_id: string, place_id: string, at: string): Promise<void> {
  const device_id = doors.find(one => one.place_id === place_id)?.device_id ?? ''
  const [time, key] = [new Date(at), { event_date: at.slice(0, 10), device_id, device_seq: '1' }]
  const row = {
    ...key, school_id, place_id, direction: 1, device_time: time, received_at: time, event_time: time, time_state: 0,
      body_hash: '0'.repeat(16), user_id, person_kind: 1, verify_mode: 2, pass_state: 1, code_masked: null,
  }
  await school.app.running.database.tenant<unknown, void>(school_id, async db => {
    await insertMany(db, 'pass_event', [row], { columns: ['school_id', 'event_date', 'device_id', 'device_seq'] })
    await publishEach({ app: school.app.running.app, db, school_id, now: school.app.clock.now() }, devicesEvents.passRecorded, [key])
  })
}

/** The post of the later session goes to the test's own teacher, who has a file of staff. */
async function takePost(): Promise<{ from: string; room_id: string }> {
  const [post] = await rows(sql<{ user_id: string; room_id: string }>`
    update exam_invigilator set user_id = ${watcher.user_id} where school_id = ${school_id} and session_id = ${session_id}
      and room_id = (select min(i.room_id) from exam_invigilator i where i.school_id = ${school_id} and i.session_id = ${session_id})
    returning user_id::text as user_id, room_id::text as room_id`)
  return { from: post?.user_id ?? '', room_id: post?.room_id ?? '' }
}

test('55-A23 a published plan opens the doors of its rooms to candidates until the end and covers their boards; papers of the plan have the same seats as the map', async () => {
  const { list } = dataOf(controlApi.read, await call(controlApi.read, { exam_id }, school.as))
  expect([list.length > 0, new Set(list.map(one => one.phase)), list.every(one =>
    Date.parse(one.until) - Date.parse(one.from) === 150 * 60_000)]).toEqual([true, new Set(['active', 'planned']), true])
  expect(list.map(one => [one.boards.length, one.doors.length]).every(([boards, own]) => boards === 1 && own === 1)).toBe(true)
  const rights = await rows(sql<{ session_id: string; people: number; in_time: boolean }>`
    select split_part(t.source_id, '/', 2) as session_id, count(s.user_id)::int as people, bool_and(t.valid_to = e.end_at
      and t.valid_from < e.begin_at) as in_time
    from temporary_rule t join temporary_rule_subject s on s.school_id = ${school_id} and s.temporary_rule_id = t.temporary_rule_id
    join exam_session e on e.school_id = ${school_id} and e.session_id = split_part(t.source_id, '/', 2)::bigint
    where t.school_id = ${school_id} and t.source = 5 and t.effect = 1 and t.revoked_at is null group by 1`)
  expect(rights.map(one => [one.people, one.in_time])).toContainEqual([list.filter(one => one.session_id === session_id).reduce((sum,
    one) => sum + one.people, 0), true])
  const contents = () => rows(sql<{ title: string }>`
    select title from publishing_content where school_id = ${school_id} and source_id = ${session_id} and zone = 'full' and state = 1`)
  await expect.poll(async () => (await contents()).length, { timeout: 20_000 }).toBe(list.filter(one =>
    one.session_id === session_id).length)
  const { seats } = dataOf(planApi.sheets, await call(planApi.sheets, { exam_id, session_id }, school.as))
  const map = dataOf(planApi.seats, await call(planApi.seats, { exam_id, session_id }, school.as))
  expect(seats.map(one => [one.user_id, one.seat]).toSorted()).toEqual(map.seats.map(one => [one.user_id, one.seat]).toSorted())
})

/** Whether somebody may go in at a time, and which rung says so. */
async function mayEnter(user_id: string, place_id: string, at: string): Promise<[boolean, string | undefined]> {
  const asked = { user_id, place_id, direction: 1 as const, at: new Date(at).toISOString() }
  const said = dataOf(explainApi.read, await call(explainApi.read, asked, school.as))
  return [said.allowed, said.ladder.at(-1)?.text]
}

test('55-A23 the door of an exam room refuses who does not sit there until the end, gates stay as they are, and what is lifted opens to others again', async () => {
  const seats = dataOf(planApi.seats, await call(planApi.seats, { exam_id, session_id }, school.as))
  const room_id = seats.seats[0]?.room_id ?? ''
  const place_id = seats.rooms.find(one => one.room_id === room_id)?.place_id ?? ''
  const own = seats.seats.find(one => one.room_id === room_id)?.user_id ?? ''
  const other = seats.seats.find(one => one.room_id !== room_id)?.user_id ?? ''
  const free = [false, '没有适用的通行规则，默认不放行']
  expect(await mayEnter(own, place_id, '2026-11-03T08:10:00+08:00')).toEqual([true, '临时放行：考试'])
  expect(await mayEnter(other, place_id, '2026-11-03T07:59:00+08:00')).toEqual(free)
  expect(await mayEnter(other, place_id, '2026-11-03T10:29:00+08:00')).toEqual([false, '临时禁止：考试'])
  expect(await mayEnter(other, place_id, '2026-11-03T10:30:00+08:00')).toEqual(free)
  const lift = (kind: 'door' | 'board') => call(controlApi.override, { session_id, room_id, kind, reason: '考场改作他用' }, school.as)
  dataOf(controlApi.override, await lift('door'))
  expect(refusal(await lift('door'))).toEqual([409, 'exam.controlLifted', '该考场的这项管制已解除'])
  expect(await mayEnter(other, place_id, '2026-11-03T10:29:00+08:00')).toEqual(free)
  expect(await mayEnter(own, place_id, '2026-11-03T08:10:00+08:00')).toEqual([true, '临时放行：考试'])
  dataOf(controlApi.override, await lift('board'))
  const shown = () => rows(sql<{ n: number }>`select count(*)::int as n from publishing_content c
    join publishing_content_target t on t.school_id = ${school_id} and t.content_id = c.content_id and t.target_id = ${place_id}
    where c.school_id = ${school_id} and c.source_id = ${session_id} and c.state = 1`)
  await expect.poll(async () => (await shown())[0]?.n, { timeout: 20_000 }).toBe(0)
  const { list } = dataOf(controlApi.read, await call(controlApi.read, { exam_id }, school.as))
  expect(list.find(one => one.session_id === session_id
    && one.room_id === room_id)?.lifted.map(one => one.kind).toSorted()).toEqual(['board', 'door'])
})

test('55-A21 an invigilator asks another, who agrees; once the office approves, the post and its minutes are his', async () => {
  const { room_id } = await takePost()
  const as = { token: watcher.token }
  const { duties } = dataOf(swapApi.mine, await call(swapApi.mine, {}, as))
  expect(duties.map(one => [one.session_id, one.role, one.may_swap, one.swap])).toEqual([[session_id, 1, true, null]])
  const { list } = dataOf(swapApi.fit, await call(swapApi.fit, { session_id }, as))
  const to_user_id = list[0]?.user_id ?? ''
  const { swap_id } = dataOf(swapApi.ask, await call(swapApi.ask, { session_id, to_user_id, reason: '外出培训' }, as))
  expect(refusal(await call(swapApi.ask, { session_id, to_user_id, reason: '外出培训' }, as)).slice(0, 2)).toEqual([409, 'exam.swapOpen'])
  expect((await call(swapApi.accept, { swap_id, agreed: true }, as)).status).toBe(404)
  expect(refusal(await call(swapApi.decide, { swap_id, agreed: true }, school.as))).toEqual([409, 'exam.swapOver', '该换班申请已处理'])
  await rows(sql`update exam_swap set state = 1 where school_id = ${school_id} and swap_id = ${swap_id} returning swap_id`)
  dataOf(swapApi.decide, await call(swapApi.decide, { swap_id, agreed: true }, school.as))
  const after = dataOf(planApi.duties, await call(planApi.duties, { exam_id }, school.as))
  expect(after.posts.find(one => one.session_id === session_id && one.room_id === room_id)).toMatchObject({ user_id: to_user_id,
    source: 'swap' })
  expect(after.loads.find(one => one.user_id === to_user_id)?.minutes).toBe(120 * after.posts.filter(one =>
    one.user_id === to_user_id).length)
})

test('55-A23 a face at the own door signs in, who has none is signed in by the invigilator, the missing are confirmed by the first one and get 缺考; scores wait for that',
  async () => {
  const { room_id } = await takePost()
  const sign = (user_id: string, as: { token: string }) => call(presenceApi.sign, { session_id, rows: [{ user_id, state: 1 as const }] },
    as)
  const seen = dataOf(presenceApi.read, await call(presenceApi.read, { session_id }, school.as))
  const here = seen.rows.filter(row => row.room_id === room_id).map(row => row.user_id)
  const elsewhere = seen.rows.find(row => row.room_id !== room_id)?.user_id ?? ''
  expect(refusal(await sign(here[0] ?? '', school.as))).toEqual([422, 'exam.signEarly', '未到签到时间，开考前30分钟开始签到'])
  school.app.clock.setTo('2026-11-03T08:20:00+08:00')
  const [office, own] = [await school.app.as({ school_id, codes: 'all', places: 'all' }), await school.app.as({ school_id,
    codes: ['exams.presence.enter'] })]
  await rows(sql`update exam_invigilator set user_id = ${own.user_id} where school_id = ${school_id} and session_id = ${session_id}
    and user_id = ${watcher.user_id} returning user_id`)
  const [room] = await rows(sql<{ place_id: string }>`select place_id::text as place_id from exam_room where school_id = ${school_id}
    and room_id = ${room_id}`)
  await pass(here[1] ?? '', room?.place_id ?? '', '2026-11-03T08:15:00+08:00')
  const atDoor = async () => (dataOf(presenceApi.read, await call(presenceApi.read, { session_id },
    { token: office.token })).rows.find(row => row.user_id === here[1]))
  await expect.poll(async () => (await atDoor())?.state, { timeout: 20_000 }).toBe(1)
  expect(await atDoor()).toMatchObject({ by_name: null, sign_at: '2026-11-03T00:15:00.000Z' })
  for (const user_id of here.slice(1)) expect((await sign(user_id, { token: own.token })).status).toBe(200)
  expect((await sign(elsewhere, { token: own.token })).status).toBe(404)
  const confirm = () => call(presenceApi.confirm, { session_id, room_id }, { token: own.token })
  expect(refusal(await confirm())).toEqual([422, 'exam.confirmEarly', '开考15分钟后才能确认缺考名单'])
  school.app.clock.setTo('2026-11-03T08:46:00+08:00')
  expect(dataOf(presenceApi.confirm, await confirm())).toEqual({ absent: 1 })
  expect(refusal(await sign(here[0] ?? '', { token: own.token }))).toEqual([409, 'exam.presenceConfirmed', '该考场的缺考名单已确认，不能修改'])
  const stored = await rows(sql<{ user_id: string; score_state: number }>`
    select user_id::text as user_id, score_state::int as score_state from exam_score where school_id = ${school_id}
      and paper_id = ${paper_id}`)
  expect(stored).toEqual([{ user_id: here[0], score_state: 1 }])
  const dept_id = school.depts.get('c1') ?? ''
  const { rows: grid } = dataOf(scoreApi.grid, await call(scoreApi.grid, { exam_id, dept_id }, { token: office.token }))
  const open = grid.flatMap(row => row.cells.filter(cell => cell.paper_id === paper_id && cell.text === '').map(cell => ({ paper_id,
    user_id: row.user_id, value: '100', version: cell.version })))
  if (open.length > 0) dataOf(scoreApi.cell, await call(scoreApi.cell, { exam_id, cells: open }, { token: office.token }))
  const early = refusal(await call(scoreApi.submit, { exam_id, paper_id, dept_id }, { token: office.token }))
  expect(early.slice(0, 2)).toEqual([409, 'exam.presenceOpen'])
})
