import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import {
  appealApi,
  ATTEND_STATE,
  attendEventApi,
  attendFilterApi,
  correctionApi,
  sealApi,
  studentDetailApi,
  studentGatherApi,
  studentOriginalApi,
  teacherDetailApi,
  teacherGatherApi,
} from '@campus/attendance/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AttendanceDb } from '../db.ts'
import { createEvents, createResults } from './create.ts'
import { hashOf } from './seal.service.ts'

const { a: school_id, b: other_school } = test_schools
const day_ms = 86_400_000
let app: TestApp
let me: TestUser
let teacher: TestUser
let pupils: string[]
let classes: string[]
let made = 100

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await makePupils()
  const codes = ['attendance.detail.view', 'attendance.student.view', 'attendance.correct.create']
  teacher = await app.as({ school_id, codes, scope: 'custom', scope_ids: [classes[0] ?? ''] })
  await write(everyState())
})
afterAll(() => app.close())

type PeopleHandle = Parameters<typeof createDepts>[0]
const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const tenant = <R>(act: (db: PeopleHandle) => Promise<R>) => app.running.database.tenant(school_id, act)
const day = (at: number) => new Date(app.clock.now().getTime() + 8 * 3_600_000 + at * day_ms).toISOString().slice(0, 10)
const week = () => ({ from: day(-7), to: day(-1) })
type Planned = Parameters<typeof createResults>[1][number]
const write = (rows: readonly Planned[]) => tenant(db => createResults({ db, school_id }, rows))

/** Two classes with three pupils each. */
async function makePupils(): Promise<void> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(
      db,
      school_id,
      [
        { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
        { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
        { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
      ],
      '2026-09-01',
    )
    classes = [ids.get('class 1') ?? '', ids.get('class 2') ?? '']
    const drafts = Array.from({ length: 6 }, (_, at) => ({
      user_name: `学生${at}`,
      student_no: `A00${at}`,
      sex: '1',
      enrol_month: '202409',
      dept_id: classes[at < 3 ? 0 : 1] ?? '',
      from: '2026-09-01',
    }))
    pupils = await enrolStudents(db, app.running.app.secrets, school_id, drafts)
  })
}

/** Two days of five lessons: each of the ten states at least once in each class; the classes' rooms and courses differ. */
function everyState(): Planned[] {
  return pupils.flatMap((user_id, at) =>
    [-1, -2].flatMap(when =>
      [1, 2, 3, 4, 5].map((section): Planned => {
        const state = ((at * 5 + section + (when + 2) * 3) % 10) + 1
        return {
          lesson_date: day(when),
          occurrence_id: String(1000 + (when + 2) * 10 + section + (at < 3 ? 0 : 100)),
          user_id,
          person_kind: 1,
          section,
          state,
          dept_id: classes[at < 3 ? 0 : 1] ?? null,
          late_min: state === 2 ? 6 : 0,
        }
      }),
    ),
  )
}

/** One more result of a pupil, of a lesson of its own. */
async function result(user_id: string, state: number, when = -1, more: Partial<Planned> = {}) {
  made += 1
  const key = { lesson_date: day(when), expect_kind: 1, occurrence_id: String(7000 + made), user_id }
  await write([{ ...key, person_kind: 1, section: 8, state, dept_id: classes[0] ?? null, ...more }])
  return key
}

const sectionOf = (section: number | null) => String(section ?? '')
const states = ['normal', 'late', 'early', 'absent', 'leave', 'waiting', 'made_up', 'outside', 'exempt', 'unverified'] as const

describe('gathers', () => {
  test('55-A13 on each row of each gather the ten states add up to 应到, numbers open as many rows, the totals are those of all pages and the sheet', async () => {
    for (const kind of [
      'subject',
      'personal',
      'personal_section',
      'personal_subject',
      'classroom',
      'classroom_subject',
      'classroom_section',
    ] as const) {
      const { list, totals } = dataOf(studentGatherApi[kind], await app.call(studentGatherApi[kind], { ...week(), page_size: 300 }, as()))
      for (const row of [...list, totals]) expect(states.reduce((sum, state) => sum + (row[state] ?? 0), 0)).toBe(row.expected)
      expect([totals.expected, list.reduce((sum, row) => sum + (row.expected ?? 0), 0)]).toEqual([60, 60])
    }
    const personal = dataOf(studentGatherApi.personal_section, await app.call(studentGatherApi.personal_section, week(), as()))
    for (const row of personal.list.slice(0, 8)) {
      for (const [at, name] of states.entries()) {
        const rows = dataOf(
          studentDetailApi.personal,
          await app.call(
            studentDetailApi.personal,
            { ...week(), user_id: row.user_id ?? '', section: sectionOf(row.section), state: ATTEND_STATE.codes[at] },
            as(),
          ),
        )
        expect(rows.total).toBe(row[name])
      }
    }
    const attended = dataOf(studentDetailApi.personal, await app.call(studentDetailApi.personal, { ...week(), group: 'attended' }, as()))
    expect(attended.total).toBe(personal.totals.attended)
    const sheet = await app.call(studentGatherApi.exportPersonal, { ...week(), reason: '核对' }, as())
    expect([sheet.status, sheet.headers.get('content-type')]).toEqual([200, expect.stringContaining('sheet')])
  })

  test('55-A13 出勤率 leaves out leave, exempt, open and unverified ones; lessons one by one add up the same', async () => {
    const { totals } = dataOf(studentGatherApi.personal, await app.call(studentGatherApi.personal, week(), as()))
    const of = (...names: readonly (typeof states)[number][]) => names.reduce((sum, name) => sum + (totals[name] ?? 0), 0)
    const present = of('normal', 'late', 'early', 'made_up', 'outside')
    expect(totals.rate).toBeCloseTo((100 * present) / ((totals.expected ?? 0) - of('leave', 'exempt', 'waiting', 'unverified')), 1)
    const lessons = dataOf(studentDetailApi.subject, await app.call(studentDetailApi.subject, week(), as()))
    expect([lessons.total, lessons.totals.expected, lessons.totals.late_min]).toEqual([20, 60, totals.late_min])
    const [lesson] = lessons.list
    const people = dataOf(
      studentDetailApi.personal,
      await app.call(studentDetailApi.personal, { ...week(), occurrence_id: lesson?.occurrence_id ?? '' }, as()),
    )
    expect(people.total).toBe(lesson?.expected)
  })
})

test('55-A14 ranges, page sizes and unknown values are refused with their sentence; all, absent and empty are the same', async () => {
  const page = (more: object) => app.call(studentDetailApi.personal, { ...week(), ...more }, as())
  expect(refusal(await page({ from: day(-31), to: day(0) }))).toEqual([422, 'attend.range', '查询范围不能超过31天'])
  expect(refusal(await app.call(studentDetailApi.subject, { from: day(-31), to: day(0) }, as())).slice(0, 2)).toEqual([422, 'attend.range'])
  expect((await page({ from: day(-31), to: day(0), user_id: pupils[0] })).status).toBe(200)
  expect(
    await Promise.all(
      [{ page_size: 301 }, { state: 'xyz' }, { classroom: '987654321' }, { subject: '9999' }].map(async more => (await page(more)).status),
    ),
  ).toEqual([400, 400, 400, 400])
  const totals = await Promise.all(
    [{}, { state: '' }, { state: 'all' }].map(async more => dataOf(studentDetailApi.personal, await page(more)).total),
  )
  expect(new Set(totals)).toEqual(new Set([60]))
  const options = dataOf(
    attendFilterApi.options,
    await app.call(attendFilterApi.options, { who: 'student', date_from: day(-7), date_to: day(-1) }, as()),
  )
  expect(options.section).toEqual([{ id: 'all', name: '全部' }, ...[1, 2, 3, 4, 5].map(n => ({ id: String(n), name: `第${n}节` }))])
  expect(options.state).toHaveLength(11)
  expect(options.classroom).toEqual([{ id: 'all', name: '全部' }])
})

test('55-A17 a teacher sees his own class, of …Teacher only himself; ids of another school are not found', async () => {
  const own = dataOf(studentDetailApi.personal, await app.call(studentDetailApi.personal, week(), as(teacher)))
  expect([own.total, new Set(own.list.map(row => row.dept_name))]).toEqual([30, new Set(['三年级1班'])])
  expect(
    dataOf(studentDetailApi.personal, await app.call(studentDetailApi.personal, { ...week(), dept_id: classes[1] ?? '' }, as(teacher)))
      .total,
  ).toBe(0)
  const mine = { lesson_date: day(-1), occurrence_id: '1', section: 1, state: 1, person_kind: 2 as const }
  await write([
    { ...mine, user_id: teacher.user_id },
    { ...mine, user_id: me.user_id },
  ])
  expect(
    dataOf(teacherGatherApi.personal, await app.call(teacherGatherApi.personal, week(), as(teacher))).list.map(row => row.user_id),
  ).toEqual([teacher.user_id])
  expect(dataOf(teacherDetailApi.personal, await app.call(teacherDetailApi.personal, week(), as())).total).toBe(2)
  const stranger = await app.as({ school_id: other_school, codes: 'all', places: 'all' })
  expect((await app.call(studentDetailApi.personal, { ...week(), user_id: pupils[0] ?? '' }, as(stranger))).status).toBe(404)
  expect(dataOf(studentGatherApi.personal, await app.call(studentGatherApi.personal, week(), as(stranger))).total).toBe(0)
})

describe('corrections', () => {
  const wish = { to_state: 1, reason_code: 'forgot' as const, reason_text: '已到课，忘记打卡', evidence_kind: 'teacher' as const }
  const correct = (rows: object[], more: object = {}, who: TestUser = me) =>
    app.call(correctionApi.add, Object.assign({ ...wish, rows: [] }, { rows }, more), as(who))

  test('55-A15 of two correctors of one row at once one is done, one hears who was first; the row says it was corrected, and undone says what it said', async () => {
    const key = await result(pupils[0] ?? '', 4)
    const answers = await Promise.all([correct([key]), correct([key], {}, teacher)])
    expect(answers.map(one => one.status).toSorted()).toEqual([200, 409])
    expect(answers.find(one => one.status === 409)?.body).toMatchObject({
      error_id: 'attend.correctExists',
      msg: expect.stringMatching(/^该记录已有更正：.* \d{4}-\d{2}-\d{2} \d{2}:\d{2}$/),
    })
    const evidence = dataOf(studentDetailApi.row, await app.call(studentDetailApi.row, key, as()))
    expect([
      evidence.row.state,
      evidence.row.corrected,
      evidence.changes.map(one => [one.from_state, one.to_state, one.cause]),
      evidence.corrections.length,
    ]).toEqual([1, true, [[4, 1, 'correction']], 1])
    const correction_id = evidence.corrections[0]?.correction_id ?? ''
    dataOf(correctionApi.undo, await app.call(correctionApi.undo, { correction_id, row_version: 1 }, as()))
    expect(dataOf(studentDetailApi.row, await app.call(studentDetailApi.row, key, as())).row).toMatchObject({ state: 4, corrected: false })
  })

  test('rows are refused one by one, with evidence, days and oneself looked at; an appeal waits for another person', async () => {
    const [good, old] = [await result(pupils[1] ?? '', 4), await result(pupils[1] ?? '', 4, -20)]
    const many = dataOf(correctionApi.add, await correct([good, old], {}, teacher))
    expect([many.correction_ids.length, many.refused.map(one => one.error_id)]).toEqual([1, ['attend.correctLate']])
    const one = await result(pupils[2] ?? '', 4)
    expect(refusal(await correct([one], { evidence_kind: 'clinic' }))).toEqual([422, 'attend.evidence', '请上传佐证材料'])
    expect(refusal(await correct([{ ...one, occurrence_id: '1' }]))[1]).toBe('attend.notExpected')
    const mine = await result(teacher.user_id, 4, -1, { person_kind: 2 })
    await tenant(db =>
      sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${teacher.user_id},
        '王老师', 'wang', 'w', '1')`.execute(
        db,
      ),
    )
    expect(refusal(await correct([mine], {}, teacher))).toEqual([403, 'attend.correctSelf', '不能更正本人考勤'])
    const { correction_id } = dataOf(appealApi.add, await app.call(appealApi.add, { row: mine, ...wish }, as(teacher)))
    const waiting = dataOf(correctionApi.page, await app.call(correctionApi.page, { state: '0' }, as())).list
    expect(waiting.map(row => [row.correction_id, row.origin, row.may_decide])).toEqual([[correction_id, 'appeal', true]])
    expect(dataOf(correctionApi.approve, await app.call(correctionApi.approve, { correction_id, row_version: 1 }, as()))).toEqual({
      state: 1,
      row_version: 2,
    })
    expect(refusal(await app.call(correctionApi.reject, { correction_id, row_version: 2, opinion: '不实' }, as()))[1]).toBe(
      'attend.correctDecided',
    )
  })
})

test('55-A16 a month with one 待核实 is not sealed; what comes after the seal lies aside and changes no row; another person opens it again', async () => {
  const when = -70
  const month = day(when).slice(0, 7)
  const unsure = await result(pupils[0] ?? '', 10, when)
  const seal = () => app.call(sealApi.add, { month }, as())
  const tallied = () =>
    tenant(async db => {
      const { rows } = await sql<{ expected: number; absent: number }>`
        select coalesce(sum(t.expected), 0)::int as expected, coalesce(sum(t.absent), 0)::int as absent from attend_tally_v t
        where t.school_id = ${school_id} and t.month = ${month}`.execute(db)
      return rows[0]
    })
  expect(refusal(await seal())).toEqual([409, 'attend.sealOpen', '还有1条待核实、0个未完成单元，不能封存'])
  await tenant(db =>
    sql`update attend_result set state = 4 where school_id = ${school_id} and occurrence_id = ${unsure.occurrence_id}`.execute(db),
  )
  expect(await tallied()).toEqual({ expected: 0, absent: 0 })
  const { seal_id, result_hash, rows } = dataOf(sealApi.add, await seal())
  expect(await tallied()).toMatchObject({ expected: rows, absent: 1 })
  const received_at = new Date(app.clock.now().getTime() + 1000)
  await tenant(db =>
    createEvents({ db, school_id }, [
      {
        event_date: day(when),
        source: 1,
        source_key: 'late-1',
        user_id: pupils[0] ?? '',
        person_kind: 1,
        event_time: new Date(`${day(when)}T08:00:00+08:00`),
        received_at,
      },
    ]),
  )
  expect(dataOf(sealApi.pending, await app.call(sealApi.pending, { seal_id }, as())).list.map(row => [row.kind, row.user_name])).toEqual([
    ['event', '学生0'],
  ])
  const corrected = await app.call(
    correctionApi.add,
    { rows: [unsure], to_state: 1, reason_code: 'other', reason_text: '补录', evidence_kind: 'teacher' },
    as(),
  )
  expect(corrected.body.error_id).toMatch(/^attend\.(sealed|correctLate)$/)
  expect(await tenant(db => hashOf({ db: asTables<AttendanceDb>(db), school_id }, month))).toBe(result_hash)
  expect(refusal(await app.call(sealApi.reopen, { seal_id, reason: '补录请假' }, as()))[1]).toBe('attend.sealSame')
  const other = await app.as({ school_id, codes: ['attendance.seal.run'] })
  expect(dataOf(sealApi.reopen, await app.call(sealApi.reopen, { seal_id, reason: '补录请假' }, as(other)))).toEqual({ pending: 1 })
  expect(await tallied()).toEqual({ expected: 0, absent: 0 })
})

test('original records say what they were used for; a voided one counts for nothing', async () => {
  const at = new Date(`${day(-3)}T08:00:00+08:00`)
  const claim = { event_date: day(-3), source: 1, person_kind: 1 as const, event_time: at, received_at: at, user_id: pupils[4] ?? '' }
  await tenant(db =>
    createEvents({ db, school_id }, [
      { ...claim, source_key: 'used' },
      { ...claim, source_key: 'spare' },
    ]),
  )
  await result(pupils[4] ?? '', 1, -3, { event_ref: `${day(-3)}/1/used`, section: 2 })
  const page = async (more: object = {}) =>
    dataOf(studentOriginalApi.page, await app.call(studentOriginalApi.page, { from: day(-3), to: day(-3), ...more }, as())).list
  expect((await page()).map(row => [row.source_key, row.match, row.section])).toEqual([
    ['spare', 'none', null],
    ['used', 'used', 2],
  ])
  expect((await page({ matched: '1' })).map(row => row.source_key)).toEqual(['used'])
  const key = { event_date: day(-3), source: 1, source_key: 'spare' }
  expect((await app.call(attendEventApi.void, { ...key, reason: '借卡' }, as())).status).toBe(200)
  expect(refusal(await app.call(attendEventApi.void, { ...key, reason: '借卡' }, as()))[1]).toBe('attend.voided')
  expect((await page({ matched: '0' })).map(row => row.match)).toEqual(['voided'])
  expect((await app.call(attendEventApi.unvoid, key, as())).status).toBe(200)
})
