import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { appRoleApi, loginApi, subAppApi } from '@campus/identity/contract'
import { moduleApi } from '@campus/school/contract'
import type { SubAppCode, SubAppDraft } from '@campus/school/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cookieOf, loggedIn, loginBody } from './testing/console-client.ts'
import { at, makePerson } from './testing/person.ts'
import { dataOf } from './testing/wire.ts'

const { a: school_id } = test_schools
const stale = [401, '链接已失效，请返回后重新打开']
const pointed: SubAppDraft = { sub_app_url: 'https://partner.example.cn/app/', token_url: null, sign_mode: 'hmac', frame_origins: [], entry_open: true }
let app: TestApp
let admin: TestUser
let me: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: 'all' })
  for (const code of ['repair', 'park', 'fee'] as const) await point(code)
})
beforeEach(async () => {
  me = await app.as({ school_id, codes: [] })
})
afterAll(() => app.close())

/** Lets a partner serve an application, so that the hall has something to lead to. */
async function point(module_code: SubAppCode): Promise<void> {
  const { nav_version, today } = dataOf(moduleApi.list, await app.call(moduleApi.list, {}, { token: admin.token }))
  const answer = await app.call(moduleApi.save, { nav_version, module_code, enabled: true, valid_from: today, valid_to: null, sub_app: pointed }, { token: admin.token })
  expect(answer.status).toBe(200)
}

const queryOf = (url: string) => url.slice(url.indexOf('?') + 1)
const linkOf = async (code: SubAppCode, token: string) => app.call(subAppApi.link, { code }, { token })
const tiles = async (token: string) => dataOf(subAppApi.manifest, await app.call(subAppApi.manifest, {}, { token })).apps.map(tile => tile.code)

/** Opens an application by a fresh link of the holder of a token. */
async function opened(code: SubAppCode, token: string) {
  const { url } = dataOf(subAppApi.link, await linkOf(code, token))
  const answer = await app.call(subAppApi.verify, { query: queryOf(url) })
  const told = dataOf(subAppApi.verify, answer)
  if (!('token' in told)) throw new Error('no session')
  return { token: told.token, cookie: cookieOf(answer, `mini_${code}`) }
}

/** What the role for the whole staff shows. */
async function show(kind: 'teacher' | 'parent', visible: readonly (readonly [SubAppCode, boolean])[], order = 50): Promise<void> {
  const { list } = dataOf(appRoleApi.list, await app.call(appRoleApi.list, { client_kind: kind }, { token: admin.token }))
  const modules = visible.map(([module_code, on]) => ({ module_code, visible: on, order }))
  const answer = await app.call(appRoleApi.bindModule, { role_id: at(list).role_id, modules }, { token: admin.token })
  expect(answer.status).toBe(200)
}

test('80-M2 the hall shows the tiles of the app roles that reach the person, in their order, and none that they hide', async () => {
  const hall = await opened('hall', me.token)
  expect(await tiles(hall.token)).toEqual(['leave', 'approve', 'pushMessage', 'cloudAttend', 'cloudStudentAttend', 'door', 'repair', 'fee', 'attendManage', 'evaluate', 'park'])
  await show('teacher', [['park', false]])
  await show('teacher', [['fee', true]], 0)
  expect(await tiles(hall.token)).toEqual(['fee', 'leave', 'approve', 'pushMessage', 'cloudAttend', 'cloudStudentAttend', 'door', 'repair', 'attendManage', 'evaluate'])
  await show('teacher', [['park', true], ['fee', true]])
})

test('80-M2 what the app roles hide opens neither from the hall nor by a link the hall gave before; the session of an open one is not renewed', async () => {
  const hall = await opened('hall', me.token)
  const before = dataOf(subAppApi.link, await linkOf('dorm', hall.token)).url
  const dorm = await opened('dorm', hall.token)
  const renew = () => app.call(subAppApi.refresh, { app: 'dorm' }, { headers: { cookie: dorm.cookie } })
  expect((await renew()).status).toBe(200)
  await show('teacher', [['dorm', false]])
  expect((await linkOf('dorm', hall.token)).status).toBe(403)
  for (const answer of [await app.call(subAppApi.verify, { query: queryOf(before) }), await renew()]) expect([answer.status, answer.body.msg]).toEqual(stale)
  expect((await linkOf('leave', hall.token)).status).toBe(200)
  await show('teacher', [['dorm', true]])
})

test('the console’s menu is the console’s: an app role neither gives nor takes what its role opens there', async () => {
  await show('teacher', [['repair', false]])
  expect((await linkOf('repair', me.token)).status).toBe(200)
  await show('teacher', [['repair', true]])
})

test('80-A2 a parent’s hall shows what parents are shown, whatever the staff is', async () => {
  const parent = await makePerson(app, { roles: [{ school_id, group_code: 'SYS005' }] })
  await loggedIn(app, parent)
  const reply = dataOf(loginApi.check, await app.call(loginApi.check, { ...(await loginBody(app, parent)), client: 'mini' }))
  const { id, code, user_id, user_dep } = at(reply.role_list)
  const entered = await app.call(loginApi.token, { role_no: id, code, user_id, user_dep, school_id, client: 'mini' }, { token: reply.token })
  const { token } = dataOf(subAppApi.refresh, await app.call(subAppApi.refresh, { app: 'hall' }, { headers: { cookie: cookieOf(entered, 'mini_hall') } }))
  expect(await tiles(token)).toEqual(['leave', 'approve', 'pushMessage', 'cloudStudentAttend', 'repair', 'fee', 'evaluate'])
  expect((await linkOf('park', token)).status).toBe(403)
  await show('parent', [['fee', false]])
  expect(await tiles(token)).toEqual(['leave', 'approve', 'pushMessage', 'cloudStudentAttend', 'repair', 'evaluate'])
})
