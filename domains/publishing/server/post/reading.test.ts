import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { noticeApi, readerApi } from '@campus/publishing/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClasses, sessionOf } from '../testing/school.ts'

const { a: school_id } = test_schools
let app: TestApp
let me: TestUser
let other: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>
let audience: { target_type: 1; target_id: string }[]

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all' })
  other = await app.as({ school_id, codes: 'all' })
  school = await makeClasses(app, school_id, '14')
  audience = [school.first.dept_id, school.second.dept_id].map(target_id => ({ target_type: 1, target_id }))
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })

async function draft(title: string): Promise<string> {
  const asked = { scene: 1, kind: '1' as const, title, content_html: '<p>请阅读</p>', audience }
  return dataOf(noticeApi.add, await app.call(noticeApi.add, asked, as())).id
}

async function sent(title: string): Promise<string> {
  const id = await draft(title)
  const preview = await app.call(noticeApi.preview, { scene: 1, kind: '1', audience }, as())
  const { audience_hash } = dataOf(noticeApi.preview, preview)
  dataOf(noticeApi.publish, await app.call(noticeApi.publish, { id, audience_hash }, as()))
  return id
}

const rowsOf = (id: string) =>
  app.running.database.tenant<unknown, string>(school_id, async db => {
    const { rows } = await sql<{ line: string }>`
      select user_id || ' ' || subject_user_id || ' ' || coalesce(read_at::text, '-') || ' ' || xmin as line from publishing_recipient
      where school_id = ${school_id} and post_id = ${id} order by user_id, subject_user_id`.execute(db)
    return rows.map(row => row.line).join()
  })

test('60-A2 everybody opens at once and more than once: exactly so many have read, none twice; opening again changes no row', async () => {
  const id = await sent('同时打开')
  const readers = [...school.mothers, school.father, ...school.first.pupils, ...school.second.pupils]
  const sessions = await Promise.all(readers.map(user_id => sessionOf(app, me, user_id)))
  const openAll = () => Promise.all([...sessions, ...sessions].map(token => app.call(readerApi.open, { id }, as(token))))
  expect((await openAll()).map(answer => answer.status).filter(status => status !== 200)).toEqual([])
  const { expected, read, unreachable } = dataOf(noticeApi.report, await app.call(noticeApi.report, { notice_id: id }, as()))
  // Six pupils and the five families that somebody is known of; the sixth family has no one who could read.
  expect([expected, read, unreachable]).toEqual([12, 11, 1])
  const before = await rowsOf(id)
  await openAll()
  expect(await rowsOf(id)).toBe(before)
})

test('60-A3 pages of a list and of an inbox leave nothing out and show nothing twice, also of what was sent in one moment', async () => {
  const ids: string[] = []
  for (let at = 0; at < 23; at += 1) ids.push(await sent(`通知${at}`))
  await app.running.database.tenant(school_id, db =>
    sql`update publishing_post set sent_at = ${app.clock.now()} where school_id = ${school_id} and state = 2`.execute(db),
  )
  const list = async (page_index: number) => dataOf(noticeApi.list, await app.call(noticeApi.list, { page_index, page_size: 20, keyword: '通知' }, as()))
  const [first, second] = [await list(1), await list(2)]
  expect([first.total, new Set([...first.list, ...second.list].map(row => row.id)).size]).toEqual([23, 23])
  const token = await sessionOf(app, me, school.mothers[0] ?? '')
  const seen: string[] = []
  for (let before: string | null | undefined; before !== null; ) {
    const page = dataOf(readerApi.inbox, await app.call(readerApi.inbox, before === undefined ? {} : { before }, as(token)))
    seen.push(...page.list.map(post => post.id))
    before = page.older
  }
  expect(seen.filter(id => ids.includes(id)).toSorted()).toEqual(ids.toSorted())
})

test('60-A8 of two who let through and refuse at once one decides and the other reads that it is done; the author decides nothing', async () => {
  const id = await draft('等待审核')
  await app.running.database.tenant(school_id, db =>
    sql`update publishing_post set state = 1 where school_id = ${school_id} and post_id = ${id}`.execute(db),
  )
  const decide = (pass: boolean, token: string) => app.call(noticeApi.approve, { id, pass, reason: '请核对' }, as(token))
  const own = await decide(true, me.token)
  expect([own.status, own.body.msg]).toEqual([422, '不能审核自己提交的通知'])
  const third = await app.as({ school_id, codes: 'all' })
  other = await app.as({ school_id, codes: 'all' })
  const answers = await Promise.all([decide(true, other.token), decide(false, third.token)])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  const [row] = dataOf(noticeApi.list, await app.call(noticeApi.list, { keyword: '等待审核' }, as())).list
  expect(row?.state).toBe(answers[0]?.status === 200 ? '2' : '6')
})
