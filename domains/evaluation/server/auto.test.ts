import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { committeeApi, recordApi, starTypeApi } from '@campus/evaluation/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awardWeek } from './auto.service.ts'
import type { EvaluationDb } from './db.ts'

const { a: school_id } = test_schools
const monday = '2026-11-09'
type PeopleHandle = Parameters<typeof createDepts>[0]
let app: TestApp
let me: TestUser
let pupils: string[]

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-16T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  pupils = await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01')
    const drafts = ['全勤', '迟到', '待核实', '请假'].map((user_name, at) => ({
      user_name, student_no: `S${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01',
    }))
    return enrolStudents(db, app.running.app.secrets, school_id, drafts)
  })
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
const run = (query: ReturnType<typeof sql>) => app.running.database.tenant<unknown, unknown>(school_id, db => query.execute(db))
const result = (at: number, state: number) => run(sql`
  insert into attend_result (school_id, lesson_date, occurrence_id, user_id, expect_kind, person_kind, section, state)
  values (${school_id}, '2026-11-11', ${1000 + state}, ${pupils[at] ?? ''}, 1, 1, 1, ${state}) returning user_id`)
const award = () =>
  app.running.database.tenant<unknown, { given: number; revoked: number }>(school_id, db =>
    awardWeek({ app: app.running.app, db: asTables<EvaluationDb>(db), school_id, now: app.clock.now() }, monday))
const records = async () => dataOf(recordApi.page, await app.call(recordApi.page, {}, as())).list.map(one => [one.subject_name,
  one.source, one.state]).toSorted()

test('55 rule 45: a whole week gives its star once; a corrected result takes it away and gives it to others; families hear of it',
  async () => {
  const superior_id = dataOf(starTypeApi.add, await app.call(starTypeApi.add, { star_name: '守纪之星' }, as())).id
  expect((await app.call(starTypeApi.add, { star_name: '维度', auto_trigger: 'attend_week' },
    as())).body.error_id).toBe('evaluation.autoRule')
  dataOf(starTypeApi.add, await app.call(starTypeApi.add, { superior_id, star_name: '全勤', auto_trigger: 'attend_week' }, as()))
  for (const [at, state] of [[0, 1], [1, 1], [1, 2], [2, 1], [2, 10], [3, 5]] as const) await result(at, state)
  expect([await award(), await award()]).toEqual([{ given: 1, revoked: 0 }, { given: 0, revoked: 0 }])
  expect(await records()).toEqual([['全勤', 3, 1]])
  await run(sql`update attend_result set state = 4 where school_id = ${school_id} and user_id = ${pupils[0] ?? ''} returning user_id`)
  await run(sql`update attend_result set state = 7 where school_id = ${school_id} and user_id = ${pupils[1] ?? ''}
    and state = 2 returning user_id`)
  expect(await award()).toEqual({ given: 1, revoked: 1 })
  expect(await records()).toEqual([['全勤', 3, 4], ['迟到', 3, 1]])
  const messages = await app.running.database.tenant<unknown, { title: string }[]>(school_id, async db =>
    (await sql<{ title: string }>`select title from message where school_id = ${school_id} order by message_id`.execute(db)).rows)
  expect(messages.map(one => one.title)).toEqual(['新的评价：全勤 +1', '新的评价：全勤 +1'])
})

test('55-A33 how many may hold a post is the setting of the school', async () => {
  const [one = '', two = ''] = pupils
  const { list } = dataOf(committeeApi.classes, await app.call(committeeApi.classes, {}, as()))
  const dept_id = list[0]?.dept_id ?? ''
  const save = () => app.call(committeeApi.save, { dept_id, from: '2026-11-16', row_version: 0, posts: [{ post_code: '1', user_id: one },
    { post_code: '1', user_id: two }] }, as())
  dataOf(committeeApi.setLimits, await app.call(committeeApi.setLimits, { limits: { 1: 1 }, row_version: 0 }, as()))
  expect((await save()).body.msg).toBe('班长最多1人')
  expect((await app.call(committeeApi.setLimits, { limits: { 1: 2 }, row_version: 0 }, as())).status).toBe(409)
  dataOf(committeeApi.setLimits, await app.call(committeeApi.setLimits, { limits: { 1: 2 }, row_version: 1 }, as()))
  expect((await save()).status).toBe(200)
})
