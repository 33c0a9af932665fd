import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { archiveFeedApi, changeApi, guardianLinkApi, parentApi, personApi, studentFileApi } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { changer, openSchool, stateHash } from '../testing/changer.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.student.edit', 'people.parent.view', 'people.parent.edit', 'people.change.view', 'people.change.undo', 'people.archive.view']
const day_ms = 86_400_000
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const idOf = async (keyword: string) => dataOf(parentApi.list, await app.call(parentApi.list, { keyword }, { token: clerk.token })).list[0]?.user_id ?? ''
const end = (student_user_id: string, parent_user_id: string, who = clerk) => app.call(guardianLinkApi.remove, { student_user_id, parent_user_id }, { token: who.token })
const file = async (id: string) => dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: clerk.token }))

test('20-A21 a link ends by a command of its own: the next guardian is first, the guardian stays, seven days take it back exactly', async () => {
  const [pupil = ''] = school.pupils
  const father = await idOf('王志强')
  const before = await stateHash(app, school_id)
  const { command_id, undo_until } = dataOf(guardianLinkApi.remove, await end(pupil, father))
  expect((await file(pupil)).parents.map(({ user_name, is_first }) => [user_name, is_first])).toEqual([['李秀芳', true]])
  expect(dataOf(parentApi.list, await app.call(parentApi.list, { keyword: '王志强' }, { token: clerk.token })).list[0]?.children.map(child => child.user_name)).toEqual(['王子轩'])
  const receipt = dataOf(changeApi.detail, await changer(app, clerk).detail(command_id))
  expect(receipt).toMatchObject({ kind: 'LINK', state: 'settled', undo_until, effects: [{ effect_code: 'links', title: '监护关系', state: 'done', undoable: true }] })
  expect(Math.round((Date.parse(undo_until) - app.clock.now().getTime()) / day_ms)).toBe(7)
  const feed = dataOf(archiveFeedApi.student, await app.call(archiveFeedApi.student, { user_id: pupil }, { token: clerk.token }))
  expect(feed.list[0]?.changes[0]).toMatchObject({ label: '家长', before: expect.stringContaining('王志强'), after: expect.not.stringContaining('王志强') })
  expect((await changer(app, clerk).undo(command_id)).status).toBe(200)
  expect(await stateHash(app, school_id)).toEqual(before)
})

test('20-A21 the last guardian of a pupil in primary school stays: 至少保留一名监护人', async () => {
  const refused = await end(school.pupils[2] ?? '', await idOf('单大山'))
  expect([refused.status, refused.body.msg]).toEqual([409, '至少保留一名监护人'])
})

test('20-A35 pupils beyond the scope and guardians of others are not found; an edit of the file since then meets the command', async () => {
  const [pupil = '', sister = ''] = school.pupils
  const [father, mother] = [await idOf('王志强'), await idOf('李秀芳')]
  const head = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
  expect((await end(pupil, father, head)).status).toBe(404)
  expect((await end(sister, mother)).status).toBe(404)
  expect((await end('999999', mother)).status).toBe(404)
  const { row_version } = await file(pupil)
  const { command_id } = dataOf(guardianLinkApi.remove, await end(pupil, mother))
  const stale = await app.call(studentFileApi.update, { user_id: pupil, row_version, remark: '走读' }, { token: clerk.token })
  expect([stale.status, stale.body.error_id]).toEqual([409, 'people.staleRow'])
  const again = await file(pupil)
  const back = { user_name: '李秀芳', mobile: '16900000002', relation: '52' }
  expect((await app.call(studentFileApi.update, { user_id: pupil, row_version: again.row_version, parents: [back] }, { token: clerk.token })).status).toBe(200)
  const blocked = await changer(app, clerk).undo(command_id)
  expect([blocked.status, blocked.body.error_id]).toEqual([409, 'people.undoBlocked'])
})
