import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { archiveFeedApi, asOfApi, studentFileApi, tagApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takenBack } from './as-of.service.ts'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const codes = ['people.archive.view', 'people.student.edit', 'people.tag.edit']
const day_ms = 86_400_000
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let head: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  clerk = await app.as({ school_id: 1001, codes })
  head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_2] })
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
}

async function edit(user_id: string, row_version: number, patch: Omit<Request<typeof studentFileApi.update>, 'user_id' | 'row_version'>): Promise<void> {
  const answer = await app.call(studentFileApi.update, { user_id, row_version, ...patch }, { token: clerk.token })
  expect(answer.status).toBe(200)
}

const feed = async (query: Request<typeof archiveFeedApi.student> = {}, who = clerk) => dataOf(archiveFeedApi.student, await app.call(archiveFeedApi.student, query, { token: who.token }))
const texts = (list: Awaited<ReturnType<typeof feed>>['list']) => list.map(row => `${row.user_name} ${row.changes.map(change => `${change.label}:${change.before ?? ''}→${change.after ?? ''}`).join(' ')}`)
const today = () => new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
const asOf = (id: string, on: string, who = clerk) => app.call(asOfApi.asOf, { id, on }, { token: who.token })

test('the feed tells what changed of whom, newest first, page by page without a gap', async () => {
  const [first = '', , third = ''] = school.pupils
  await edit(first, 1, { remark: '走读' })
  await edit(third, 1, { address: '幸福路18号3单元' })
  await edit(first, 2, { remark: '住校' })
  const { list } = await feed()
  expect(texts(list)).toEqual(['王子涵 备注:走读→住校', expect.stringMatching(/^单小明 现住址:→.*\*\*/), '王子涵 备注:→走读'])
  expect(JSON.stringify(list)).not.toContain('幸福路18号3单元')
  expect(list[0]).toMatchObject({ source: 'typed', user_no: '20260101', dept_name: '一年级1班' })
  const pages = []
  for (let cursor: string | undefined; ; ) {
    const page = await feed({ page_size: '20', ...(cursor ? { cursor } : {}) })
    pages.push(...page.list)
    if (page.older === null) break
    cursor = page.older
  }
  expect(pages.map(row => row.log_id)).toEqual(list.map(row => row.log_id))
  expect(texts((await feed({ field: 'address' })).list)).toEqual([expect.stringContaining('单小明')])
  expect((await feed({ person: '20260101' })).list).toHaveLength(2)
  expect((await feed({ source: 'import' })).list).toEqual([])
  expect((await feed({ to: '2026-01-01' })).list).toEqual([])
})

test('20-A35 who has one class sees its pupils’ changes alone; another school sees none', async () => {
  expect((await feed({}, head)).list.map(row => row.user_name)).toEqual(['单小明'])
  expect((await feed({}, await app.as({ school_id: 1002, codes }))).list).toEqual([])
  expect((await asOf(school.pupils[0] ?? '', today(), head)).status).toBe(404)
})

test('staff have a feed of their own', async () => {
  const [teacher = ''] = school.teachers
  const { id } = dataOf(tagApi.add, await app.call(tagApi.add, { tag_name: '骨干', color: 'gold', is_sensitive: false, person_kinds: [2] }, { token: clerk.token }))
  await app.call(tagApi.bind, { id, user_ids: [teacher] }, { token: clerk.token })
  const teachers = dataOf(archiveFeedApi.teacher, await app.call(archiveFeedApi.teacher, {}, { token: clerk.token }))
  expect(texts(teachers.list)).toEqual(['陈晓华 标签:→骨干'])
  expect((await feed()).list.map(row => row.user_name)).not.toContain('陈晓华')
})

test('the file of a past day: changed fields as they were, class and guardians of the day, and the look is in the log', async () => {
  const [first = ''] = school.pupils
  const before = today()
  app.clock.advance(2 * day_ms)
  // A token does not outlive two days.
  clerk = await app.as({ school_id: 1001, codes })
  await edit(first, 3, { remark: '借宿', nation: '02' })
  const then = dataOf(asOfApi.asOf, await asOf(first, before))
  expect(then).toMatchObject({ user_name: '王子涵', dept_name: '一年级1班', state: '01', guardians: [{ user_name: '王志强' }, { user_name: '李秀芳' }] })
  expect(then.fields.find(field => field.field === 'remark')).toEqual({ field: 'remark', label: '备注', value: '住校', changed: true })
  expect(then.fields.find(field => field.field === 'nation')?.changed).toBe(true)
  expect(then.fields.find(field => field.field === 'student_no')).toMatchObject({ value: '20260101', changed: false })
  expect(then.fields.find(field => field.field === 'id_no')?.value).toContain('****')
  const now = dataOf(asOfApi.asOf, await asOf(first, today()))
  expect(now.fields.filter(field => field.changed)).toEqual([])
  expect(now.fields.find(field => field.field === 'remark')?.value).toBe('借宿')
  expect((await asOf(first, '2027-12-31')).status).toBe(400)
})

test.each([
  ['nothing since', [], '甲', false],
  ['one change', [[{ field: 'remark', label: '备注', before: '乙', after: '甲' }]], '乙', true],
  ['two changes: the older one counts', [[{ field: 'remark', label: '备注', before: '乙', after: '甲' }], [{ field: 'remark', label: '备注', before: null, after: '乙' }]], '', true],
  ['there and back', [[{ field: 'remark', label: '备注', before: '乙', after: '甲' }], [{ field: 'remark', label: '备注', before: '甲', after: '乙' }]], '甲', false],
  ['another field', [[{ field: 'sex', label: '性别', before: '女', after: '男' }]], '甲', false],
])('taken back: %s', (_, newest_first, value, changed) => {
  expect(takenBack([{ field: 'remark', label: '备注', value: '甲', changed: false }], newest_first)).toEqual([{ field: 'remark', label: '备注', value, changed }])
})
