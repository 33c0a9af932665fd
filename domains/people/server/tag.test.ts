import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { peopleErrors, studentApi, tagApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const codes = ['people.tag.edit', 'people.student.view']
const boarder = { tag_name: '特长生', color: 'blue', is_sensitive: false, person_kinds: [1] } satisfies Request<typeof tagApi.add>
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let keeper: TestUser
let head: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  clerk = await app.as({ school_id: 1001, codes })
  keeper = await app.as({ school_id: 1001, codes: [...codes, 'people.tag.sensitive'] })
  head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
}

const add = async (draft: Request<typeof tagApi.add>, who = clerk) => dataOf(tagApi.add, await app.call(tagApi.add, draft, { token: who.token })).id
const tags = async (who = clerk) => dataOf(tagApi.list, await app.call(tagApi.list, {}, { token: who.token })).list
const countOf = async (id: string, who = clerk) => (await tags(who)).find(tag => tag.id === id)?.count
const bind = (id: string, user_ids: string[], who = clerk) => app.call(tagApi.bind, { id, user_ids }, { token: who.token })
const unbind = (id: string, user_ids: string[], who = clerk) => app.call(tagApi.unbind, { id, user_ids }, { token: who.token })
const roll = async (query: Request<typeof studentApi.list> = {}, who = clerk) => dataOf(studentApi.list, await app.call(studentApi.list, query, { token: who.token })).list
const journalOf = (user_id: string) =>
  app.running.database.tenant<PeopleDb, { changes: unknown }[]>(1001, db => db.selectFrom('archive_log_v').select('changes').where('school_id', '=', 1001).where('person_id', '=', user_id).execute())

test('a tag is given and taken by hand; the roll shows it, finds by it, and every change stands in the archive', async () => {
  const [first = '', second = '', third = ''] = school.pupils
  const id = await add(boarder)
  expect(dataOf(tagApi.bind, await bind(id, [first, third])).changed).toBe(2)
  expect(dataOf(tagApi.bind, await bind(id, [first, second])).changed).toBe(1)
  expect(await countOf(id)).toBe(3)
  expect(dataOf(tagApi.unbind, await unbind(id, [third])).changed).toBe(1)
  expect(dataOf(tagApi.unbind, await unbind(id, [third])).changed).toBe(0)
  expect((await roll()).map(row => row.tags.map(tag => tag.tag_name))).toEqual([['特长生'], ['特长生'], []])
  expect((await roll({ tag_ids: id })).map(row => row.user_name)).toEqual(['王子涵', '王子轩'])
  expect((await journalOf(third)).map(row => row.changes)).toEqual([
    [{ field: 'tags', label: '标签', before: null, after: '特长生' }],
    [{ field: 'tags', label: '标签', before: '特长生', after: null }],
  ])
})

test('a rule finds whoever fits today, is counted before it is saved, and takes nobody by hand', async () => {
  const rule = { dept_id: school.class_1, sex: '2' }
  expect(dataOf(tagApi.preview, await app.call(tagApi.preview, { rule }, { token: clerk.token })).count).toBe(1)
  const id = await add({ ...boarder, tag_name: '一班女生', color: 'red', rule })
  expect(await countOf(id)).toBe(1)
  expect((await roll({ tag_ids: id })).map(row => row.user_name)).toEqual(['王子轩'])
  expect((await roll({ keyword: '王子轩' }))[0]?.tags.map(tag => tag.tag_name)).toContain('一班女生')
  const members = dataOf(tagApi.members, await app.call(tagApi.members, { id }, { token: clerk.token }))
  expect(members).toMatchObject({ total: 1, list: [{ user_name: '王子轩', user_no: '20260102', label: '一年级1班', tagged_on: null }] })
  expect((await bind(id, school.pupils)).body.msg).toBe(peopleErrors.tagByRule.msg)
  const empty = await app.call(tagApi.preview, { rule: {} }, { token: clerk.token })
  expect(empty.status).toBe(400)
})

test('20-A35 somebody with one class sees, gives and counts in that class alone', async () => {
  const [first = '', , third = ''] = school.pupils
  const id = await add({ ...boarder, tag_name: '校队' })
  expect(dataOf(tagApi.bind, await bind(id, [first, third])).changed).toBe(2)
  expect(await countOf(id, head)).toBe(1)
  expect((await bind(id, [third], head)).status).toBe(404)
  expect((await unbind(id, [third], head)).status).toBe(404)
  const members = dataOf(tagApi.members, await app.call(tagApi.members, { id }, { token: head.token }))
  expect(members.list.map(person => person.user_name)).toEqual(['王子涵'])
  const stranger = await app.as({ school_id: 1002, codes })
  expect((await bind(id, [first], stranger)).status).toBe(404)
  expect((await tags(stranger)).map(tag => tag.tag_name)).toEqual([])
})

test('a tag is for some kinds of people: others are refused, parents are seen through their children', async () => {
  const id = await add({ ...boarder, tag_name: '家委会', person_kinds: [3] })
  expect((await bind(id, school.pupils)).body.msg).toBe(peopleErrors.tagKind.msg)
  const parents = await app.running.database.tenant<PeopleDb, { user_id: string; user_name: string }[]>(1001, db => db.selectFrom('live_parent').select(['user_id', 'user_name']).where('school_id', '=', 1001).execute())
  const of = (name: string) => parents.find(parent => parent.user_name === name)?.user_id ?? ''
  expect(dataOf(tagApi.bind, await bind(id, [of('王志强')], head)).changed).toBe(1)
  expect((await bind(id, [of('单大山')], head)).status).toBe(404)
  const both = await app.call(tagApi.add, { ...boarder, tag_name: '错', person_kinds: [1, 2], rule: { sex: '1' } }, { token: clerk.token })
  expect(both.body.data).toMatchObject({ errors: [{ field: 'person_kinds', msg: '规则标签仅适用于学生' }] })
})

test('a sensitive tag is nobody’s business without its code: list, roll, filter, archive', async () => {
  const [, second = ''] = school.pupils
  expect((await app.call(tagApi.add, { ...boarder, tag_name: '心理关注', is_sensitive: true }, { token: clerk.token })).status).toBe(403)
  const id = await add({ ...boarder, tag_name: '心理关注', is_sensitive: true }, keeper)
  expect(dataOf(tagApi.bind, await bind(id, [second], keeper)).changed).toBe(1)
  expect((await roll({ tag_ids: id }, keeper)).map(row => row.user_name)).toEqual(['王子轩'])
  expect((await tags()).map(tag => tag.tag_name)).not.toContain('心理关注')
  expect(await roll({ tag_ids: id })).toEqual([])
  expect((await roll()).flatMap(row => row.tags.map(tag => tag.tag_name))).not.toContain('心理关注')
  expect((await bind(id, [second])).status).toBe(404)
  expect(JSON.stringify(await journalOf(second))).not.toContain('心理关注')
})

test('names are unique, an older edit is told, a used tag is archived rather than removed, and an archived one takes nobody', async () => {
  const [first = ''] = school.pupils
  const id = await add({ ...boarder, tag_name: '走读证' })
  expect((await app.call(tagApi.add, { ...boarder, tag_name: '走读证' }, { token: clerk.token })).body.msg).toBe(peopleErrors.tagNameTaken.msg)
  await bind(id, [first])
  expect((await app.call(tagApi.remove, { id }, { token: clerk.token })).body.msg).toBe(peopleErrors.tagInUse.msg)
  const saved = dataOf(tagApi.update, await app.call(tagApi.update, { id, row_version: 1, archived: true }, { token: clerk.token }))
  expect(saved.row_version).toBe(2)
  expect((await app.call(tagApi.update, { id, row_version: 1, color: 'gold' }, { token: clerk.token })).body.msg).toBe(peopleErrors.staleRow.msg)
  expect((await bind(id, [first])).body.msg).toBe(peopleErrors.tagArchived.msg)
  expect((await roll({ keyword: '王子涵' }))[0]?.tags.map(tag => tag.tag_name)).not.toContain('走读证')
  const fresh = await add({ ...boarder, tag_name: '没用过' })
  await app.call(tagApi.remove, { id: fresh }, { token: clerk.token })
  expect((await tags()).map(tag => tag.tag_name)).not.toContain('没用过')
})

test('tags are put in order', async () => {
  const before = (await tags()).filter(tag => !tag.archived).map(tag => tag.id)
  const order = before.toReversed()
  await app.call(tagApi.sort, { ids: order }, { token: clerk.token })
  expect((await tags()).filter(tag => !tag.archived).map(tag => tag.id)).toEqual(order)
})

test('the same people tagged twice at once get the tag once', async () => {
  const id = await add({ ...boarder, tag_name: '同时' })
  const answers = await Promise.all([bind(id, school.pupils), bind(id, school.pupils)])
  expect(answers.map(answer => dataOf(tagApi.bind, answer).changed).toSorted()).toEqual([0, 3])
  expect(await countOf(id)).toBe(3)
})
