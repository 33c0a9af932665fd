import { dataOf, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { devicesEvents } from '@campus/devices/contract'
import { createDevices } from '@campus/devices/server'
import { createDepts, enrolStudents, hireStaff } from '@campus/people/server'
import { createHomes, createPlaces } from '@campus/places/server'
import { createTeaching } from '@campus/teaching/server'
import { insertMany } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import { sql } from 'kysely'

const { a: school_id } = test_schools
export const semester_id = 20261
/** A Monday of the term, after three lessons. */
export const noon = '2026-09-14T12:00:00+08:00'
export const monday = '2026-09-14'

export type LessonSchool = { school_id: number; pupils: string[]; teacher: string; grade: string; class_1: string; class_2: string; room: string; board: string; gate: string; gate_in: string; gate_out: string }
type Handle = Parameters<typeof createDepts>[0]

/**
 * A grade of two classes with three pupils each, three lessons every morning in the room of their own, a board in the first room and a
 * gate.
 */
export async function makeLessonSchool(app: TestApp, me: TestUser): Promise<LessonSchool> {
  const made = await app.running.database.tenant(school_id, (db: Handle) => makePeople(app, db))
  await makeCalendar(app, me)
  await app.running.database.tenant(school_id, (db: Handle) => createTeaching({ db, school_id, now: app.clock.now() }, {
    semester_id, timetable: '测试课表', seed: 1, moves: 20_000, open: 0,
    courses: [{
      course_no: 'YW', course_name: '语文', subject: '13', grades: ['13'], course_type: '1', course_attr: '1', weekly: 15, double: 0,
      color: '#4F8DF7',
    }],
    teaching: [made.class_1, made.class_2].map((dept_id, at) => ({
      dept_id, course_no: 'YW', weekly_odd: 15, weekly_even: 15, double: 0, teacher_ids: [at === 0 ? made.teacher : made.other],
    })),
  }))
  return { school_id, ...made }
}

async function makePeople(app: TestApp, db: Handle) {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const depts = await createDepts(db, school_id, [
    { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
    { key: 'c1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
    { key: 'c2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
  ], '2026-09-01')
  const idOf = (key: string) => depts.get(key) ?? ''
  const drafts = Array.from({ length: 6 }, (_, at) => (
    {
      user_name: `学生${at}`, student_no: `A00${at}`, sex: '1', enrol_month: '202409', dept_id: idOf(at < 3 ? 'c1' : 'c2'), from: '2026-09-01',
    }
  ))
  const pupils = await enrolStudents(db, secrets, school_id, drafts)
  const staff = ['张伟', '李娜'].map((user_name, at) => (
    {
      user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11', join_month: '202609', from: '2026-09-01',
      depts: [{ dept_id: root.id }],
    }
  ))
  const [teacher = '', other = ''] = await hireStaff(db, secrets, school_id, staff)
  const sites = await makeSites(db, idOf)
  return { pupils, teacher, other, grade: idOf('grade'), class_1: idOf('c1'), class_2: idOf('c2'), ...sites }
}

/** The rooms of the two classes, a board in the first, and a gate with a lane in and a lane out. */
async function makeSites(db: Handle, idOf: (key: string) => string) {
  const plain = { superior: null, private_zone: false } as const
  const places = await createPlaces(db, school_id, [
    {
      key: 'room', place_name: 'E203', place_kind: 4, ...plain,
    }, { key: 'bare', place_name: 'E204', place_kind: 4, ...plain }, { key: 'gate', place_name: '南门', place_kind: 9, ...plain },
  ], '2026-09-01')
  const [room, bare, gate] = ['room', 'bare', 'gate'].map(key => places.get(key) ?? '')
  await createHomes(
    db, school_id, [{ place_id: room ?? '', dept_id: idOf('c1') }, { place_id: bare ?? '', dept_id: idOf('c2') }], '2026-09-01'
  )
  const devices = await createDevices(db, school_id, [
    {
      key: 'board', device_sn: 'ATT-B1', device_name: 'E203班牌', device_type: '03', model_code: 'JD-B32', parent: null, place_id: room ?? '',
      direction: 3,
    },
    {
      key: 'in', device_sn: 'ATT-IN', device_name: '南门进', device_type: '01', model_code: 'JD-F10', parent: null, place_id: gate ?? '',
      direction: 1,
    },
    {
      key: 'out', device_sn: 'ATT-OUT', device_name: '南门出', device_type: '01', model_code: 'JD-F10', parent: null, place_id: gate ?? '',
      direction: 2,
    },
  ], new Date('2026-09-01T00:00:00Z'))
  const deviceOf = (key: string) => devices.get(key) ?? ''
  return { room: room ?? '', gate: gate ?? '', board: deviceOf('board'), gate_in: deviceOf('in'), gate_out: deviceOf('out') }
}

async function makeCalendar(app: TestApp, me: TestUser): Promise<void> {
  const as = { token: me.token }
  await app.call(
    semesterApi.add, { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as
  )
  const sections = [
    ['08:00', '08:45'], ['08:55', '09:40'], ['10:00', '10:45']
  ].map(([begin = '', end = ''], at) => ({ name: `第${at + 1}节`, section_kind: 2, section: at + 1, begin, end }))
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '小学作息', sections }, as))
  await app.call(
    bellApi.switch,
    { bell_id: bell.id, grades: ['13'], week_flags: [true, true, true, true, true, false, false], from: '2026-09-02', to: null }, as
  )
}

/** A device holds everything back that happened after a moment. */
export async function drainTo(app: TestApp, device_id: string, at: string): Promise<void> {
  await app.running.database.tenant<unknown, unknown>(
    school_id,
    db => sql`update device set drained_to = ${new Date(at)} where school_id = ${school_id} and device_id = ${device_id}`.execute(db)
  )
}

export type Seen = { seq: string; device_id: string; place_id: string; user_id: string; at: string; direction?: 1 | 2 }

/** Writes what doors and boards saw into the journal and tells whoever listens, as devices do. */
export async function seeAll(app: TestApp, rows: readonly Seen[]): Promise<void> {
  const values = rows.map(({ seq, at, direction = null, ...row }) => ({
    school_id, ...row, direction, event_date: at.slice(0, 10), device_seq: seq, device_time: new Date(at), received_at: app.clock.now(), event_time: new Date(at), time_state: 0, body_hash: '0'.repeat(16), person_kind: 1,
    verify_mode: 2, pass_state: 1, code_masked: null,
  }))
  await app.running.database.tenant<unknown, void>(school_id, async db => {
    await insertMany(db, 'pass_event', values, { columns: ['school_id', 'event_date', 'device_id', 'device_seq'] })
    const keys = values.map(({ event_date, device_id, device_seq }) => ({ event_date, device_id, device_seq }))
    await publishEach({ app: app.running.app, db, school_id, now: app.clock.now() }, devicesEvents.passRecorded, keys)
  })
}
