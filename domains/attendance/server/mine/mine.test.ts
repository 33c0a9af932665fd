import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import {
  appealApi,
  arrangeApi,
  attendSettingApi,
  attendSignApi,
  correctionApi,
  myAttendApi,
  ruleApi,
  RuleBody,
  usual_setting,
} from '@campus/attendance/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { claimSigned } from '../recompute/exam-sign.ts'
import { recompute, ruleForAll, statesOf, storedRows } from '../testing/attend-days.ts'
import { drainTo, makeLessonSchool, semester_id } from '../testing/lesson-school.ts'
import type { LessonSchool } from '../testing/lesson-school.ts'

const { a: school_id } = test_schools
const today = '2026-09-15'
let app: TestApp
let me: TestUser
let parent: TestUser | undefined
let receiver = ''
let school: LessonSchool

const as = (who: TestUser | undefined = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const rows = <T>(query: ReturnType<typeof sql<T>>) =>
  app.running.database.tenant(school_id, async (db: Db) => (await query.execute(db)).rows)
const here = () => ({ app, me, school_id })
/** A session ends as time goes on: after a jump somebody of the office and a guardian of the first pupil sign in anew. */
async function at(moment: string): Promise<void> {
  app.clock.setTo(moment)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  if (parent) await guardian()
}
async function guardian(): Promise<void> {
  parent = await app.as({ school_id, codes: [] })
  await person(parent, '李可')
  await rows(sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`)
  await rows(sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from)
    values (${school_id}, ${school.pupils[0]}, ${parent.user_id}, '51', '2026-09-01')`)
}
async function person({ user_id }: TestUser, user_name: string): Promise<void> {
  await rows(
    sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, ${user_name}, 'like', 'lk', '1')`,
  )
}

beforeAll(async () => {
  app = await startTestApp()
  await at('2026-09-01T10:00:00+08:00')
  school = await makeLessonSchool(app, me)
  await at(`${today}T07:30:00+08:00`)
  await ruleForAll(here(), 1, today)
  await guardian()
  receiver = parent?.user_id ?? ''
})
afterAll(() => app.close())

const messages = async () =>
  (
    await rows(sql<{ title: string }>`select m.title from message m join message_person p on p.school_id = ${school_id}
  and p.message_id = m.message_id where m.school_id = ${school_id} and p.user_id = ${receiver} order by m.message_id`)
  ).map(row => row.title)

test('a family hears of an absence once and after the delay, never of 待核实, and of its correction', async () => {
  await at(`${today}T08:16:00+08:00`)
  await drainTo(app, school.board, `${today}T08:16:00+08:00`)
  await recompute(here(), today, today)
  const first = async (user_id: string | undefined) => (await statesOf(here(), today, user_id))[0]
  expect([await first(school.pupils[0]), await first(school.pupils[3])]).toEqual([4, 10])
  const planned = await rows(sql<{ user_id: string; due: string }>`select user_id::text as user_id,
    to_char(due_at at time zone 'Asia/Shanghai', 'HH24:MI') as due from attend_notice where school_id = ${school_id} order by user_id`)
  expect(planned).toEqual(
    school.pupils
      .slice(0, 3)
      .toSorted((a, b) => Number(a) - Number(b))
      .map(user_id => ({ user_id, due: '08:25' })),
  )
  expect(await messages()).toEqual([])
  await at(`${today}T08:26:00+08:00`)
  await expect.poll(messages, { timeout: 40_000 }).toEqual(['缺勤提醒：学生0'])
  const { list } = dataOf(myAttendApi.day, await app.call(myAttendApi.day, { user_id: school.pupils[0] ?? '', date: today }, as(parent)))
  const { lesson_date, expect_kind, occurrence_id, user_id } = list[0] ?? {
    lesson_date: '',
    expect_kind: 1,
    occurrence_id: '',
    user_id: '',
  }
  const wish = { to_state: 1, reason_code: 'card' as const, reason_text: '卡损坏，已到校', evidence_kind: 'teacher' as const }
  dataOf(
    correctionApi.add,
    await app.call(correctionApi.add, { rows: [{ lesson_date, expect_kind, occurrence_id, user_id }], ...wish }, as()),
  )
  await expect.poll(messages, { timeout: 40_000 }).toEqual(['缺勤提醒：学生0', '考勤已更正：学生0'])
})

test('a guardian sees the days of his child with why, asks for a correction that somebody else decides, and nobody else’s child', async () => {
  await at(`${today}T12:00:00+08:00`)
  await drainTo(app, school.board, `${today}T11:50:00+08:00`)
  await recompute(here(), today, today)
  const [child = '', other = ''] = school.pupils
  expect(
    dataOf(myAttendApi.subjects, await app.call(myAttendApi.subjects, {}, as(parent))).list.map(one => [one.user_id, one.person_kind]),
  ).toEqual([[child, 1]])
  expect(refusal(await app.call(myAttendApi.day, { user_id: other, date: today }, as(parent)))).toEqual([404, 'common.notFound'])
  const month = dataOf(myAttendApi.month, await app.call(myAttendApi.month, { user_id: child, month: '2026-09' }, as(parent))).list
  expect(month.find(one => one.date === today)).toMatchObject({ expected: 3, present: 1, absent: 2, unverified: 0 })
  const day = async () => dataOf(myAttendApi.day, await app.call(myAttendApi.day, { user_id: child, date: today }, as(parent))).list
  const [, second] = await day()
  expect(second).toMatchObject({ title: '第2节 语文', place_name: 'E203', state: 4, may_appeal: true, appeal: null })
  expect(second?.sentence).toBe('第2节 语文(E203)未见打卡 → 缺勤(旷课)')
  const { lesson_date = '', expect_kind = 1, occurrence_id = '' } = second ?? {}
  const wish = { to_state: 1, reason_code: 'device' as const, reason_text: '班牌没有识别', evidence_kind: 'device_fault' as const }
  dataOf(
    appealApi.add,
    await app.call(appealApi.add, { row: { lesson_date, expect_kind, occurrence_id, user_id: child }, ...wish }, as(parent)),
  )
  expect((await day())[1]).toMatchObject({ may_appeal: false, appeal: { to_state: 1, state: 0 } })
  const [asked] = dataOf(correctionApi.page, await app.call(correctionApi.page, { state: '0' }, as())).list
  dataOf(correctionApi.approve, await app.call(correctionApi.approve, { correction_id: asked?.correction_id ?? '', row_version: 1 }, as()))
  expect((await day())[1]).toMatchObject({ state: 1, appeal: { state: 1 } })
})

test('a shorter window of the school ends what may be objected to; two who save it at once do not overwrite each other', async () => {
  const save = (more: object) => app.call(attendSettingApi.save, { ...usual_setting, row_version: 0, ...more }, as())
  dataOf(attendSettingApi.save, await save({ head_days: 1 }))
  expect(refusal(await save({ head_days: 2 }))).toEqual([409, 'common.stale'])
  await at('2026-09-17T12:00:00+08:00')
  const { list } = dataOf(myAttendApi.day, await app.call(myAttendApi.day, { user_id: school.pupils[0] ?? '', date: today }, as(parent)))
  expect(list.map(one => one.may_appeal)).toEqual([false, false, false])
})

test('the code of a place signs in who stands there, once; an old or another code does not', async () => {
  await at('2026-09-18T08:00:00+08:00')
  await person(me, '赵敏')
  await rows(
    sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${school_id}, ${me.user_id}, 'T777', '11', '202609')`,
  )
  await rows(sql`insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from)
    select ${school_id}::int, ${me.user_id}::bigint, d.id, 'staff', d.dept_type, '2026-09-01' from dept_now d where d.school_id = ${school_id} and d.parent_id is null`)
  const draft = { rule_name: '坐班', person_kind: 2, kind: 'clock' as const, note: '', effective_from: '2026-09-18', reason: '' }
  const { row } = dataOf(
    ruleApi.add,
    await app.call(ruleApi.add, { ...draft, body: RuleBody.parse({ place_match: 4, before_min: 60 }) }, as()),
  )
  const slots = [{ slot_id: null, slot_name: '上班', begin: '08:10', end: '11:30', day_kinds: [8], need_out: false }]
  dataOf(
    arrangeApi.add,
    await app.call(
      arrangeApi.add,
      {
        arrange_name: '坐班',
        rule_id: row.rule_id,
        semester_id,
        scope_kind: 1,
        scope_id: '0',
        section_from: null,
        section_to: null,
        valid_from: '2026-09-18',
        valid_to: '2027-01-29',
        slots,
        reason: '',
      },
      as(),
    ),
  )
  const shown = async () => dataOf(attendSignApi.code, await app.call(attendSignApi.code, { place_id: school.gate }, as()))
  const { code, place_name } = await shown()
  const sign = (typed: string, who = me) => app.call(attendSignApi.add, { code: typed }, as(who))
  const signed = dataOf(attendSignApi.add, await sign(code))
  expect([place_name, signed.place_name, signed.served, signed.hint]).toEqual(['南门', '南门', '上班', null])
  dataOf(attendSignApi.add, await sign(code))
  const events = await rows(sql<{ n: number }>`select count(*)::int as n from attend_event where school_id = ${school_id} and source = 3`)
  expect(events).toEqual([{ n: 1 }])
  expect(refusal(await sign(code, parent))).toEqual([422, 'attend.signPerson'])
  expect(refusal(await sign(`${school.gate}-000000`)).slice(0, 1)).toEqual([422])
  app.clock.advance(60_000)
  expect(refusal(await sign(code))).toEqual([422, 'attend.signCode'])
})

test('an exam takes the place of the lessons that lie under it, for those who sit it and for nobody else', async () => {
  const date = '2026-09-18'
  const [sitting = '', beside = ''] = school.pupils
  const [begin, end] = [new Date(`${date}T08:00:00+08:00`), new Date(`${date}T09:45:00+08:00`)]
  const [{ exam_id = '' } = {}] = await rows(sql<{ exam_id: string }>`
    insert into exam (school_id, exam_name, exam_kind, semester_id, begin_date, end_date, grades, state, score_mode, show_rank, absent_as,
      created_by, created_at, updated_at)
    values (${school_id}, '九月月考', '13', ${semester_id}, ${date}, ${date}, '{13}', 2, 'level', 'none', 'exclude', 1, ${begin}, ${begin})
    returning exam_id::text as exam_id`)
  const [{ session_id = '' } = {}] = await rows(sql<{
    session_id: string
  }>`insert into exam_session (school_id, exam_id, session_name, begin_at, end_at, paper_ids)
    values (${school_id}, ${exam_id}, '语文', ${begin}, ${end}, '{}') returning session_id::text as session_id`)
  const [{ room_id = '' } = {}] = await rows(sql<{
    room_id: string
  }>`insert into exam_room (school_id, exam_id, number, place_id, col_count, row_count, path)
    values (${school_id}, ${exam_id}, 1, ${school.room}, 5, 6, 'S') returning room_id::text as room_id`)
  await rows(sql`insert into exam_seat (school_id, session_id, user_id, exam_id, room_id, seat, cell, begin_at, end_at)
    values (${school_id}, ${session_id}, ${sitting}, ${exam_id}, ${room_id}, 1, 0, ${begin}, ${end})`)
  await at(`${date}T12:00:00+08:00`)
  await recompute(here(), date, date, 'force')
  const expected = async (user_id: string) =>
    (await storedRows(here(), date)).filter(row => row.user_id === user_id).map(row => [row.expect_kind, row.section])
  expect([await expected(sitting), await expected(beside)]).toEqual([
    [
      [3, 0],
      [1, 3],
    ],
    [
      [1, 1],
      [1, 2],
      [1, 3],
    ],
  ])
  const hours = await rows(sql<{ kind: number; hours: string }>`select expect_kind::int as kind,
    to_char(begin_at at time zone 'Asia/Shanghai', 'HH24:MI') || '-' || to_char(end_at at time zone 'Asia/Shanghai', 'HH24:MI') as hours
    from attend_today_v where school_id = ${school_id} and lesson_date = ${date}::date and user_id = ${sitting} order by begin_at`)
  expect(hours).toEqual([{ kind: 3, hours: '08:00-09:45' }, { kind: 1, hours: '10:00-10:45' }])
  const { list } = dataOf(myAttendApi.day, await app.call(myAttendApi.day, { user_id: sitting, date }, as(parent)))
  expect(list.map(one => one.title)).toEqual(['九月月考 语文', '第3节 语文'])
  await rows(sql`insert into exam_invigilator (school_id, session_id, user_id, exam_id, room_id, role, begin_at, end_at, minutes, source)
    values (${school_id}, ${session_id}, ${school.teacher}, ${exam_id}, ${room_id}, 1, ${begin}, ${end}, 105, 'manual')`)
  const signed = new Date(`${date}T08:06:00+08:00`)
  await rows(sql`insert into exam_presence (school_id, session_id, user_id, exam_id, state, sign_at, by_user_id)
    values (${school_id}, ${session_id}, ${sitting}, ${exam_id}, 2, ${signed}, ${school.teacher})`)
  for (const _again of [1, 2]) await app.running.database.tenant(school_id, (db: Db) => claimSigned({ app: app.running.app, db, school_id,
    now: app.clock.now() }, session_id))
  const claims = await rows(sql<{ user_id: string; claim: string }>`select user_id::text as user_id, claim from attend_event
    where school_id = ${school_id} and source = 6 order by person_kind`)
  expect(claims).toEqual([{ user_id: sitting, claim: 'late' }, { user_id: school.teacher, claim: 'present' }])
  await recompute(here(), date, date, 'force')
  const sat = (await storedRows(here(), date)).find(row => row.user_id === sitting && row.expect_kind === 3)
  expect(sat?.state).toBe(2)
  const watching = (await storedRows(here(), date, 2)).filter(row => row.user_id === school.teacher)
  expect(watching.map(row => [row.expect_kind, row.section]).toSorted()).toEqual([[1, 3], [3, 0]])
})
