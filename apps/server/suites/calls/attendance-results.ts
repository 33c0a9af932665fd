import {
  appealApi,
  attendEventApi,
  attendFilterApi,
  attendLocationApi,
  attendSignApi,
  correctionApi,
  myAttendApi,
  sealApi,
  studentDetailApi,
  studentGatherApi,
  studentOriginalApi,
  teacherDetailApi,
  teacherGatherApi,
  teacherOriginalApi,
} from '@campus/attendance/contract'
import { createEvents, createResults } from '@campus/attendance/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { campus } from './devices.ts'
import { enrolled } from './people.ts'

let made = 0
const day_ms = 86_400_000
const absent = 4
const token = ({ me }: World) => ({ token: me.token })
const today = ({ app }: World, days = 0) => new Date(app.clock.now().getTime() + 8 * 3_600_000 + days * day_ms).toISOString().slice(0, 10)
const tenant = <R>({ app, school_id }: World, act: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) =>
  app.running.database.tenant<unknown, R>(school_id, act)

/** Yesterday's lesson that a pupil of nobody else has missed. */
async function missed(world: World, days = -1) {
  const { dept_id, user_id } = await enrolled(world)
  made += 1
  const key = { lesson_date: today(world, days), expect_kind: 1, occurrence_id: String(900_000 + made), user_id }
  await tenant(world, db =>
    createResults({ db, school_id: world.school_id }, [{ ...key, person_kind: 1, section: 1, state: absent, dept_id }]),
  )
  return { key, dept_id }
}

const days = (world: World) => ({ from: today(world, -6), to: today(world) })
/** A report of one class, by a class of nobody else. */
const report: Builder<{ from: string; to: string; dept_id: string }> = async world => ({
  input: { ...days(world), dept_id: (await missed(world)).dept_id },
})
const row: Builder<{ lesson_date: string; expect_kind: number; occurrence_id: string; user_id: string }> = async world => ({
  input: (await missed(world)).key,
})
const exported: Builder<{ dept_id: string; reason: string }> = async world => ({
  input: { dept_id: (await missed(world)).dept_id, ...days(world), reason: '核对考勤' },
})

/** The caller's own result. */
async function own(world: World) {
  const { key } = await missed(world)
  made += 1
  const mine = { ...key, user_id: world.me.user_id }
  await tenant(world, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${world.school_id}, ${world.me.user_id}, '李可', 'like', 'lk', '1') on conflict do nothing`.execute(
      db,
    )
    return createResults({ db, school_id: world.school_id }, [{ ...mine, person_kind: 2, section: 1, state: absent }])
  })
  return mine
}

/** Own rows of a teacher: with the id of somebody, which has to be his. */
const own_row: Builder<{ lesson_date: string; expect_kind: number; occurrence_id: string; user_id: string }> = async world => ({
  input: await own(world),
})

const wish = { to_state: 1, reason_code: 'forgot' as const, reason_text: '已到课，忘记打卡', evidence_kind: 'teacher' as const }

async function corrected(world: World): Promise<string> {
  const { key } = await missed(world)
  const answer = await world.app.call(correctionApi.add, { rows: [key], ...wish }, token(world))
  return dataOf(correctionApi.add, answer).correction_ids[0] ?? ''
}

/** An appeal of somebody else, which waits. */
async function appealed(world: World): Promise<{ correction_id: string; row_version: number }> {
  const correction_id = await corrected(world)
  await tenant(world, db =>
    sql`update attend_correction set state = 0, origin = 'appeal', asked_by = user_id, decided_by = null, decided_at = null where school_id = ${world.school_id} and correction_id = ${correction_id}`.execute(
      db,
    ),
  )
  return { correction_id, row_version: 1 }
}

/** A claim of a pupil. */
async function claimed(world: World, voided = false) {
  const { user_id } = await enrolled(world)
  made += 1
  const at = new Date(world.app.clock.now().getTime() - day_ms)
  const key = { event_date: today(world, -1), source: 1, source_key: `${world.school_id}-${made}` }
  await tenant(world, db =>
    createEvents({ db, school_id: world.school_id }, [{ ...key, user_id, person_kind: 1, event_time: at, received_at: at }]),
  )
  if (voided) await world.app.call(attendEventApi.void, { ...key, reason: '借卡打卡' }, token(world))
  return key
}

/** A month long over, of nobody else. */
async function month(world: World): Promise<string> {
  const { key } = await missed(world, -40 - 31 * (made + 1))
  return key.lesson_date.slice(0, 7)
}

async function sealed(world: World): Promise<string> {
  return dataOf(sealApi.add, await world.app.call(sealApi.add, { month: await month(world) }, token(world))).seal_id
}

/** As if somebody else had sealed it. */
async function sealedByOther(world: World): Promise<string> {
  const seal_id = await sealed(world)
  await tenant(world, db =>
    sql`update attend_seal set sealed_by = 0 where school_id = ${world.school_id} and seal_id = ${seal_id}`.execute(db),
  )
  return seal_id
}

const detail = {
  personal: report,
  subject: report,
  classroom: report,
  row,
  exportPersonal: exported,
  exportSubject: exported,
  exportClassroom: exported,
}
const gather = {
  subject: report,
  personal: report,
  personal_section: report,
  personal_subject: report,
  classroom: report,
  classroom_subject: report,
  classroom_section: report,
  exportSubject: exported,
  exportPersonal: exported,
  exportPersonalSection: exported,
  exportPersonalSubject: exported,
  exportClassroom: exported,
  exportClassroomSubject: exported,
  exportClassroomSection: exported,
}

const hired = (world: World) =>
  tenant(world, db =>
    sql`insert into staff (school_id, user_id, teacher_no, kind, join_month) values (${world.school_id}, ${world.me.user_id}, 'S' || ${world.me.user_id}, '11', '202609') on conflict do nothing`.execute(
      db,
    ),
  )

/** A circle for signing in by position around the campus, which has none yet. */
async function circle(world: World) {
  await tenant(world, db => sql`delete from attend_location where school_id = ${world.school_id}`.execute(db))
  return { place_id: await campus(world), lng: 116.391, lat: 39.907, radius_m: 200, row_version: 0 }
}

async function savedCircle(world: World) {
  const saved = await circle(world)
  await world.app.call(attendLocationApi.save, saved, token(world))
  return saved
}

export const attendanceResultCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(studentOriginalApi, { page: report, export: exported }),
  ...buildersOf(teacherOriginalApi, { page: report, export: exported }),
  ...buildersOf(studentDetailApi, detail),
  ...buildersOf(teacherDetailApi, { ...detail, row: own_row }),
  ...buildersOf(studentGatherApi, gather),
  ...buildersOf(teacherGatherApi, gather),
  ...buildersOf(attendFilterApi, {
    options: world => ({ input: { who: 'student' as const, date_from: days(world).from, date_to: days(world).to } }),
  }),
  ...buildersOf(attendEventApi, {
    void: async world => ({ input: { ...(await claimed(world)), reason: '借卡打卡' } }),
    unvoid: async world => ({ input: await claimed(world, true) }),
  }),
  ...buildersOf(correctionApi, {
    page: async world => ({ input: { dept_id: (await missed(world)).dept_id } }),
    export: exported,
    add: async world => ({ input: { rows: [(await missed(world)).key], ...wish } }),
    approve: async world => ({ input: await appealed(world) }),
    reject: async world => ({ input: { ...(await appealed(world)), opinion: '监控显示未到课' } }),
    undo: async world => ({ input: { correction_id: await corrected(world), row_version: 1 } }),
  }),
  ...buildersOf(appealApi, { add: async world => ({ input: { row: await own(world), ...wish } }) }),
  ...buildersOf(myAttendApi, {
    subjects: () => ({ input: {} }),
    month: async world => ({ input: { user_id: (await own(world)).user_id, month: today(world).slice(0, 7) } }),
    day: async world => ({ input: { user_id: (await own(world)).user_id, date: today(world, -1) } }),
  }),
  ...buildersOf(attendLocationApi, {
    list: () => ({ input: {} }),
    save: async world => ({ input: await circle(world) }),
    remove: async world => ({ input: { place_id: (await savedCircle(world)).place_id } }),
    add: async world => {
      await own(world)
      await hired(world)
      const { lng, lat } = await savedCircle(world)
      return { input: { lng, lat, accuracy_m: 20 } }
    },
  }),
  ...buildersOf(attendSignApi, {
    code: async world => ({ input: { place_id: await campus(world) } }),
    add: async world => {
      await own(world)
      await hired(world)
      const answer = await world.app.call(attendSignApi.code, { place_id: await campus(world) }, token(world))
      return { input: { code: dataOf(attendSignApi.code, answer).code } }
    },
  }),
  ...buildersOf(sealApi, {
    list: () => ({ input: {} }),
    add: async world => ({ input: { month: await month(world) } }),
    reopen: async world => ({ input: { seal_id: await sealedByOther(world), reason: '补录遗漏的请假' } }),
    pending: async world => ({ input: { seal_id: await sealed(world) } }),
  }),
])
