import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { semesterApi } from '@campus/calendar/contract'
import { defineRole, grantRole, setRolePermissions, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { choiceApi, electiveApi, offerApi } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { dataOf, send } from './client.ts'
import { openServer } from './opened-server.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const school_id = test_schools.a
const [pupils_count, offers_count, seats_each] = [2000, 20, 40] as const
/** Requests under way at once, and how many are confirmed when the server is killed. */
const [at_once, kill_after] = [100, 300] as const
const patience_ms = 900_000
const hour_ms = 3_600_000
type Handle = Parameters<typeof createDepts>[0]
type Pupil = { user_id: string; token: string }
type Seat = { student_id: string; offer_id: string }

let folder: string
let settings: Record<string, string>
let pupils: Pupil[]
let offers: string[]
let server: ServerProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-rush-'))
  settings = { CAMPUS_DATA_DIR: folder, CAMPUS_DURABLE: '1' }
  const app = await startTestApp({ settings })
  try {
    pupils = await enrol(app)
    offers = await openTask(app)
  } finally {
    await app.close()
  }
}, patience_ms)
afterAll(async () => {
  await endServer(server)
  await rm(folder, { recursive: true, force: true })
})

/** Pupils of one class, all signed in. */
async function enrol({ running, clock }: TestApp): Promise<Pupil[]> {
  const { app, database } = running
  const own: Own = (id, act) => database.tenant(id, act)
  const roles = await database.tenant(school_id, async (db: Handle) => {
    const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '高一', dept_type: 3, ...cohort }, { key: 'class', parent: 'grade', dept_name: '高一1班',
        dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01')
    const rows = Array.from({ length: pupils_count }, (_, at) => ({ user_name: `学生${at}`, student_no: `R${at}`, enrol_month: '202609',
      from: '2026-09-01', dept_id: depts.get('class') ?? '' }))
    const ids = await enrolStudents(db, app.secrets, school_id, rows)
    const role_id = await defineRole(db, school_id, { code: 'RUSH', name: '选课学生', group_code: 'SYS002' })
    await setRolePermissions(db, app, school_id, role_id, [])
    const numbers = await grantRole(db, school_id, ids.map(user_id => ({ role_id, user_id, valid_from: clock.now() })))
    return ids.map((user_id, at) => ({ user_id, role_no: numbers[at] ?? '' }))
  })
  const signed: Pupil[] = []
  for (const { user_id, role_no } of roles) {
    const { token } = await startSession({ app, now: clock.now(), own }, { school_id, user_id, role_no, device_label: '测试',
      ip: '127.0.0.1' })
    signed.push({ user_id, token })
  }
  return signed
}

/** A first-come task that is open. */
async function openTask(app: TestApp): Promise<string[]> {
  const { token } = await app.as({ school_id, codes: 'all', places: 'all' })
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01',
    end_date: '2027-01-29' }, { token })
  const at = (hours: number) => new Date(app.clock.now().getTime() + hours * hour_ms).toISOString()
  const draft = { semester_id: 20261, name: '校本选修', open_at: at(-1), close_at: at(9), grades: ['31' as const], max_pick: 1 }
  const { row } = dataOf(electiveApi.add, await app.call(electiveApi.add, draft, { token }))
  const made: string[] = []
  for (let n = 0; n < offers_count; n += 1) {
    made.push(dataOf(offerApi.add, await app.call(offerApi.add, { task_id: row.id, title: `课程${n}`, capacity: seats_each },
      { token })).offer.id)
  }
  dataOf(electiveApi.publish, await app.call(electiveApi.publish, { id: row.id }, { token }))
  return made
}

/** Lets pupils choose, some at a time, each the course of his number; `until` ends it early. @returns who was told that he has a seat */
async function rush(url: string, who: readonly Pupil[], until: (confirmed: number) => boolean = () =>
  false): Promise<{ confirmed: Seat[]; statuses: Set<number> }> {
  const confirmed: Seat[] = []
  const statuses = new Set<number>()
  const waiting = [...who.entries()]
  const one = async () => {
    for (let next = waiting.shift(); next && !until(confirmed.length); next = waiting.shift()) {
      const [at, { user_id, token }] = next
      const offer_id = offers[at % offers_count] ?? ''
      // A server that is killed answers nothing.
      const answer = await send(url, choiceApi.pick, { offer_id }, { token }).catch(() => null)
      if (answer === null) return
      statuses.add(answer.status)
      if (answer.status === 200) confirmed.push({ student_id: user_id, offer_id })
    }
  }
  await Promise.all(Array.from({ length: at_once }, one))
  return { confirmed, statuses }
}

const nameOf = ({ student_id, offer_id }: Seat) => `${student_id} ${offer_id}`

test('50-A18 2,000 pupils at 20 × 40 seats against a running server, killed in the middle: nothing is oversold and no confirmed seat is lost', async () => {
  server = await startServer(settings)
  const { url } = server
  const first = rush(url, pupils, confirmed => {
    if (confirmed >= kill_after) server?.signal('SIGKILL')
    return confirmed >= kill_after
  })
  const { confirmed: before } = await first
  await server.ended
  expect(before.length).toBeGreaterThanOrEqual(kill_after)
  server = await startServer(settings)
  const { confirmed: after, statuses } = await rush(server.url, pupils)
  expect([...statuses].filter(status => status !== 200 && status !== 409)).toEqual([])
  await endServer(server)
  const last = await openServer(settings)
  try {
    const { seats, taken } = await last.database.tenant<unknown, { seats: Seat[]; taken: number[] }>(school_id, async db => ({
      seats: (await sql<Seat>`select student_id::text as student_id, offer_id::text as offer_id from elective_seat where school_id = ${school_id} and state = 1`.execute(db)).rows,
      taken: (await sql<{ taken: number }>`select taken from elective_offer where school_id = ${school_id} order by id`.execute(db)).rows
        .map(row => row.taken),
    }))
    expect(taken).toEqual(Array.from({ length: offers_count }, () => seats_each))
    expect(seats.map(nameOf).toSorted()).toEqual(after.map(nameOf).toSorted())
    const held = new Set(seats.map(nameOf))
    expect(before.filter(seat => !held.has(nameOf(seat)))).toEqual([])
    expect(new Set(seats.map(seat => seat.student_id)).size).toBe(offers_count * seats_each)
  } finally {
    await last.close()
  }
}, patience_ms)
