import { semesterApi } from '@campus/calendar/contract'
import { examApi, planApi, resultApi, scoreApi } from '@campus/exams/contract'
import { createDepts, enrolStudents, hireStaff } from '@campus/people/server'
import { createPlaces } from '@campus/places/server'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

let made = 0
const day_ms = 86_400_000
export const reason = '设备检修改期'

export const tenant = <T, R>({ app, school_id }: World, act: (db: Kysely<T>) => Promise<R>) =>
  app.running.database.tenant<T, R>(school_id, act)

type School = { semester_id: number; year: number; days: number; dept_id: string; user_id: string }
const schools = new WeakMap<World, School>()

/** A term, and a class with one pupil in a grade that nothing else has; made once a school. */
async function ownSchool(world: World): Promise<School> {
  const known = schools.get(world)
  if (known) return known
  const { app, me, school_id, ids } = world
  made += 1
  const year = 2100 + made
  const wanted = { school_year: `${year}-${year + 1}`, term: '1' as const, name: `考试学期${year}`, begin_date: `${year}-09-01`, end_date: `${year + 1}-03-20` }
  const { semester } = dataOf(semesterApi.add, await app.call(semesterApi.add, wanted, { token: me.token }))
  const cohort = { tree: 'student' as const, grade: '43', enrol_year: 2026, stage: '4' }
  const { secrets } = app.running.app
  const people = await tenant(world, async (db: Parameters<typeof createDepts>[0]) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: '中职三年级', dept_type: 3, ...cohort }, { key: 'class', parent: 'grade', dept_name: '中职三1班', dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01')
    const dept_id = depts.get('class') ?? ''
    const [user_id = ''] = await enrolStudents(db, secrets, school_id, [{ user_name: '赵小考', sex: '1', student_no: `X${school_id}`, enrol_month: '202609', dept_id, from: '2026-09-01' }])
    return { dept_id, user_id }
  })
  const own = { semester_id: semester?.id ?? 0, year, days: 0, ...people }
  schools.set(world, own)
  return own
}

/** Each exam has a day of its own, so that nobody sits twice at a time. */
async function examDraft(world: World) {
  const own = await ownSchool(world)
  own.days += 1
  const day = new Date(Date.parse(`${own.year}-09-02T00:00:00Z`) + own.days * day_ms).toISOString().slice(0, 10)
  return { semester_id: own.semester_id, begin_date: day, end_date: day, exam_name: `月考${own.days}`, exam_kind: '13', grades: ['43' as const] }
}

async function exam(world: World) {
  return dataOf(examApi.add, await world.app.call(examApi.add, await examDraft(world), { token: world.me.token })).row
}

const paperDraft = (full_score = 150) => ({
  paper_id: null, subject: '13', grade: '43' as const, dept_ids: [], exam_way: '1' as const, full_score, minutes: 90, excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40, assign: 'none' as const, in_total: true,
})

/** An exam with one paper in one session. */
async function sessioned(world: World) {
  const row = await exam(world)
  const as = { token: world.me.token }
  const plan = dataOf(examApi.savePapers, await world.app.call(examApi.savePapers, { exam_id: row.exam_id, papers: [paperDraft()] }, as))
  const begin = Date.parse(`${row.begin_date}T00:30:00Z`)
  const session = { session_id: null, session_name: '语文', begin_at: new Date(begin).toISOString(), end_at: new Date(begin + day_ms / 12).toISOString(), paper_ids: plan.papers.map(one => one.paper_id) }
  const saved = dataOf(examApi.saveSessions, await world.app.call(examApi.saveSessions, { exam_id: row.exam_id, sessions: [session] }, as))
  return { exam_id: row.exam_id, row: saved.exam, paper_id: plan.papers[0]?.paper_id ?? '', session_id: saved.sessions[0]?.session_id ?? '', session }
}

/** A classroom of the school. */
async function classroom(world: World): Promise<string> {
  made += 1
  const row = { key: 'room', superior: null, place_name: `考场教室${world.school_id}-${made}`, place_kind: 4, capacity: 300 }
  const ids = await tenant<unknown, Map<string, string>>(world, db => createPlaces(db, world.school_id, [row], '2026-09-01'))
  return ids.get('room') ?? ''
}

const roomDraft = (place_id: string) => ({ room_id: null, place_id, col_count: 10, row_count: 12, path: 'S' as const, blocked: [], is_spare: false })

/** An exam with candidates and a room. */
async function roomed(world: World) {
  const { user_id } = await ownSchool(world)
  const own = await sessioned(world)
  const as = { token: world.me.token }
  const { exam_id } = own
  await world.app.call(planApi.refresh, { exam_id, preview: false }, as)
  const { rooms } = dataOf(planApi.saveRooms, await world.app.call(planApi.saveRooms, { exam_id, rooms: [roomDraft(await classroom(world))] }, as))
  return { ...own, user_id, rooms, room_id: rooms[0]?.room_id ?? '' }
}

/** The same with seats. */
export async function seated(world: World) {
  const own = await roomed(world)
  const as = { token: world.me.token }
  dataOf(planApi.runSeats, await world.app.call(planApi.runSeats, { exam_id: own.exam_id, seed: 1, mode: 'number' }, as))
  const map = dataOf(planApi.seats, await world.app.call(planApi.seats, { exam_id: own.exam_id, session_id: own.session_id }, as))
  return { ...own, seat: map.seats.find(one => one.user_id === own.user_id), count: map.seats.length }
}

export async function published(world: World) {
  const own = await seated(world)
  dataOf(planApi.publish, await world.app.call(planApi.publish, { exam_id: own.exam_id }, { token: world.me.token }))
  return own
}

export async function teacher(world: World): Promise<string> {
  made += 1
  const { secrets } = world.app.running.app
  const row = { user_name: '孙监考', sex: '1', teacher_no: `E${world.school_id}${made}`, mobile: `1692${String(world.school_id % 100).padStart(2, '0')}${String(made).padStart(5, '0')}`, kind: '11', join_month: '202609', from: '2026-09-01', depts: [{ dept_id: world.ids.dept ?? '' }] }
  const [id = ''] = await tenant(world, (db: Parameters<typeof hireStaff>[0]) => hireStaff(db, secrets, world.school_id, [row]))
  return id
}

/** A published plan whose sessions are over, with scores of one pupil's class; put there by hand, as its days lie in a later year. */
export async function entered(world: World) {
  const own = await published(world)
  await tenant<unknown, unknown>(world, db => sql`update exam_session set begin_at = begin_at - interval '200 years', end_at = end_at - interval '200 years' where school_id = ${world.school_id} and session_id = ${own.session_id}`.execute(db))
  const { rows } = await tenant<unknown, { rows: { dept_id: string }[] }>(world, db => sql<{ dept_id: string }>`
    select c.dept_id::text as dept_id from exam_candidate c where c.school_id = ${world.school_id} and c.exam_id = ${own.exam_id} and c.user_id = ${own.user_id}`.execute(db))
  return { ...own, dept_id: rows[0]?.dept_id ?? '' }
}

/** The same where two people enter every score. */
async function doubled(world: World) {
  const own = await entered(world)
  await tenant<unknown, unknown>(world, db => sql`update exam set double_entry = true where school_id = ${world.school_id}
    and exam_id = ${own.exam_id} returning exam_id`.execute(db))
  return own
}

/** The same with every score entered. */
async function scored(world: World) {
  const own = await entered(world)
  const rows = await tenant<unknown, { rows: { user_id: string; dept_id: string }[] }>(world, db => sql<{ user_id: string; dept_id: string }>`
    select user_id::text as user_id, dept_id::text as dept_id from exam_candidate where school_id = ${world.school_id} and exam_id = ${own.exam_id}`.execute(db))
  const cells = rows.rows.map(({ user_id }) => ({ paper_id: own.paper_id, user_id, value: '100', version: 0 }))
  dataOf(scoreApi.cell, await world.app.call(scoreApi.cell, { exam_id: own.exam_id, cells }, { token: world.me.token }))
  return { ...own, dept_ids: [...new Set(rows.rows.map(row => row.dept_id))] }
}

/** The same with all tasks handed in. */
async function handedIn(world: World) {
  const own = await scored(world)
  const { exam_id, paper_id } = own
  for (const dept_id of own.dept_ids) await world.app.call(scoreApi.submit, { exam_id, paper_id, dept_id }, { token: world.me.token })
  return own
}

export async function reviewed(world: World) {
  const own = await handedIn(world)
  dataOf(resultApi.review, await world.app.call(resultApi.review, { exam_id: own.exam_id }, { token: world.me.token }))
  return own
}

export const release = { audiences: [1 as const], score_mode: 'score' as const, show_rank: 'none' as const }

export async function released(world: World) {
  const own = await reviewed(world)
  dataOf(resultApi.publish, await world.app.call(resultApi.publish, { exam_id: own.exam_id, ...release,
    recheck_token: await recheckOf(world) }, { token: world.me.token }))
  return own
}

/** An amendment that another person has asked for. */
async function amended(world: World): Promise<string> {
  const { exam_id, paper_id, user_id } = await released(world)
  const other = await world.app.as({ school_id: world.school_id, codes: 'all', places: 'all' })
  return dataOf(resultApi.amend, await world.app.call(resultApi.amend, { exam_id, paper_id, user_id, value: '90', reason }, { token: other.token })).amend_id
}

export const examsCalls: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ...buildersOf(examApi, {
    list: () => ({ input: {} }),
    export: () => ({ input: {} }),
    terms: () => ({ input: {} }),
    read: async world => ({ input: { exam_id: (await exam(world)).exam_id } }),
    add: async world => ({ input: await examDraft(world) }),
    update: async world => {
      const { exam_id, row_version, begin_date, end_date } = await exam(world)
      return { input: { exam_id, row_version, begin_date, end_date, exam_name: `改名${exam_id}`, exam_kind: '13' } }
    },
    remove: async world => ({ input: { exam_id: (await exam(world)).exam_id } }),
    copy: async world => {
      const { exam_id, begin_date } = await exam(world)
      return { input: { exam_id, exam_name: `副本${exam_id}`, begin_date } }
    },
    cancel: async world => ({ input: { exam_id: (await exam(world)).exam_id, reason } }),
    savePapers: async world => ({ input: { exam_id: (await exam(world)).exam_id, papers: [paperDraft()] } }),
    saveSessions: async world => {
      const { exam_id, session, session_id } = await sessioned(world)
      return { input: { exam_id, sessions: [{ ...session, session_id }] } }
    },
    suggest: async world => ({ input: { exam_id: (await sessioned(world)).exam_id } }),
  }),
  ...buildersOf(planApi, {
    candidates: async world => ({ input: { exam_id: (await roomed(world)).exam_id } }),
    refresh: async world => ({ input: { exam_id: (await sessioned(world)).exam_id, preview: false } }),
    renumber: async world => ({ input: { exam_id: (await roomed(world)).exam_id, scheme: 'random' as const } }),
    candidate: async world => {
      const { exam_id, user_id } = await roomed(world)
      return { input: { exam_id, user_id, front_row: true, extra_minutes: 0, state: 0 as const } }
    },
    rooms: async world => ({ input: { exam_id: (await roomed(world)).exam_id } }),
    places: async world => ({ input: { exam_id: (await roomed(world)).exam_id } }),
    saveRooms: async world => ({ input: { exam_id: (await sessioned(world)).exam_id, rooms: [roomDraft(await classroom(world))] } }),
    runSeats: async world => ({ input: { exam_id: (await roomed(world)).exam_id, seed: 1, mode: 'number' as const } }),
    seats: async world => { const { exam_id, session_id } = await seated(world); return { input: { exam_id, session_id } } },
    move: async world => {
      const { exam_id, session_id, user_id, room_id } = await seated(world)
      return { input: { exam_id, session_id, user_id, room_id, seat: 120, other_id: null } }
    },
    pin: async world => { const { exam_id, session_id, user_id } = await seated(world); return { input: { exam_id, session_id, user_id, pinned: true } } },
    runDuties: async world => { const { exam_id } = await seated(world); await teacher(world); return { input: { exam_id, seed: 1 } } },
    duties: async world => ({ input: { exam_id: (await seated(world)).exam_id } }),
    assign: async world => {
      const { exam_id, session_id, room_id } = await seated(world)
      return { input: { exam_id, session_id, room_id, role: 1 as const, user_id: null } }
    },
    sheets: async world => { const { exam_id, session_id } = await seated(world); return { input: { exam_id, session_id,
      dept_id: world.ids.dept ?? '' } } },
    publish: async world => ({ input: { exam_id: (await seated(world)).exam_id } }),
    recall: async world => ({ input: { exam_id: (await published(world)).exam_id, reason } }),
  }),
  ...buildersOf(scoreApi, {
    classes: async world => ({ input: { exam_id: (await roomed(world)).exam_id } }),
    grid: async world => { const { exam_id, dept_id } = await entered(world); return { input: { exam_id, dept_id } } },
    cell: async world => {
      const { exam_id, paper_id, user_id } = await entered(world)
      return { input: { exam_id, cells: [{ paper_id, user_id, value: '118.5', version: 0 }] } }
    },
    second: async world => { const { exam_id, dept_id } = await doubled(world); return { input: { exam_id, dept_id } } },
    secondCell: async world => {
      const { exam_id, paper_id, user_id } = await doubled(world)
      return { input: { exam_id, cells: [{ paper_id, user_id, value: '118.5' }] } }
    },
    differences: async world => { const { exam_id, dept_id } = await entered(world); return { input: { exam_id, dept_id } } },
    tasks: async world => ({ input: { exam_id: (await entered(world)).exam_id } }),
    submit: async world => { const { exam_id, paper_id, dept_id } = await scored(world); return { input: { exam_id, paper_id, dept_id } } },
    giveBack: async world => { const { exam_id, paper_id, dept_id } = await handedIn(world); return { input: { exam_id, paper_id, dept_id, reason } } },
  }),
  ...buildersOf(resultApi, {
    list: async world => { const { exam_id, dept_id } = await scored(world); return { input: { exam_id, dept_id } } },
    analysis: async world => ({ input: { exam_id: (await scored(world)).exam_id, grade: '43' } }),
    state: async world => ({ input: { exam_id: (await entered(world)).exam_id } }),
    review: async world => ({ input: { exam_id: (await handedIn(world)).exam_id } }),
    publish: async world => ({ input: { exam_id: (await reviewed(world)).exam_id, ...release, recheck_token: await recheckOf(world) } }),
    withdraw: async world => ({ input: { exam_id: (await released(world)).exam_id, reason } }),
    amends: async world => ({ input: { exam_id: (await released(world)).exam_id } }),
    amend: async world => {
      const { exam_id, paper_id, user_id } = await released(world)
      return { input: { exam_id, paper_id, user_id, value: '90', reason } }
    },
    decide: async world => ({ input: { amend_id: await amended(world), agreed: true } }),
    mine: async world => ({ input: { user_id: world.me.user_id } }),
  }),
])
