import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { mergeRunApi, personApi, studentFileApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool, pupilsIn } from '../testing/changer.ts'
import { merger } from '../testing/merger.ts'

const codes = ['people.merge.run', 'people.student.view', 'people.student.edit']

let app: TestApp
let school: SmallSchool
let clerk: TestUser
let own: ReturnType<typeof merger>

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  clerk = await app.as({ school_id: 1001, codes })
  own = merger(app, clerk)
})
afterAll(() => app.close())

const remarkOf = (user_id: string) => app.running.database.tenant<unknown, string | null>(1001, async db => (await sql<{ remark: string | null }>`select remark from student where user_id = ${user_id}`.execute(db)).rows[0]?.remark ?? null)

test.each([
  ['keep', 'the merge first'], ['keep', 'the edit first'], ['drop', 'the merge first'], ['drop', 'the edit first'],
] as const)('20-A22 the file of the one to %s is edited while two are merged, %s: one of both happens, and nothing that was saved is lost', async (edited, order) => {
  const [keep = '', drop = ''] = await pupilsIn(app, 1001, school.class_1, [`${edited}${order}1`, `${edited}${order}2`].map(text => text.replaceAll(' ', '')))
  const pair = { keep, drop }
  const chosen = { 'people.class': 'keep', user_name: 'keep', student_no: 'keep' } as const
  const { plan_hash } = await own.planned(pair)
  const { row_version } = dataOf(personApi.detail, await app.call(personApi.detail, { id: pair[edited] }, { token: clerk.token }))
  const recheck_token = await own.proof()
  const merge = () => app.call(mergeRunApi.student, { ...pair, plan_hash, chosen, recheck_token }, { token: clerk.token })
  const edit = () => app.call(studentFileApi.update, { user_id: pair[edited], row_version, remark: '走读' }, { token: clerk.token })
  const both = order === 'the merge first' ? [merge(), edit()] : [edit(), merge()]
  const [first, second] = await Promise.all(both)
  const [merged, saved] = order === 'the merge first' ? [first, second] : [second, first]
  const is_merged = merged?.status === 200
  const refused = is_merged ? saved : merged
  const why = !is_merged ? 'people.planChanged' : edited === 'keep' ? 'people.staleRow' : 'common.notFound'
  expect([is_merged ? 200 : saved?.status, refused?.body.error_id]).toEqual([200, why])
  expect(await remarkOf(is_merged ? keep : pair[edited])).toBe(is_merged ? null : '走读')
})
