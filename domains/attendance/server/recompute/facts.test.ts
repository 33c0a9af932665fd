import { dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import {
  attend_flags,
  alertApi,
  clockApi,
  correctionApi,
  outageApi,
  recomputeApi,
  rollcallApi,
  ruleApi,
  RuleBody,
  studentDetailApi,
} from '@campus/attendance/contract'
import { jobApi } from '@campus/jobs/contract'
import { createLeaves, open } from '@campus/leave/server'
import { memberApi } from '@campus/people/contract'
import { hireStaff } from '@campus/people/server'
import { changeApi } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'
import { raiseStuck } from '../clock/alert.raise.ts'
import { recompute, ruleForAll, statesOf, storedRows } from '../testing/attend-days.ts'
import { drainTo, makeLessonSchool, monday, seeAll } from '../testing/lesson-school.ts'
import type { LessonSchool } from '../testing/lesson-school.ts'

const { a: school_id } = test_schools
const tuesday = '2026-09-15'
const patient = { timeout: 40_000 }
let app: TestApp
let me: TestUser
let school: LessonSchool
let substitute = ''
let rule_id = ''

const as = (who = me) => ({ token: who.token })
const tenant = <R>(act: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, act)
const rows = <T>(query: ReturnType<typeof sql<T>>) => tenant(async db => (await query.execute(db)).rows)
const here = () => ({ app, me, school_id })
async function at(moment: string): Promise<void> {
  app.clock.setTo(moment)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
}
const lessonOf = async (date: string, dept_id: string, section: number) =>
  (
    await rows(sql<{
      id: string
    }>`select lesson_day_id::text as id from lesson_day_v where school_id = ${school_id} and date = ${date}::date
    and dept_id = ${dept_id} and section = ${section}`)
  )[0]?.id ?? ''

beforeAll(async () => {
  app = await startTestApp()
  await at('2026-09-01T10:00:00+08:00')
  school = await makeLessonSchool(app, me)
  await app.running.database.tenant(school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const draft = {
      user_name: '王芳',
      sex: '1',
      teacher_no: 'T009',
      mobile: '16910000009',
      kind: '11',
      join_month: '202609',
      from: '2026-09-01',
    }
    ;[substitute = ''] = await hireStaff(db, app.running.app.secrets, school_id, [{ ...draft, depts: [{ dept_id: root.id }] }])
  })
  await at(`${monday}T07:00:00+08:00`)
  rule_id = await ruleForAll(here(), 1, monday)
  await ruleForAll(here(), 2, monday)
})
afterAll(() => app.close())

test('55-A12 expectations are the rows of the timetable of that date: a cover is expected, the covered is not, a lesson that falls out is nobody’s', async () => {
  const covered = await lessonOf(monday, school.class_1, 2)
  const change = (more: object) =>
    app.call(changeApi.cover, Object.assign({ date: monday, lesson_day_id: covered, reason: '外出培训' }, more), as())
  dataOf(changeApi.cover, await change({ teacher_id: substitute }))
  dataOf(changeApi.cover, await change({ lesson_day_id: await lessonOf(monday, school.class_2, 3), kind: 4 }))
  await at(`${monday}T12:00:00+08:00`)
  await drainTo(app, school.board, `${monday}T11:50:00+08:00`)
  await recompute(here(), monday, monday)
  const differing = await rows(sql<{ n: number }>`
    with judged as (select occurrence_id as lesson_day_id, user_id from attend_result where school_id = ${school_id}
        and lesson_date = ${monday}::date and expect_kind = 1),
      planned as (
        select lesson_day_id, user_id from lesson_student_v where school_id = ${school_id} and date = ${monday}::date
        union select t.lesson_day_id, t.user_id from lesson_day_teacher_v t join lesson_day_v d on d.school_id = ${school_id}
          and d.date = t.date and d.lesson_day_id = t.lesson_day_id and d.state not in (4, 5)
        where t.school_id = ${school_id} and t.date = ${monday}::date and t.role <> 5)
    select ((select count(*) from (select * from judged except select * from planned) a)
      + (select count(*) from (select * from planned except select * from judged) b))::int as n`)
  expect(differing).toEqual([{ n: 0 }])
  const staff = await storedRows(here(), monday, 2)
  expect([
    staff.filter(row => row.user_id === school.teacher).map(row => row.section),
    staff.filter(row => row.user_id === substitute).map(row => [row.section, row.role]),
    (await storedRows(here(), monday)).filter(row => row.dept_id === school.class_2).length,
  ]).toEqual([[1, 3], [[2, 4]], 6])
})

test('55-A8 a leave approved after the lesson makes 请假 of 缺勤; a correction stays on top and is a conflict', async () => {
  const [first = '', second = ''] = school.pupils
  expect([await statesOf(here(), monday, first), await statesOf(here(), monday, second)]).toEqual([
    [4, 4, 4],
    [4, 4, 4],
  ])
  await tenant(db => {
    const design = { leave_types: ['2'], fallback_user_ids: [school.teacher], steps: [] }
    const reasons = [{ reason_code: '1', reason_name: '就医', person_kinds: [1] }]
    const forms = [{ form_name: '学生请假', person_kind: 1, design }]
    return createLeaves(
      { app: app.running.app, db, school_id, now: app.clock.now() },
      { reasons, forms, leaves: [], from: app.clock.now() },
    )
  })
  const leave = (user_id: string) =>
    tenant(db => {
      const span = { begin: new Date(`${monday}T07:30:00+08:00`), end: new Date(`${monday}T11:00:00+08:00`) }
      const draft = { user_id, leave_type: '2', reason_code: '1', reason: '发热就医', ...span, by: null, apply_as: 5 as const }
      return open({ app: app.running.app, db, school_id, now: app.clock.now() }, draft)
    })
  await leave(first)
  const judged = async (user_id: string) => {
    await recompute(here(), monday, monday, 'force')
    return statesOf(here(), monday, user_id)
  }
  await expect.poll(() => judged(first), patient).toEqual([5, 5, 5])
  const key = { lesson_date: monday, expect_kind: 1, occurrence_id: await lessonOf(monday, school.class_1, 1), user_id: second }
  const wish = { to_state: 2, late_min: 5, reason_code: 'mistake' as const, reason_text: '监控显示到课', evidence_kind: 'teacher' as const }
  dataOf(correctionApi.add, await app.call(correctionApi.add, { rows: [key], ...wish }, as()))
  await leave(second)
  await expect.poll(() => judged(second), patient).toEqual([2, 5, 5])
  const [corrected] = (await storedRows(here(), monday)).filter(row => row.user_id === second)
  expect((corrected?.flags ?? 0) & attend_flags.conflict).toBe(attend_flags.conflict)
})

test('55-A4 one clock at a device changes the row, and the open wall of its class hears of it, without anybody asking for a recompute', async () => {
  await at(`${tuesday}T08:05:00+08:00`)
  await recompute(here(), tuesday, tuesday)
  const wall = await openLive(app.url, me.token, ['attend:live'])
  await seeAll(app, [
    { seq: 'A4', device_id: school.board, place_id: school.room, user_id: school.pupils[2] ?? '', at: `${tuesday}T08:04:00+08:00` },
  ])
  await expect.poll(async () => (await statesOf(here(), tuesday, school.pupils[2]))[0]).toBe(2)
  await expect.poll(() => wall.rows('attend:live').map(row => row.dept_id)).toContain(school.class_1)
  await wall.close()
  const seats = dataOf(clockApi.ofClass, await app.call(clockApi.ofClass, { dept_id: school.class_1, slot: 'l1' }, as())).list
  expect(seats.find(seat => seat.user_id === school.pupils[2])).toMatchObject({ state: 2, late_min: 4 })
})

test('55-A7 a declared outage without data stays 待核实 for two days, then it is a task; the teacher’s entry makes 补签 under his name', async () => {
  await at(`${tuesday}T12:00:00+08:00`)
  const span = { place_id: school.room, begin_at: `${tuesday}T08:10:00+08:00`, end_at: `${tuesday}T12:00:00+08:00`, reason: '班牌停电' }
  dataOf(outageApi.declare, await app.call(outageApi.declare, span, as()))
  const blind = async () => (await storedRows(here(), tuesday)).filter(row => row.dept_id === school.class_1 && row.section > 1)
  const stuck = (date: string) => tenant(db => raiseStuck({ app: app.running.app, db, school_id, now: app.clock.now() }, date))
  await recompute(here(), tuesday, tuesday)
  expect(new Set((await blind()).map(row => row.state))).toEqual(new Set([10]))
  await stuck('2026-09-16')
  expect(dataOf(alertApi.page, await app.call(alertApi.page, { kind: 'unit_stuck' }, as())).total).toBe(0)
  await at('2026-09-18T09:00:00+08:00')
  await recompute(here(), tuesday, tuesday, 'force')
  expect(new Set((await blind()).map(row => row.state))).toEqual(new Set([10]))
  await stuck('2026-09-19')
  const tasks = dataOf(alertApi.page, await app.call(alertApi.page, { kind: 'unit_stuck' }, as())).list
  expect(tasks.filter(one => one.text.startsWith(tuesday)).map(one => one.dept_id)).toContain(school.grade)
  const lesson_day_id = await lessonOf(tuesday, school.class_1, 2)
  const roll = dataOf(rollcallApi.read, await app.call(rollcallApi.read, { lesson_day_id }, as()))
  const entered = roll.pupils.map(({ user_id }, n) => ({ user_id, claim: n === 0 ? ('absent' as const) : ('present' as const) }))
  dataOf(rollcallApi.submit, await app.call(rollcallApi.submit, { lesson_day_id, version: 0, rows: entered, is_bulk: true }, as()))
  const second = async () =>
    (await storedRows(here(), tuesday)).filter(row => row.dept_id === school.class_1 && row.section === 2).map(row => row.state)
  await expect.poll(async () => (await second()).toSorted((a, b) => a - b)).toEqual([7, 7, 10])
  const claims = await rows(sql<{ source: number; by: string }>`select distinct source::int as source, by::text as by from attend_event
    where school_id = ${school_id} and lesson_day_id = ${lesson_day_id}`)
  expect(claims).toEqual([{ source: 5, by: me.user_id }])
})

test('55-A9 a pupil who changes the class belongs to the old one before and to the new one after, each lesson once', async () => {
  await at('2026-09-18T13:00:00+08:00')
  const [, , , mover = ''] = school.pupils
  const effective_on = '2026-09-21'
  const subjects = [{ user_id: mover, from_dept_id: school.class_2, to_dept_id: school.class_1 }]
  dataOf(memberApi.move, await app.call(memberApi.move, { kind: 'CLASS', subjects, effective_on }, as()))
  await at('2026-09-21T12:00:00+08:00')
  await recompute(here(), '2026-09-18', effective_on)
  const classesOn = async (date: string) =>
    (await storedRows(here(), date)).filter(row => row.user_id === mover).map(row => [row.section, row.dept_id])
  expect([await classesOn('2026-09-18'), await classesOn(effective_on)]).toEqual([
    [1, 2, 3].map(section => [section, school.class_2]),
    [1, 2, 3].map(section => [section, school.class_1]),
  ])
  const listed = async (dept_id: string, day: string) =>
    dataOf(studentDetailApi.personal, await app.call(studentDetailApi.personal, { from: day, to: day, dept_id, user_id: mover }, as()))
      .total
  expect([await listed(school.class_2, '2026-09-18'), await listed(school.class_2, effective_on)]).toEqual([3, 0])
})

test('55-A10 a rule from next Monday on changes no past row; back-dated it needs the right, and changes exactly what its trial said', async () => {
  const [from, to] = [monday, '2026-09-18']
  await recompute(here(), from, to)
  const body = RuleBody.parse({ chain_mode: 1, late_grace_min: 10 })
  const versions = dataOf(ruleApi.list, await app.call(ruleApi.list, {}, as())).list.find(row => row.rule_id === rule_id)
  const patch = {
    id: rule_id,
    rule_name: '学生每节',
    note: '',
    body,
    effective_from: '2026-09-28',
    reason: '',
    row_version: versions?.row_version ?? 1,
  }
  const { row } = dataOf(ruleApi.update, await app.call(ruleApi.update, patch, as()))
  expect((await recompute(here(), from, to)).changed).toBe(0)
  const clerk = await app.as({ school_id, codes: ['attendance.rule.view', 'attendance.rule.edit'] })
  const back = { ...patch, effective_from: from, reason: '迟到宽限补设', row_version: row.row_version }
  expect((await app.call(ruleApi.update, back, as(clerk))).body.error_id).toBe('attend.backdateRight')
  const trial = dataOf(ruleApi.dryRun, await app.call(ruleApi.dryRun, { rule_id, body, date_from: from, date_to: to }, as()))
  const counts = async () =>
    (
      await rows(sql<{ state: number; n: number }>`select state::int as state, count(*)::int as n from attend_result
    where school_id = ${school_id} and person_kind = 1 and lesson_date between ${from}::date and ${to}::date group by state`)
    ).reduce(
      (sum, one) => sum.with(one.state - 1, one.n),
      Array.from({ length: 10 }, () => 0),
    )
  expect(await counts()).toEqual(trial.before)
  dataOf(ruleApi.update, await app.call(ruleApi.update, back, as()))
  await recompute(here(), from, to)
  expect([await counts(), trial.changed > 0]).toEqual([trial.after, true])
})

test('55-A1 55-A2 55-A3 a run counts true, is cancelled between two units and leaves lists answering; run again nothing is lost, doubled or written', async () => {
  const [date_from, date_to] = [monday, '2026-09-18']
  const start = async () => dataOf(recomputeApi.start, await app.call(recomputeApi.start, { date_from, date_to, mode: 'force' }, as())).run
  const read = async (id: string) => dataOf(recomputeApi.read, await app.call(recomputeApi.read, { id }, as())).run
  const first = await start()
  const listed = await app.call(studentDetailApi.personal, { from: monday, to: monday }, as())
  expect([listed.status, (await app.call(recomputeApi.start, { date_from, date_to }, as())).body.error_id]).toEqual([200, 'attend.running'])
  dataOf(jobApi.cancel, await app.call(jobApi.cancel, { job_no: first.job_no ?? '' }, as()))
  await expect.poll(async () => (await read(first.run_id)).state).toMatch(/^(cancelled|done)$/)
  await recompute(here(), date_from, date_to, 'force')
  const again = await recompute(here(), date_from, date_to)
  expect([again.changed, again.units_done]).toEqual([0, again.units_total])
  const twins = await rows(sql<{
    n: number
  }>`select count(*)::int as n from (select 1 as one from attend_result where school_id = ${school_id}
    group by lesson_date, expect_kind, occurrence_id, user_id having count(*) > 1) x`)
  expect([twins, (await recompute(here(), date_from, date_to, 'verify')).changed]).toEqual([[{ n: 0 }], 0])
})
