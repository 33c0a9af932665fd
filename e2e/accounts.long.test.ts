import { loginApi, sessionApi } from '@campus/identity/contract'
import { readSheet } from '@kit/server/excel'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, lengthened, nothing, trouble } from './answers.ts'
import { calm, openBrowser, openDashboard, openPage, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'
import { desks, expectFocus, expectSound, press } from './sound.ts'

const password = 'Demo@Pass26'
const wait_ms = 15_000
const new_password = 'Rabbit#2026x'
const broken = '系统异常，请稍后重试'
const identities_title = '选择您要登录的身份角色'
const signs = { role_name: 20, device_label: 80 } as const
/** What an enterprise never reads (platform rule N5). */
const school_words = /学生|家长|班级|年级|教职工|学校|校园/

let server: ServerUnderTest
let browser: JourneyBrowser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const said = (sentence: string) => page.getByText(sentence).first().waitFor()
const stands = (ready = '') => page.locator(ready === '' ? '[data-ready]' : `[data-ready="${ready}"]`).first().waitFor()
const mainMenu = () => page.getByRole('navigation', { name: '主菜单' })
const accountMenu = () => page.getByRole('button', { name: /账号菜单/ })

async function openAs(account: string, role?: string): Promise<void> {
  context = await browser.newContext(calm)
  ;({ page, faults } = await openPage(context))
  page.setDefaultTimeout(wait_ms)
  await enter(page, account, role)
}

async function enter(on: Page, account: string, role?: string): Promise<void> {
  await signIn(on, server.url, account, password)
  if (role) await on.getByRole('dialog').getByText(role).first().click()
  if (role) await on.keyboard.press('Enter')
  await on.locator('[data-ready]').first().waitFor()
}

/** Walks the account menu by key to an entry. */
async function openDialog(item: string, title = item): Promise<Locator> {
  await accountMenu().focus()
  await press(page, 'Enter')
  const entry = page.getByRole('menuitem', { name: item })
  await entry.waitFor()
  await expect.poll(async () => {
    const is_there = await entry.evaluate(element => element.matches(':focus'))
    // The menu moves the focus a moment after the key.
    if (!is_there) await press(page, 'ArrowDown')
    return is_there
  }, { interval: 100, timeout: wait_ms }).toBe(true)
  await press(page, 'Enter')
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  return dialog
}

async function closes(dialog: Locator): Promise<void> {
  await press(page, 'Escape')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(accountMenu())
}

describe('an enterprise, by its own address', () => {
  beforeAll(async () => {
    context = await browser.newContext(calm)
    ;({ page, faults } = await openPage(context))
    page.setDefaultTimeout(wait_ms)
    await signIn(page, `${server.url}/900002`, 'yuangong01', password)
    await openDashboard(page)
  })
  afterAll(() => context?.close())

  test('10-A8 its menu, first page, rows and account menu speak of 员工 alone', async () => {
    expect((await mainMenu().innerText()).split('\n')).toEqual(['首页', '首页概览', '自定义看板', '应用中心', '办事大厅 ↗', '档案管理', '卡务管理', '设备与场所', '角色权限', '系统设置'])
    expect(await mainMenu().innerText()).not.toMatch(/学生|家长|学校/)
    await page.getByRole('region', { name: '各部门员工' }).waitFor()
    await expectSound(page, ...desks)
    await readsOfStaffAlone()
    await page.getByRole('main').getByRole('button', { name: /^员工260人/ }).click()
    const drawer = page.getByRole('dialog')
    await drawer.locator('tbody .ant-table-row').first().waitFor()
    expect(await drawer.innerText()).toContain('260')
    await readsOfStaffAlone()
    await press(page, 'Escape')
    await drawer.waitFor({ state: 'detached' })
    for (const item of ['修改密码', '登录设备', '关于']) {
      const dialog = await openDialog(item)
      await readsOfStaffAlone()
      await closes(dialog)
    }
    expect(faults).toEqual([])
  })

  test.each(['/ParentsRecord', '/Organization', '/ChangeRecord'])('%s, a page of schools, is no page of an enterprise', async path => {
    await page.goto(`${server.url}${path}`)
    await stands('not-found')
  })

  test('signing out leads back to its own address', async () => {
    await accountMenu().click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('heading', { name: '启明智造有限公司' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/900002')
  })

  async function readsOfStaffAlone(): Promise<void> {
    // The product's own name stays.
    const text = (await page.locator('body').innerText()).replaceAll('智慧校园', '')
    expect(text).toContain('员工')
    expect(text.match(school_words)).toBeNull()
  }
})

test('an auditor reads the two journals and nothing else', async () => {
  const own = await browser.newContext(calm)
  const { page: there, faults: heard } = await openPage(own)
  await signIn(there, server.url, 'shenji01', password)
  await there.getByRole('link', { name: '系统操作日志' }).first().click()
  await there.locator('[data-ready="list"]').waitFor()
  // The week of the demo: the current one may have begun this morning.
  await there.goto(`${server.url}/SystemLog?from=2026-11-16&to=2026-11-20`)
  await expect.poll(() => there.locator('tbody .ant-table-row').count()).toBe(20)
  await there.goto(`${server.url}/ParentsRecord`)
  await there.locator('[data-ready="forbidden"]').waitFor()
  expect(heard).toEqual([])
  await own.close()
})

test('10-A18 whose role has no module has nothing to open: 未配置功能模块, and no session stays', async () => {
  const own = await browser.newContext(calm)
  const { page: there } = await openPage(own)
  await signIn(there, server.url, 'kongcai01', password)
  await there.getByRole('alert').getByText('未配置功能模块').waitFor()
  expect(new URL(there.url()).pathname).toBe('/')
  expect(await there.evaluate(`localStorage.getItem('token')`)).toBeNull()
  await expectFocus(there.getByLabel('验证码', { exact: true }))
  await own.close()
})

describe('a class teacher who is head of the grade too', () => {
  beforeAll(() => openAs('duo01', '班主任'))
  afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
  afterAll(() => context?.close())

  test('10-A9 sees the own class alone: in figures, roll and tree; nothing to export, and the call is refused', async () => {
    await openDashboard(page)
    await page.getByRole('link', { name: /^在读学生47人/ }).click()
    await stands('list')
    await page.getByText(/共\s*47\s*条/).waitFor()
    const rows = await page.locator('tbody .ant-table-row').allInnerTexts()
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(row => !row.includes('七年级1班'))).toEqual([])
    expect(await page.getByRole('tree').innerText()).not.toMatch(/八年级|九年级|七年级2班/)
    for (const name of ['导出', '新增学生', '导入学生']) expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await exportStatus()).toBe(403)
    expect(faults.filter(fault => !fault.includes('403'))).toEqual([])
  })

  test('own password: wrong input, a slow and a broken server, the old one wrong', async () => {
    const dialog = await openDialog('修改密码')
    await dialog.getByLabel('旧密码').focus()
    await page.keyboard.type('Wrong#Pass1')
    await press(page, 'Enter')
    await said('输入内容有误，请重新输入！')
    await expectFocus(dialog.getByLabel('新密码'))
    await page.keyboard.type('abc')
    await said('请输入8-64位大小写字母、数字和特殊符号的任意三种组合')
    await expectSound(page, ...desks)
    await dialog.getByLabel('新密码').fill(new_password)
    await dialog.getByLabel('确认密码').fill(new_password)
    const slow = await trouble(page, sessionApi.modifyPassword, 'slow')
    await press(page, 'Enter')
    await dialog.locator('.ant-btn-loading').waitFor()
    await press(page, 'Escape')
    await expectSound(page, desks[0])
    await slow()
    await dialog.getByText('旧密码错误').waitFor()
    await expectFocus(dialog.getByLabel('旧密码'))
    const relieve = await trouble(page, sessionApi.modifyPassword, 'broken')
    await dialog.getByLabel('旧密码').fill(password)
    await press(page, 'Enter')
    await said(broken)
    await relieve()
    expect(await dialog.getByLabel('新密码').inputValue()).toBe(new_password)
    await closes(dialog)
  })

  test('devices: slow, broken, long, none; another one is signed out and the focus stays in the dialog', async () => {
    const other = await browser.newContext(calm)
    const elsewhere = (await openPage(other)).page
    await enter(elsewhere, 'duo01', '年级主任')
    await other.close()
    const failing = await trouble(page, sessionApi.mine, 'broken')
    const dialog = await openDialog('登录设备')
    await dialog.getByRole('alert').getByText(broken).waitFor()
    await expectSound(page, desks[0])
    await failing()
    const slow = await trouble(page, sessionApi.mine, 'slow')
    await dialog.getByRole('button', { name: /重\s*试/ }).focus()
    await press(page, 'Enter')
    await dialog.locator('.ant-spin-spinning').waitFor()
    expect(await dialog.getByText('暂无数据').count()).toBe(0)
    await slow()
    await dialog.getByText('本机').waitFor()
    const rows = await dialog.locator('tbody .ant-table-row').count()
    await dialog.getByRole('button', { name: /^下线 / }).first().focus()
    await press(page, 'Enter')
    const question = page.getByRole('dialog', { name: '确定让该设备下线吗？' })
    await question.getByRole('button', { name: '下线' }).focus()
    await press(page, 'Enter')
    await question.waitFor({ state: 'detached' })
    await dialog.locator('tbody .ant-table-row').nth(rows - 1).waitFor({ state: 'detached' })
    await expectFocus(dialog.getByRole('group', { name: '设备列表' }))
    await closes(dialog)
    await answer(page, sessionApi.mine, lengthened(signs))
    await closes(await soundDialog('登录设备'))
    await page.unrouteAll()
    await answer(page, sessionApi.mine, nothing)
    const empty = await openDialog('登录设备')
    await empty.getByText('暂无数据').waitFor()
    await closes(empty)
  })

  test('关于 tells product, version and school', async () => {
    const dialog = await soundDialog('关于')
    expect(await dialog.innerText()).toMatch(/智慧校园[^]*1\.4\.9[^]*启明实验学校/)
    await closes(dialog)
  })

  test.each([['/ChangeRecord', 'forbidden', '无权限查看'], ['/NoSuchPage', 'not-found', '抱歉，您访问的页面不存在']])('%s is %s, and one Tab from the content leads home', async (path, ready, sentence) => {
    await page.goto(`${server.url}${path}`)
    await stands(ready)
    await page.getByRole('heading', { name: sentence }).waitFor()
    await expectSound(page, ...desks)
    await page.getByRole('main').focus()
    await press(page, 'Tab')
    await expectFocus(page.getByRole('link', { name: '返回首页' }))
    await press(page, 'Enter')
    await stands('dashboard')
  })

  test('the password notice of a day before its end is closed by Enter, once a day', async () => {
    await page.route('**/*', async route => {
      if (route.request().resourceType() !== 'fetch') return route.continue()
      const response = await route.fetch().catch(() => undefined)
      if (response) await route.fulfill({ response, headers: { ...response.headers(), date: 'Mon, 30 Jun 2025 02:00:00 GMT' } }).catch(() => undefined)
    })
    await page.reload()
    const notice = page.getByRole('dialog', { name: '密码安全通知' })
    await expectFocus(notice.getByRole('button', { name: '我知道了' }))
    await expectSound(page, ...desks)
    await press(page, 'Enter')
    await notice.waitFor({ state: 'detached' })
    await expectFocus(page.getByRole('main'))
    await page.reload()
    await stands('dashboard')
    expect(await notice.count()).toBe(0)
  })

  test('10-A10 10-A31 the identity is switched by arrows and Enter, after a refusal too', async () => {
    await answer(page, sessionApi.roles, manyRoles)
    await page.reload()
    await stands()
    const many = await soundDialog('切换身份', identities_title)
    await many.getByLabel('搜索身份').fill('没有这个')
    await many.getByText('没有符合“没有这个”的身份').waitFor()
    await press(page, 'Enter')
    await said('请选择角色')
    await closes(many)
    await page.unrouteAll()
    await page.reload()
    await stands()
    const dialog = await openDialog('切换身份', identities_title)
    await dialog.getByRole('radio', { checked: true }).focus()
    const relieve = await trouble(page, loginApi.token, 'broken')
    await press(page, 'ArrowUp', 'Enter')
    await said(broken)
    await relieve()
    await dialog.getByRole('radio', { name: /年级主任/, checked: true }).focus()
    await press(page, 'Enter')
    await page.getByText('年级主任 · 启明实验学校').waitFor()
  })

  test('10-A9 as head of the grade the whole grade comes, and the sheet holds just it', async () => {
    await page.goto(`${server.url}/ParentsRecord`)
    await page.locator('tbody .ant-table-row').first().waitFor()
    const total = Number(/共\s*([\d,]+)\s*条/.exec(await page.getByRole('main').innerText())?.[1]?.replace(',', ''))
    expect(total).toBeGreaterThan(47)
    await page.getByRole('button', { name: '导出', exact: true }).click()
    await page.getByRole('dialog', { name: '导出学生' }).getByRole('button', { name: /导\s*出/ }).click()
    const waiting = page.waitForEvent('download')
    await page.getByRole('dialog', { name: '导出' }).getByRole('button', { name: /下\s*载/ }).click()
    const { rows } = await readSheet(await (await waiting).path())
    const grades = rows.map(row => row.cells.map(cell => cell.text)).filter(cells => cells.some(text => /^\d{9}$/.test(text)))
    expect(grades).toHaveLength(total)
    expect(grades.filter(cells => !cells.some(text => text.startsWith('七年级')))).toEqual([])
  })

  function exportStatus(): Promise<number> {
    return page.evaluate(`fetch('/api/v2/v4/userInfo/student/export', { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: localStorage.getItem('token') }, body: '{}' }).then(answer => answer.status)`)
  }

  async function soundDialog(item: string, title = item): Promise<Locator> {
    const dialog = await openDialog(item, title)
    await expectSound(page, ...desks)
    return dialog
  }
})

/** The identities of the account and nine more as long as they may be. */
function manyRoles(answered: string): string {
  const reply: { data: { list: object[] } } = JSON.parse(answered)
  const more = Array.from({ length: 9 }, (_, at) => ({ ...reply.data.list[0], id: String(900_000 + at), name: '长'.repeat(20), school_name: '长'.repeat(60), user_dep_name: '长'.repeat(60) }))
  reply.data.list.push(...more)
  return JSON.stringify(reply)
}
