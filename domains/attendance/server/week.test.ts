import { dataOf, sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { correctionApi, outageApi, rollcallApi, studentDetailApi, studentGatherApi, teacherDetailApi,
  teacherGatherApi } from '@campus/attendance/contract'
import { createLeaves, open } from '@campus/leave/server'
import { hireStaff } from '@campus/people/server'
import { changeApi } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from './db.ts'
import { recompute, ruleForAll } from './testing/attend-days.ts'
import { drainTo, makeLessonSchool, monday, seeAll } from './testing/lesson-school.ts'
import type { LessonSchool, Seen } from './testing/lesson-school.ts'

const { a: school_id } = test_schools
/** The hook lives five days, and a test opens every number of a gather. */
const patience_ms = 300_000
const [tuesday, wednesday, thursday, friday] = ['2026-09-15', '2026-09-16', '2026-09-17', '2026-09-18'] as const
const days = [monday, tuesday, wednesday, thursday, friday] as const
const week = { from: monday, to: friday, page_size: 300 }
const states = ['normal', 'late', 'early', 'absent', 'leave', 'waiting', 'made_up', 'outside', 'exempt', 'unverified'] as const
const codes_of_states = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'] as const
const kinds = ['subject', 'personal', 'personal_section', 'personal_subject', 'classroom', 'classroom_subject',
  'classroom_section'] as const
const exports = {
  subject: 'exportSubject', personal: 'exportPersonal', personal_section: 'exportPersonalSection',
    personal_subject: 'exportPersonalSubject',
  classroom: 'exportClassroom', classroom_subject: 'exportClassroomSubject', classroom_section: 'exportClassroomSection',
} as const
const of_who = {
  student: { gather: studentGatherApi, detail: studentDetailApi }, teacher: { gather: teacherGatherApi, detail: teacherDetailApi },
} as const
let app: TestApp
let me: TestUser
let school: LessonSchool
let substitute = ''

const as = () => ({ token: me.token })
const tenant = <R>(act: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, act)
const rows = <T>(query: ReturnType<typeof sql<T>>) => tenant(async db => (await query.execute(db)).rows)
async function at(moment: string): Promise<void> {
  app.clock.setTo(moment)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
}

beforeAll(async () => {
  app = await startTestApp()
  await at('2026-09-01T10:00:00+08:00')
  school = await makeLessonSchool(app, me)
  await hireSubstitute()
  await at(`${monday}T07:00:00+08:00`)
  await ruleForAll({ app, me, school_id }, 1, monday)
  await ruleForAll({ app, me, school_id }, 2, monday)
  await coverAndLeave()
  for (const day of days) await liveDay(day)
  await at('2026-09-19T12:00:00+08:00')
  await recompute({ app, me, school_id }, monday, friday)
}, patience_ms)
afterAll(() => app.close())

async function hireSubstitute(): Promise<void> {
  await app.running.database.tenant(school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const draft = { user_name: '王芳', sex: '1', teacher_no: 'T009', mobile: '16910000009', kind: '11', join_month: '202609',
      from: '2026-09-01' }
    ;[substitute = ''] = await hireStaff(db, app.running.app.secrets, school_id, [{ ...draft, depts: [{ dept_id: root.id }] }])
  })
}

const lessonOf = async (date: string, dept_id: string, section: number) => (await rows(sql<{ id: string }>`
  select lesson_day_id::text as id from lesson_day_v where school_id = ${school_id} and date = ${date}::date and dept_id = ${dept_id}
    and section = ${section}`))[0]?.id ?? ''

/** A lesson of Monday is covered, one of Friday falls out, a pupil has leave on Wednesday. */
async function coverAndLeave(): Promise<void> {
  const change = (date: string, lesson_day_id: string, more: object) =>
    app.call(changeApi.cover, Object.assign({ date, lesson_day_id, reason: '外出培训' }, more), as())
  dataOf(changeApi.cover, await change(monday, await lessonOf(monday, school.class_1, 2), { teacher_id: substitute }))
  dataOf(changeApi.cover, await change(friday, await lessonOf(friday, school.class_2, 3), { kind: 4 }))
  await tenant(async db => {
    const step = { app: app.running.app, db, school_id, now: app.clock.now() }
    const design = { leave_types: ['2'], fallback_user_ids: [school.teacher], steps: [] }
    const reasons = [{ reason_code: '1', reason_name: '就医', person_kinds: [1] }]
    await createLeaves(step, { reasons, forms: [{ form_name: '学生请假', person_kind: 1, design }], leaves: [], from: app.clock.now() })
    const span = { begin: new Date(`${wednesday}T07:30:00+08:00`), end: new Date(`${wednesday}T12:00:00+08:00`) }
    await open(step, { user_id: school.pupils[2] ?? '', leave_type: '2', reason_code: '1', reason: '发热就医', ...span, by: null,
      apply_as: 5 as const })
  })
}

/**
 * A day: everybody comes in by the gate, the board sees the first class, one late, one not at all; the second class has no board and is
 * called.
 */
async function liveDay(day: string): Promise<void> {
  const { board, room, gate, gate_in, pupils } = school
  const inside = pupils.map((user_id, n): Seen => (
    { seq: `${day} gate ${n}`, device_id: gate_in, place_id: gate, user_id, at: `${day}T07:20:${String(10 + n)}+08:00`, direction: 1 }))
  const clock = (n: number, time: string): Seen => ({ seq: `${day} ${n} ${time}`, device_id: board, place_id: room,
    user_id: pupils[n] ?? '', at: `${day}T${time}:00+08:00` })
  const seen = day === thursday ? [] : [
    clock(0, '07:55'), clock(1, '08:06'), clock(0, '08:52'), clock(1, '08:53'), clock(0, '09:57'), clock(1, '09:58'), clock(2, '08:54'),
  ]
  await at(`${day}T08:20:00+08:00`)
  await seeAll(app, [...inside, ...seen])
  const lesson_day_id = await lessonOf(day, school.class_2, 1)
  const roll = dataOf(rollcallApi.read, await app.call(rollcallApi.read, { lesson_day_id }, as()))
  const called = roll.pupils.map(({ user_id }, n) => ({ user_id, claim: n === 0 ? 'absent' as const : 'present' as const }))
  dataOf(rollcallApi.submit, await app.call(rollcallApi.submit, { lesson_day_id, version: 0, rows: called }, as()))
  await at(`${day}T12:00:00+08:00`)
  if (day === thursday) {
    const span = { place_id: room, begin_at: `${day}T07:40:00+08:00`, end_at: `${day}T11:00:00+08:00`, reason: '班牌停电' }
    dataOf(outageApi.declare, await app.call(outageApi.declare, span, as()))
  }
  await drainTo(app, board, `${day}T11:50:00+08:00`)
}

/** How many are expected in the week, by the timetable itself. */
async function planned(): Promise<{ student: number; teacher: number; lessons: number }> {
  const [found] = await rows(sql<{ student: number; teacher: number; lessons: number }>`
    select (select count(*)::int from lesson_student_v s where s.school_id = ${school_id} and s.date between ${monday}::date
      and ${friday}::date) as student,
      (select count(*)::int from lesson_day_teacher_v t
        join lesson_day_v d on d.school_id = ${school_id} and d.date = t.date and d.lesson_day_id = t.lesson_day_id and d.state not in (4,
          5)
        where t.school_id = ${school_id} and t.date between ${monday}::date and ${friday}::date and t.role <> 5) as teacher,
      (select count(*)::int from lesson_day_v d where d.school_id = ${school_id} and d.date between ${monday}::date and ${friday}::date
        and d.state not in (4, 5)) as lessons`)
  if (!found) throw new Error('the week has no lessons')
  return found
}

type Row = Readonly<Record<string, unknown>>
const sumOf = (row: Row) => states.reduce((sum, state) => sum + Number(row[state] ?? 0), 0)

describe.each(['student', 'teacher'] as const)('%s', who => {
  const { gather, detail } = of_who[who]

  test.each(kinds)('55-A13 a week with gates, leave, an outage and a cover adds up: gather %s', async kind => {
    const wanted = await planned()
    const { list, totals, total } = dataOf(gather[kind], await app.call(gather[kind], week, as()))
    expect(total).toBe(list.length)
    for (const row of [...list, totals]) expect([row, sumOf(row)]).toEqual([row, row.expected])
    for (const name of ['expected', 'late_min', ...states] as const) {
      expect([name, list.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)]).toEqual([name, totals[name]])
    }
    expect(totals.expected).toBe(wanted[who])
    for (const row of list.slice(0, 12)) {
      const { user_id, place_id, course_id, section } = row
      const keys = {
        ...(user_id ? { user_id } : {}), ...(place_id ? { classroom: place_id } : {}), ...(course_id ? { course_id } : {}),
        ...(section === null || section === undefined ? {} : { section: String(section) }),
      }
      for (const [n, name] of states.entries()) {
        const behind = await app.call(detail.personal, { from: monday, to: friday, ...keys, state: codes_of_states[n] }, as())
        expect([kind, name, dataOf(detail.personal, behind).total]).toEqual([kind, name, row[name] ?? 0])
      }
    }
    const lines = await sheetLines(await app.call(gather[exports[kind]], { from: monday, to: friday, reason: '核对' }, as()))
    const head = lines.find(line => line.includes('应到')) ?? []
    const last = lines.at(-1) ?? []
    expect([last[head.indexOf('应到')], last[head.indexOf('缺勤')], last[head.indexOf('请假')]].map(Number)).toEqual([totals.expected,
      totals.absent, totals.leave])
  }, patience_ms)

  test('55-A13 lessons one by one and by room add up to the same week', async () => {
    const wanted = await planned()
    for (const kind of ['subject', 'classroom'] as const) {
      const { list, totals } = dataOf(detail[kind], await app.call(detail[kind], week, as()))
      for (const row of [...list, totals]) expect(sumOf(row)).toBe(row.expected)
      expect([totals.expected, list.length]).toEqual([wanted[who], wanted.lessons])
    }
    expect(dataOf(detail.personal, await app.call(detail.personal, week, as())).total).toBe(wanted[who])
  })
})

test('55-A12 the week says what has happened: leave, an outage that makes nobody absent, a cover, a lesson that fell out, a correction that adds up at once', async () => {
  const personal = async () => dataOf(studentGatherApi.personal, await app.call(studentGatherApi.personal, week, as()))
  const before = await personal()
  const of = (n: number) => before.list.find(row => row.user_id === school.pupils[n])
  // Of the three lessons of his leave he was seen in the second one.
  expect([of(0)?.normal, of(0)?.unverified, of(1)?.late, of(1)?.late_min, of(2)?.leave]).toEqual([12, 3, 4, 24, 2])
  const outage = dataOf(studentDetailApi.personal, await app.call(studentDetailApi.personal, { from: thursday, to: thursday,
    classroom: school.room }, as()))
  expect(new Set(outage.list.map(row => row.state))).toEqual(new Set([10]))
  const covered = dataOf(teacherDetailApi.personal, await app.call(teacherDetailApi.personal, { from: monday, to: monday,
    user_id: substitute }, as()))
  expect(covered.list.map(row => row.section)).toEqual([2])
  const [row] = outage.list
  const key = { lesson_date: thursday, expect_kind: 1, occurrence_id: row?.occurrence_id ?? '', user_id: row?.user_id ?? '' }
  const wish = { to_state: 1, reason_code: 'device' as const, reason_text: '监控显示到课', evidence_kind: 'teacher' as const }
  dataOf(correctionApi.add, await app.call(correctionApi.add, { rows: [key], ...wish }, as()))
  const after = await personal()
  expect([after.totals.expected, after.totals.normal, after.totals.unverified]).toEqual(
    [before.totals.expected, (before.totals.normal ?? 0) + 1, (before.totals.unverified ?? 0) - 1])
})
