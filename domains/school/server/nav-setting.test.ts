import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { moduleApi, navigationApi, navSettingApi } from '@campus/school/contract'
import type { ModuleLine, NavNodeSetting, NavTree } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { schoolDay } from './school-day.ts'

const { a: school_id, b: other_school } = test_schools
const day_ms = 86_400_000
const codes = ['school.nav.edit', 'people.student.view', 'people.dept.view', 'audit.system.view', 'insight.stat.view']

let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const plain = (nav_id: number, more: Partial<NavNodeSetting> = {}): NavNodeSetting => ({ nav_id, show_name: null, icon: null, order: null, hidden: false, ...more })
const days = (count: number) => schoolDay(new Date(app.clock.now().getTime() + count * day_ms))

async function tree({ token }: TestUser = admin): Promise<NavTree> {
  return dataOf(navSettingApi.read, await app.call(navSettingApi.read, {}, { token }))
}
async function save(nodes: NavNodeSetting[], nav_version?: number) {
  return app.call(navSettingApi.save, { nav_version: nav_version ?? (await tree()).nav_version, nodes }, { token: admin.token })
}
async function menu({ token, role_id }: TestUser = admin) {
  const { navs } = dataOf(navigationApi.list, await app.call(navigationApi.list, { type: '0', role_id, app_code: 'app_education_platform' }, { token }))
  return navs.find(({ code }) => code === 'cloud_navs')?.list ?? []
}
const shown = async (who?: TestUser) => (await menu(who)).filter(({ hidden }) => !hidden).flatMap(({ children }) => children.filter(({ hidden }) => !hidden).map(({ path }) => path))
async function module(module_code: string): Promise<ModuleLine | undefined> {
  return dataOf(moduleApi.list, await app.call(moduleApi.list, {}, { token: admin.token })).list.find(line => line.module_code === module_code)
}
type Change = Partial<Parameters<typeof app.call<typeof moduleApi.save>>[1]>
async function setModule(module_code: string, change: Change = {}) {
  const { nav_version } = await tree()
  return app.call(moduleApi.save, { nav_version, module_code, enabled: true, valid_from: days(0), valid_to: null, ...change }, { token: admin.token })
}
describe('the menu as the school wants it', () => {
  test('names, icons and places are its own, in this school alone, and go back by saying nothing', async () => {
    const clerk = await app.as({ school_id, codes: ['people.dept.view', 'people.student.view'] })
    const before = await menu(clerk)
    const archive = before.find(({ code }) => code === 'archive')
    const last = archive?.children.at(-1)
    expect((await save([plain(archive?.id ?? 0, { show_name: '人员' }), plain(last?.id ?? 0, { show_name: '首选', icon: 'StarOutlined', order: 0 })])).status).toBe(200)
    const after = (await menu(clerk)).find(({ code }) => code === 'archive')
    expect([after?.show_name, after?.name, after?.children[0]]).toEqual(['人员', '档案管理', { ...last, show_name: '首选', icon: 'StarOutlined', order: 0 }])
    const stranger = await app.as({ school_id: other_school, codes: ['people.dept.view', 'people.student.view'] })
    expect(await menu(stranger)).toEqual(before)
    expect((await save([])).status).toBe(200)
    expect(await menu(clerk)).toEqual(before)
  })

  test('what is as the product has it is not kept, and writes nothing', async () => {
    const { nav_version, groups } = await tree()
    const [first] = groups
    const answer = await save([plain(first?.nav_id ?? 0, { show_name: first?.name ?? '', order: first?.order ?? 0 })])
    expect(dataOf(navSettingApi.save, answer)).toEqual({ nav_version, groups })
  })

  test('10-A18 pages that are removed one by one leave the menu, and landing follows the priority in what is left', async () => {
    const page = async (path: string) => (await tree()).groups.flatMap(({ children }) => children).find(node => node.path === path)?.nav_id ?? 0
    expect(await shown()).toEqual(expect.arrayContaining(['/IconMenu', '/Organization', '/SystemLog']))
    await save([plain(await page('/IconMenu'), { hidden: true })])
    expect(await shown()).not.toContain('/IconMenu')
    await save([plain(await page('/IconMenu'), { hidden: true }), plain(await page('/Organization'), { hidden: true })])
    expect(await shown()).not.toContain('/Organization')
    expect((await menu()).flatMap(({ children }) => children).find(({ path }) => path === '/Organization')?.hidden).toBe(true)
    await save([])
    expect(await shown()).toContain('/Organization')
  })

  test('10-A18 whoever may open nothing has an empty menu whatever the school says', async () => {
    await save([plain(204, { show_name: '应用' })])
    expect(await menu(await app.as({ school_id, codes: [] }))).toEqual([])
    await save([])
  })

  test('the page of the settings cannot be hidden, nor its group; unknown nodes are not found', async () => {
    for (const nav_id of [301, 300]) expect((await save([plain(nav_id, { hidden: true })])).body.msg).toBe('该页面不能隐藏，否则无法再回到本页修改')
    expect((await save([plain(999_999)])).status).toBe(404)
    expect((await save([plain(204, { icon: 'NoSuchIcon' })])).status).toBe(400)
  })

  test('of two who save at once one is told, the first time and later', async () => {
    for (const name of ['一', '二']) {
      const { nav_version } = await tree()
      const both = await Promise.all([1, 2].map(no => save([plain(204, { show_name: `${name}${no}` })], nav_version)))
      expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
      expect(both.find(({ status }) => status === 409)?.body.msg).toBe('数据已被他人修改，请刷新后重试')
    }
    await save([])
  })
})

describe('modules with their dates', () => {
  test('10-A18 a module that is over takes its pages along', async () => {
    const close = (valid_to: string) => app.running.database.tenant(school_id, db =>
      sql`insert into school_module (school_id, module_code, valid_from, valid_to) values (${school_id}, 'system', '2020-01-01', ${valid_to}) on conflict (school_id, module_code, valid_from) do update set valid_to = excluded.valid_to`.execute(db))
    await close(days(1))
    expect(await shown()).toContain('/SystemLog')
    expect(await module('system')).toMatchObject({ state: 'open', days_left: 1 })
    await close(days(0))
    expect(await shown()).not.toContain('/SystemLog')
    await app.running.database.tenant(school_id, db => sql`delete from school_module where school_id = ${school_id}`.execute(db))
    expect(await shown()).toContain('/SystemLog')
  })

  test('a module switched off and on again keeps its history of today', async () => {
    expect(await module('service')).toMatchObject({ state: 'open', periods: [], sub_app: null })
    await setModule('service', { enabled: false })
    expect(await module('service')).toMatchObject({ state: 'off', periods: [{ valid_from: days(0), valid_to: null, enabled: false }] })
    await setModule('service', { valid_to: days(10) })
    expect(await module('service')).toMatchObject({ state: 'open', days_left: 10, periods: [{ valid_from: days(0), valid_to: days(10), enabled: true }] })
  })

  test('switching off later keeps it open until then; what was before stays as it was', async () => {
    await setModule('resource', { enabled: false, valid_from: days(5) })
    expect(await module('resource')).toMatchObject({
      state: 'open', days_left: 5, periods: [{ valid_from: days(0), valid_to: days(5), enabled: true }, { valid_from: days(5), valid_to: null, enabled: false }],
    })
    await setModule('resource', { valid_from: days(3), valid_to: days(100) })
    expect((await module('resource'))?.periods).toEqual([{ valid_from: days(0), valid_to: days(3), enabled: true }, { valid_from: days(3), valid_to: days(100), enabled: true }])
  })

  test('what the product cannot do without has no dates; days that have passed are not rewritten', async () => {
    for (const code of ['home', 'archive', 'role', 'system']) expect((await setModule(code, { enabled: false })).body.msg).toBe('该模块是使用系统的基础，不能停用或设置期限')
    expect((await setModule('resource', { valid_from: days(-1) })).body.msg).toBe('开始日期不能早于今天，已过去的时间段不能改写')
    expect((await setModule('resource', { valid_to: days(0) })).status).toBe(400)
    expect((await setModule('nothing')).status).toBe(404)
    const { nav_version } = await tree()
    expect((await setModule('resource', { nav_version: nav_version - 1 })).status).toBe(409)
  })

  test('a secret is written and never answered; it stays when nothing is said of it and goes when it is taken away', async () => {
    const sub_app = { sub_app_url: 'https://dorm.partner.example.cn/app', token_url: null, sign_mode: 'hmac' as const, frame_origins: ['https://portal.example.cn'], entry_open: true }
    const secret = 'a-very-secret-word'
    const answers = [await setModule('dorm', { sub_app: { ...sub_app, secret } }), await setModule('dorm', { sub_app })]
    expect((await module('dorm'))?.sub_app).toEqual({ ...sub_app, secret: '●●●●', built: false })
    expect(JSON.stringify(answers)).not.toContain(secret)
    const { rows } = await app.running.database.tenant(school_id, db => sql<{ text: string }>`select (select string_agg(m::text, '') from school_module m where school_id = ${school_id}) || (select string_agg(l::text, '') from operation_log l where school_id = ${school_id}) as text`.execute(db))
    expect(rows[0]?.text).not.toContain(secret)
    await setModule('dorm', { enabled: false })
    expect(await module('dorm')).toMatchObject({ state: 'off', sub_app: { sub_app_url: sub_app.sub_app_url, secret: '●●●●' } })
    await setModule('dorm', { sub_app: { ...sub_app, secret: null } })
    expect((await module('dorm'))?.sub_app?.secret).toBeNull()
    expect((await setModule('dorm', { sub_app: { ...sub_app, frame_origins: ['http://portal.example.cn'] } })).body.msg).toMatch(/^嵌入来源须以https/)
  })

  test('a sub-application of a partner stands in the menu while it is licensed and its entry is open', async () => {
    const entry = async () => (await shown()).includes('sub_app:repair')
    const sub_app = { sub_app_url: 'https://repair.partner.example.cn/', token_url: null, sign_mode: 'hmac' as const, frame_origins: [], entry_open: true }
    expect(await entry()).toBe(false)
    await setModule('repair', { sub_app })
    expect(await entry()).toBe(true)
    await setModule('repair', { sub_app: { ...sub_app, entry_open: false } })
    expect(await entry()).toBe(false)
    await setModule('repair', { enabled: false, sub_app })
    expect(await entry()).toBe(false)
  })

  test('an enterprise has no module of pupils', async () => {
    const boss = await app.as({ school_id: test_schools.enterprise, codes: ['school.nav.edit'] })
    const { list } = dataOf(moduleApi.list, await app.call(moduleApi.list, {}, { token: boss.token }))
    expect(list.map(({ module_code }) => module_code)).not.toContain('schoolBus')
    expect(list.find(({ module_code }) => module_code === 'service')?.title).toBe('企业服务')
  })
})
