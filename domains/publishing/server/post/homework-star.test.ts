import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { recordApi, starTypeApi } from '@campus/evaluation/contract'
import { noticeApi, readerApi } from '@campus/publishing/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClasses, sessionOf } from '../testing/school.ts'

const { a: school_id } = test_schools
let app: TestApp
let me: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>

async function at(moment: string): Promise<void> {
  app.clock.setTo(moment)
  me = await app.as({ school_id, codes: 'all' })
}
beforeAll(async () => {
  app = await startTestApp()
  await at('2026-11-11T10:00:00+08:00')
  school = await makeClasses(app, school_id)
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })

/** Homework of the first class, answered by its families, also late. */
async function homework(title: string, due_at: string): Promise<string> {
  const audience = [{ target_type: 1 as const, target_id: school.first.dept_id }]
  const asked = { scene: 1, kind: '3' as const, title, content_html: '<p>完成练习</p>', audience, subject: '13', est_minutes: 20 }
  const { id } = dataOf(noticeApi.add, await app.call(noticeApi.add, { ...asked, due_at, reply_kind: 4, receivers: 2, allow_late: true }, as()))
  const preview = await app.call(noticeApi.preview, { scene: 1, kind: '3', audience, receivers: 2 }, as())
  const { audience_hash } = dataOf(noticeApi.preview, preview)
  dataOf(noticeApi.publish, await app.call(noticeApi.publish, { id, audience_hash, override_reason: null }, as()))
  return id
}

/** The mother of one pupil of the first class hands in for him. */
async function handIn(id: string, nth: number, mother: string): Promise<void> {
  const subject_user_id = school.first.pupils[nth] ?? ''
  dataOf(readerApi.submit, await app.call(readerApi.submit, { id, subject_user_id, text: '完成' }, as(mother)))
}

const stars = async () =>
  dataOf(recordApi.page, await app.call(recordApi.page, {}, as())).list
    .map(one => `${one.subject_name} ${one.state} ${one.reason}`)
    .toSorted()
const recall = async (id: string) => dataOf(noticeApi.recall, await app.call(noticeApi.recall, { id, reason: '题目有误' }, as()))

test('55 rule 45: who handed in all homework of a week in time gets its star; a recalled homework gives and takes it', async () => {
  const superior_id = dataOf(starTypeApi.add, await app.call(starTypeApi.add, { star_name: '学习之星' }, as())).id
  dataOf(starTypeApi.add, await app.call(starTypeApi.add, { superior_id, star_name: '按时作业', auto_trigger: 'homework_week' }, as()))
  const sums = await homework('口算', '2026-11-12T20:00:00+08:00')
  const reading = await homework('阅读', '2026-11-13T20:00:00+08:00')
  const mothers = await Promise.all([0, 1].map(nth => sessionOf(app, me, school.mothers[nth] ?? '')))
  for (const nth of [0, 1]) await handIn(sums, nth, mothers[nth] ?? '')
  await handIn(reading, 0, mothers[0] ?? '')
  app.clock.setTo('2026-11-13T21:00:00+08:00')
  await handIn(reading, 2, await sessionOf(app, await app.as({ school_id, codes: 'all' }), school.mothers[2] ?? ''))
  const given = '2026-11-09 至 2026-11-15 作业全部按时提交'
  await at('2026-11-16T01:20:00+08:00')
  await expect.poll(stars, { timeout: 40_000 }).toEqual([`学生130 1 ${given}`])
  await recall(reading)
  await at('2026-11-16T08:00:00+08:00')
  await expect.poll(stars, { timeout: 40_000 }).toEqual([`学生130 1 ${given}`, `学生131 1 ${given}`])
  await recall(sums)
  await at('2026-11-16T12:00:00+08:00')
  await expect.poll(stars, { timeout: 40_000 }).toEqual([`学生130 4 ${given}`, `学生131 4 ${given}`])
})
