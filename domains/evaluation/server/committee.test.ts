import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { committeeApi } from '@campus/evaluation/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluationConsumers } from './person.follow.ts'

const { a: school_id } = test_schools
type PeopleHandle = Parameters<typeof createDepts>[0]
let app: TestApp
let me: TestUser
let dept_id: string
let pupils: string[]

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(
      db,
      school_id,
      [
        { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
        { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      ],
      '2026-09-01',
    )
    dept_id = ids.get('class') ?? ''
    pupils = await enrolStudents(
      db,
      app.running.app.secrets,
      school_id,
      Array.from({ length: 6 }, (_, at) => ({
        user_name: `学生${at}`,
        student_no: `S${at}`,
        sex: '1',
        enrol_month: '202409',
        dept_id,
        from: '2026-09-01',
      })),
    )
  })
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const monitors = (...at: number[]) => at.map(place => ({ post_code: '1', user_id: pupils[place] ?? '' }))
const save = (from: string, row_version: number, posts: { post_code: string; user_id: string }[]) =>
  app.call(committeeApi.save, { dept_id, from, row_version, posts }, as())
const holders = async (on: string) =>
  dataOf(committeeApi.list, await app.call(committeeApi.list, { dept_id, on }, as())).list.map(one => one.user_name)

test('55-A33 a third 班长 is one too many, also by two saves at once; a page of an old day shows the old holders', async () => {
  expect(refusal(await save('2026-09-07', 0, monitors(0, 1, 2)))).toEqual([409, 'evaluation.committeeFull', '班长最多2人'])
  const both = await Promise.all([save('2026-09-07', 0, monitors(0, 1)), save('2026-09-07', 0, monitors(1, 2))])
  expect(both.map(answer => answer.status).toSorted()).toEqual([200, 409])
  const first = await holders('2026-09-08')
  expect(first).toHaveLength(2)
  expect((await save('2026-10-12', 1, monitors(3))).status).toBe(200)
  expect([await holders('2026-10-11'), await holders('2026-10-12')]).toEqual([first, ['学生3']])
  expect(refusal(await save('2026-08-01', 2, monitors(3)))).toEqual([422, 'evaluation.committeeNotInClass', '学生3在该日期不属于本班'])
  expect(refusal(await save('2026-10-12', 1, []))[1]).toBe('evaluation.stale')
})

test('55-A33 posts of somebody who left end with his command; the page of an old day keeps them', async () => {
  const [consumer] = evaluationConsumers
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    await sql`update dept_member set valid_to = current_date where school_id = ${school_id} and user_id = ${pupils[3] ?? ''}`.execute(db)
    return consumer?.handle({ app: app.running.app, db, school_id, now: app.clock.now() }, [{ user_ids: [pupils[3] ?? ''] }])
  })
  const tomorrow = new Date(app.clock.now().getTime() + 32 * 3_600_000).toISOString().slice(0, 10)
  expect([await holders('2026-10-12'), await holders(tomorrow)]).toEqual([['学生3'], []])
})
