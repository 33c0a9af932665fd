import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { createDepts } from '@campus/people/server'
import { choiceApi, courseApi, electiveApi, offerApi, seatApi, sectioningApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const semester_id = 20261
const minute_ms = 60_000
const [pupils_count, offers_count, seats_each] = [40, 3, 8] as const
let app: TestApp
let me: TestUser
let pupils: TestUser[]

const as = (who: TestUser = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const rows = <T>(query: ReturnType<typeof sql<T>>) => app.running.database.tenant<unknown,
  T[]>(school_id, async db => (await query.execute(db)).rows)
const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * minute_ms).toISOString()
const nth = (n: number) => pupils[n] ?? me

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await app.call(semesterApi.add,
    { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as())
  pupils = []
  for (let n = 0; n < pupils_count; n += 1) pupils.push(await app.as({ school_id, codes: [] }))
  await enrol()
}, 120_000)
afterAll(() => app.close())

type Handle = Parameters<typeof createDepts>[0]

/** The signed-in people as pupils of one class, boys and girls by turns. */
async function enrol(): Promise<void> {
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  await app.running.database.tenant(school_id, async (db: Handle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '高一', dept_type: 3, ...cohort },
        { key: 'c1', parent: 'grade', dept_name: '高一1班', dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01')
    for (const [n, { user_id }] of pupils.entries()) {
      await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${user_id}, ${`学生${n}`}, 'xuesheng', 'xs', ${n % 2 === 0 ? '1' : '2'})`.execute(db)
      await sql`insert into student (school_id, user_id, student_no, enrol_month) values (${school_id}, ${user_id}, ${`S${1000 + n}`}, '202609')`.execute(db)
      await sql`insert into student_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${user_id}, '01', '2026-09-01', 'IN')`.execute(db)
      await sql`insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from) values (${school_id}, ${user_id}, ${depts.get('c1') ?? ''}, 'student', 4, '2026-09-01')`.execute(db)
    }
  })
}

type Draft = Partial<Parameters<typeof draftOf>[1]>
const draftOf = (name: string, more: { mode?: 1 | 2; kind?: 1 | 2; max_pick?: number; waitlist?: boolean; from?: number; to?: number }) => {
  const { from = -1, to = 60, ...rest } = more
  return { semester_id, name, open_at: at(from), close_at: at(to), grades: ['31' as const], max_pick: 1, ...rest }
}

/** A published task with its offers. */
async function published(name: string, more: Draft, offers: object[]): Promise<{ id: string; offers: string[] }> {
  const { row } = dataOf(electiveApi.add, await app.call(electiveApi.add, draftOf(name, more), as()))
  const ids: string[] = []
  for (const [n, offer] of offers.entries()) ids.push(dataOf(offerApi.add,
    await app.call(offerApi.add, { task_id: row.id, title: `${name}${n}`, capacity: seats_each, ...offer }, as())).offer.id)
  dataOf(electiveApi.publish, await app.call(electiveApi.publish, { id: row.id }, as()))
  return { id: row.id, offers: ids }
}
const pick = (who: TestUser, offer_id: string, headers: Record<string, string> = {}) => app.call(choiceApi.pick, { offer_id },
  { ...as(who), headers })
const offersOf = async (task_id: string) => dataOf(offerApi.list, await app.call(offerApi.list, { task_id }, as())).list
const seatsOf = (task_id: string) => rows(sql<{ student_id: string; offer_id: string; state: number }>`select student_id::text as student_id, offer_id::text as offer_id, state::int as state from elective_seat where school_id = ${school_id} and task_id = ${task_id}`)

test('50-A18 50-A19 a rush never oversells and loses nothing: every confirmed answer has its seat and no other, repeats change nothing',
  async () => {
  const { id, offers } = await published('抢课', {}, Array.from({ length: offers_count }, () => ({})))
  const asked = pupils.flatMap((pupil, n) => [0, 1].map(turn => ({ pupil, offer_id: offers[(n + turn) % offers_count] ?? '' })))
  const answers = await Promise.all(asked.map(async one => ({ ...one, answer: await pick(one.pupil, one.offer_id) })))
  const confirmed = answers.filter(one => one.answer.status === 200)
  expect(new Set(answers.map(one => one.answer.status))).toEqual(new Set([200, 409, 422]))
  const held = (await seatsOf(id)).filter(seat => seat.state === 1)
  expect(held.map(seat => `${seat.student_id} ${seat.offer_id}`).toSorted()).toEqual(confirmed
    .map(one => `${one.pupil.user_id} ${one.offer_id}`).toSorted())
  expect((await offersOf(id))
    .map(offer => [offer.taken, offer.capacity])).toEqual(Array.from({ length: offers_count }, () => [seats_each, seats_each]))
  expect(new Set(held.map(seat => seat.student_id)).size).toBe(held.length)
  const [first] = confirmed
  const again = await Promise.all(Array.from({ length: 5 },
    () => pick(first?.pupil ?? me, first?.offer_id ?? '', { 'Idempotency-Key': 'one-and-the-same-key' })))
  expect(again.map(answer => answer.status)).toEqual([200, 200, 200, 200, 200])
  expect((await offersOf(id)).map(offer => offer.taken)).toEqual([seats_each, seats_each, seats_each])
})

test('50-A20 50-A21 conditions, limits and the clock: a drop lets the first who waits in; before and after the times nothing is taken',
  async () => {
  const { id, offers: [small = '', girls = '', other = ''] } = await published('候补', { waitlist: true, max_pick: 1, to: 30 },
    [{ capacity: 1 }, { sex: '2' as const }, {}])
  expect(dataOf(choiceApi.pick, await pick(nth(0), small))).toMatchObject({ state: 1, left: 0 })
  expect(dataOf(choiceApi.pick, await pick(nth(1), small))).toMatchObject({ state: 3, wait_no: 1 })
  expect(dataOf(choiceApi.pick, await pick(nth(2), small))).toMatchObject({ state: 3, wait_no: 2 })
  expect(refusal(await pick(nth(0), girls)).slice(0, 2)).toEqual([422, 'elective.condition'])
  expect(refusal(await pick(nth(0), other))).toEqual([422, 'elective.limit', '最多选择1门，请先退选一门'])
  dataOf(choiceApi.pick, await pick(nth(1), other))
  dataOf(choiceApi.drop, await app.call(choiceApi.drop, { offer_id: small }, as(nth(0))))
  const states = (await seatsOf(id)).filter(seat => seat.offer_id === small)
  expect(states.map(seat => [pupils.findIndex(one => one.user_id === seat.student_id), seat.state])
    .toSorted()).toEqual([[0, 6], [1, 3], [2, 1]])
  expect((await offersOf(id)).find(offer => offer.id === small)).toMatchObject({ taken: 1, waitlisted: 1 })
  expect(refusal(await app.call(offerApi.update, { id: other, title: '改', capacity: 1, row_version: 99 }, as())).slice(0, 2)).toEqual([409,
    'elective.wrongState'])
  expect((await app.call(choiceApi.pick, { offer_id: small, student_id: nth(5).user_id }, as(nth(4)))).status).toBe(404)
  const later = await published('未开始', { from: 2, to: 4 }, [{}])
  expect(refusal(await pick(nth(6), later.offers[0] ?? '')).slice(0, 2)).toEqual([422, 'elective.notOpen'])
  app.clock.advance(2 * minute_ms)
  expect((await pick(nth(6), later.offers[0] ?? '')).status).toBe(200)
  app.clock.advance(2 * minute_ms)
  expect(refusal(await pick(nth(7), later.offers[0] ?? '')).slice(0, 2)).toEqual([422, 'elective.closed'])
})

test('seats kept for a sex are never oversold and come back with a drop; a lesson of the own class stands in the way', async () => {
  const quotas = [{ dim: 'sex' as const, value: '1', cap: 1 }]
  const { id, offers: [offer_id = ''] } = await published('名额', {}, [{ quotas }])
  const boys = pupils.filter((_, n) => n % 2 === 0).slice(0, 6)
  const answers = await Promise.all(boys.map(boy => pick(boy, offer_id)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
  expect(refusal(answers.find(answer => answer.status === 409) ?? (await pick(nth(0), offer_id)))).toEqual([409, 'elective.quotaFull',
    '该性别名额已满，请选择其他课程'])
  dataOf(choiceApi.pick, await pick(nth(1), offer_id))
  expect((await offersOf(id))[0]).toMatchObject({ taken: 2, quotas: [{ taken: 1, cap: 1 }] })
  const holder = boys[answers.findIndex(answer => answer.status === 200)] ?? me
  dataOf(choiceApi.drop, await app.call(choiceApi.drop, { offer_id }, as(holder)))
  dataOf(choiceApi.pick, await pick(boys.find(boy => boy !== holder) ?? me, offer_id))
  const smaller = { id: offer_id, title: '名额0', capacity: 8, quotas: [{ ...quotas[0], dim: 'sex' as const, value: '1', cap: 0 }], row_version: 1 }
  expect(refusal(await app.call(offerApi.update, smaller, as())).slice(0, 2)).toEqual([409, 'elective.hasSeats'])

  const sections = [{ name: '第1节', section_kind: 2, section: 1, begin: '08:00', end: '08:45' }]
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '高中作息', sections }, as()))
  await app.call(bellApi.switch,
    { bell_id: bell.id, grades: ['31'], week_flags: [true, true, true, true, true, false, false], from: '2026-11-20', to: null }, as())
  const { row: course } = dataOf(courseApi.add, await app.call(courseApi.add,
    { course_no: 'SX', course_name: '数学', subject: '14', grades: ['31'], course_type: '1', weekly: 1 }, as()))
  const [dept] = await rows(sql<{ id: string }>`select id::text as id from dept_now where school_id = ${school_id} and dept_name = '高一1班'`)
  const cells = [{ dept_id: dept?.id ?? '', course_id: course.id, weekly_odd: 1, weekly_even: 1, teacher_ids: [] }]
  dataOf(teachingApi.save, await app.call(teachingApi.save, { semester_id, cells }, as()))
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '高一课表', semester_id }, as()))
  const version_id = timetable.versions[0]?.id ?? ''
  await rows(sql`update lesson set weekday = 2, section = 1 where school_id = ${school_id} and version_id = ${version_id}`)
  dataOf(versionApi.publish, await app.call(versionApi.publish, { id: version_id, effective_on: '2026-11-23' }, as()))
  const timed = await published('撞课', {}, [{ slots: [{ weekday: 2, section: 1 }] }, { slots: [{ weekday: 3, section: 1 }] }])
  expect(refusal(await pick(nth(3), timed.offers[0] ?? ''))).toEqual([422, 'elective.homeClash', '与本班「数学（星期二第1节）」上课时间冲突'])
  dataOf(choiceApi.pick, await pick(nth(3), timed.offers[1] ?? ''))
})

test('50-A22 the lottery keeps the seed it committed to, is drawn once, explains itself and can be computed by anybody', async () => {
  const { id, offers } = await published('抽签', { mode: 2, to: 1 }, [{ capacity: 2 }, { capacity: 2 }])
  for (let n = 0; n < 6; n += 1) dataOf(choiceApi.wishes,
    await app.call(choiceApi.wishes, { task_id: id, offer_ids: n % 2 === 0 ? offers : offers.toReversed() }, as(nth(n))))
  expect(refusal(await pick(nth(0), offers[0] ?? '')).slice(0, 2)).toEqual([422, 'elective.byWish'])
  expect(refusal(await app.call(electiveApi.draw, { id }, as())).slice(0, 2)).toEqual([422, 'elective.notClosed'])
  const { row: before } = dataOf(electiveApi.read, await app.call(electiveApi.read, { id }, as()))
  expect([before.seed, before.seed_hash?.length]).toEqual([null, 64])
  app.clock.advance(minute_ms)
  expect(dataOf(electiveApi.draw, await app.call(electiveApi.draw, { id }, as()))).toMatchObject({ won: 4, lost: 2 })
  expect(refusal(await app.call(electiveApi.draw, { id }, as()))).toEqual([409, 'elective.drawn', '已抽签，不能再次抽签'])
  const proof = dataOf(choiceApi.verify, await app.call(choiceApi.verify, { code: before.proof_code ?? '' }))
  expect([proof.seed_hash, proof.is_right, proof.lines.length,
    proof.lines.every(line => line.tail.length === 4)]).toEqual([before.seed_hash, true, 6, true])
  expect((await app.call(choiceApi.verify, { code: `${before.proof_code ?? ''}x` })).status).toBe(404)
  const events = dataOf(seatApi.events, await app.call(seatApi.events, { task_id: id, student_id: nth(0).user_id }, as()))
  expect(events.explanation[0]).toMatch(/^第1志愿「抽签0」：报名3人，名额2，抽签序号\d，/u)
})

test('what was chosen becomes classes with rosters that walking timetables place; a pupil who is moved later moves there too', async () => {
  const { row: course } = dataOf(courseApi.add,
    await app.call(courseApi.add, { course_no: 'QJ', course_name: '器乐', subject: '13', grades: ['31'], course_type: '2', weekly: 1 }, as()))
  const { id, offers: [offer_id = ''] } = await published('校本', { to: 1 }, [{ course_id: course.id, slots: [{ weekday: 3, section: 8 }] }])
  for (const who of [nth(0), nth(1)]) dataOf(choiceApi.pick, await pick(who, offer_id))
  app.clock.advance(minute_ms)
  expect(refusal(await app.call(electiveApi.makeClasses, { id, from: '2026-12-01' }, as())).slice(0, 2)).toEqual([422,
    'elective.notAnnounced'])
  dataOf(electiveApi.announce, await app.call(electiveApi.announce, { id, from: '2026-12-01' }, as()))
  expect(dataOf(electiveApi.makeClasses, await app.call(electiveApi.makeClasses, { id, from: '2026-12-01' }, as()))).toEqual({ classes: 1,
    students: 2 })
  const move = { task_id: id, offer_id, reason: '课程调整' }
  dataOf(seatApi.remove, await app.call(seatApi.remove, { ...move, student_id: nth(0).user_id }, as()))
  dataOf(seatApi.assign, await app.call(seatApi.assign, { ...move, student_id: nth(2).user_id }, as()))
  const roster = await rows(sql<{ user_id: string }>`select user_id::text as user_id from teaching_class_member_v where school_id = ${school_id} and valid_to is null and class_id in (select class_id from elective_offer where school_id = ${school_id} and id = ${offer_id})`)
  expect(roster.map(one => one.user_id).toSorted()).toEqual([nth(1).user_id, nth(2).user_id].toSorted())
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '走班课表', kind: 2, semester_id }, as()))
  expect(timetable.versions[0]).toMatchObject({ placed: 0, unplaced: 1 })
  expect(dataOf(seatApi.list, await app.call(seatApi.list, { task_id: id }, as())).list.map(row => row.user_name)).toEqual(['学生1', '学生2'])
})

test('50-A23 three of six subjects: twelve combinations and no other; the announced choice is the pupil’s from its day', async () => {
  const { row } = dataOf(electiveApi.add, await app.call(electiveApi.add, draftOf('选科', { kind: 1, to: 1 }), as()))
  const bad = await app.call(offerApi.add, { task_id: row.id, title: '物理+化学+化学', combo: '16,17,17', capacity: 9 }, as())
  expect(refusal(bad)).toEqual([422, 'elective.badCombo', '首选须为物理或历史，再选须为两门不同科目'])
  expect((await app.call(offerApi.add, { task_id: row.id, title: '物理+历史', combo: '16,21,17', capacity: 9 }, as())).status).toBe(422)
  expect(dataOf(offerApi.combos, await app.call(offerApi.combos, { task_id: row.id, capacity: 30 }, as()))).toEqual({ made: 12 })
  dataOf(electiveApi.publish, await app.call(electiveApi.publish, { id: row.id }, as()))
  const [first] = await offersOf(row.id)
  dataOf(choiceApi.pick, await pick(nth(0), first?.id ?? ''))
  expect(dataOf(seatApi.missing, await app.call(seatApi.missing, { task_id: row.id }, as())).total).toBe(pupils_count - 1)
  app.clock.advance(minute_ms)
  dataOf(electiveApi.announce, await app.call(electiveApi.announce, { id: row.id, from: '2026-11-01' }, as()))
  const { counts, list } = dataOf(seatApi.combos, await app.call(seatApi.combos, {}, as()))
  expect([counts.length, list.map(one => one.combo_name)]).toEqual([12, [first?.title]])
  expect((await app.call(seatApi.saveCombo, { student_id: nth(0).user_id, combo: '16,21,17', from: '2026-12-01', reason: '改选' },
    as())).status).toBe(422)
})

test('50-A24 a grade is divided by a job; the accepted plan becomes classes with rosters, a late pupil comes in, and all of it is taken back',
  async () => {
  const asked = { semester_id, grade: '31' as const }
  const course = (subject: string, no: string) => app.call(courseApi.add,
    { course_no: no, course_name: `科目${subject}`, subject, grades: ['31'], course_type: '3', weekly: 3, walking: true }, as())
  for (const subject of ['17', '18', '12', '20']) await course(subject, `ZB${subject}`)
  const combo = async (from: number, to: number) => {
    for (const [n, { user_id }] of pupils.slice(from, to).entries()) {
      await rows(sql`insert into student_combo (school_id, student_id, first, second, valid_from) values (${school_id}, ${user_id}, '16', ${n % 2 === 0 ? ['17', '18'] : ['12', '20']}::varchar[], '2026-09-01') on conflict do nothing`)
    }
  }
  await rows(sql`delete from student_combo where school_id = ${school_id}`)
  expect(refusal(await app.call(sectioningApi.start, asked, as())).slice(0, 2)).toEqual([422, 'sectioning.noPupils'])
  await combo(0, 39)
  const latest = async () => dataOf(sectioningApi.latest, await app.call(sectioningApi.latest, asked, as())).run
  const divide = async (more: object) => {
    dataOf(sectioningApi.start, await app.call(sectioningApi.start, { ...asked, min: 5, max: 12, rooms: 4, ...more }, as()))
    await expect.poll(async () => (await latest())?.state, { timeout: 60_000 }).toBe('ready')
    return latest()
  }
  const run = await divide({})
  expect(run?.plans[0]).toMatchObject({ served: 39, under: 0, moved: 0 })
  expect(run?.plans[0]?.unserved.map(one => one.reason)).toEqual(['没有选科结果'])
  const apply = (id = '') => app.call(sectioningApi.apply, { id, plan_no: 0, from: '2026-12-10' }, as())
  expect(dataOf(sectioningApi.apply, await apply(run?.id))).toEqual({ classes: run?.plans[0]?.classes.length, students: 39 })
  expect(refusal(await apply(run?.id)).slice(0, 2)).toEqual([409, 'sectioning.notReady'])
  await combo(39, 40)
  const more = await divide({ keep: true })
  expect(more?.plans[0]).toMatchObject({ served: 40, unserved: [] })
  expect(dataOf(sectioningApi.apply, await apply(more?.id))).toMatchObject({ classes: 0 })
  expect(refusal(await app.call(sectioningApi.undo, { id: run?.id ?? '' }, as())).slice(0, 2)).toEqual([409, 'sectioning.inUse'])
  for (const id of [more?.id, run?.id]) dataOf(sectioningApi.undo, await app.call(sectioningApi.undo, { id: id ?? '' }, as()))
  expect(await rows(sql`select id from teaching_class where school_id = ${school_id} and kind = 2`)).toEqual([])
})
