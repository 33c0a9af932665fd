import { subAppApi } from '@campus/identity/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer } from './answers.ts'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
const phone = { width: 390, height: 844 }
let server: ServerUnderTest
let browser: JourneyBrowser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  context = await browser.newContext(calm)
  ;({ page, faults } = await openPage(context))
  await signIn(page, server.url, 'admin01', password)
  await page.waitForURL('**/IconMenu')
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** Opens the hall from the console; the tab and everything it asked for before its session stood. */
async function openHall(act: () => Promise<void>): Promise<{ tab: Page; asked: string[] }> {
  const opened = context.waitForEvent('page')
  await act()
  const tab = await opened
  const asked: string[] = []
  tab.on('request', request => asked.push(new URL(request.url()).pathname))
  await tab.locator('[data-ready="hall"]').waitFor()
  return { tab, asked }
}

test('80-A2 the hall opens from the menu and the palette in a tab of its own with a clean address', async () => {
  const { tab, asked } = await openHall(() => page.getByRole('menuitem', { name: /办事大厅/ }).click())
  expect([new URL(tab.url()).pathname, new URL(tab.url()).search, await tab.evaluate('window.opener')]).toEqual(['/mini/hall/', '', null])
  const first_call = asked.findIndex(path => path.startsWith('/web/'))
  expect(asked[first_call]).toBe('/web/sub_app/verify')
  await tab.reload()
  await tab.locator('[data-ready="hall"]').waitFor()
  await tab.setViewportSize(phone)
  for (const name of ['首页', '服务目录', '消息', '我的']) {
    await tab.getByRole('navigation').getByRole('button', { name }).click()
    expect(await axeFindings(tab), name).toEqual([])
    expect(await tab.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), name).toBe(true)
  }
  await tab.getByRole('checkbox').check()
  await tab.close()
  await page.bringToFront()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('bsdt')
  const again = await openHall(() => page.keyboard.press('Enter'))
  await again.tab.close()
})

test('10-A19 a refused link leaves no window open, and the console says why', async () => {
  const opened: Page[] = []
  context.on('page', tab => opened.push(tab))
  const refused = '系统异常，请稍后重试'
  const relieve = await answer(page, subAppApi.link, () => JSON.stringify({ code: 422, msg: refused, data: null }))
  await page.getByRole('menuitem', { name: /办事大厅/ }).click()
  await page.getByText(refused).waitFor()
  await expect.poll(() => context.pages().length).toBe(1)
  expect(opened.map(tab => tab.isClosed())).toEqual([true])
  await relieve()
})

test('80-M2 the hall shows what the app roles show, and nothing else', async () => {
  await page.evaluate(`(async () => {
    const headers = { Authorization: localStorage.getItem('token'), 'content-type': 'application/json' }
    const sub_app = { sub_app_url: 'https://partner.example.cn/app/', token_url: null, sign_mode: 'hmac', frame_origins: [], entry_open: true }
    for (const module_code of ['park', 'dorm']) {
      const { data } = await (await fetch('/web/school_module', { headers })).json()
      const body = JSON.stringify({ nav_version: data.nav_version, module_code, enabled: true, valid_from: data.today, valid_to: null, sub_app })
      await fetch('/web/school_module', { method: 'PUT', headers, body })
    }
  })()`)
  const { tab } = await openHall(() => page.getByRole('menuitem', { name: /办事大厅/ }).click())
  await tab.getByRole('navigation').getByRole('button', { name: '服务目录' }).click()
  await tab.getByRole('button', { name: /停车管理/ }).waitFor()
  expect(await tab.getByRole('button', { name: /宿舍管理/ }).count()).toBe(0)
  await tab.close()
})

test('the help opens at the page’s article, finds by initials, moves and closes by keys', async () => {
  await page.getByRole('button', { name: 'AI 助手', exact: true }).click()
  const help = page.frameLocator('iframe[title="帮助内容"]')
  await help.getByRole('heading', { name: '应用中心' }).waitFor()
  await help.getByLabel('查找帮助').fill('xsjz')
  await help.getByRole('link', { name: '学生家长档案' }).click()
  await help.getByRole('heading', { name: '学生家长档案' }).waitFor()
  await picture(page, 'help')
  expect(await axeFindings(page, '.app-help-popup')).toEqual([])
  const popup = page.getByRole('dialog', { name: 'AI 助手' })
  const before = await popup.boundingBox()
  await popup.getByRole('button', { name: /移动/ }).press('ArrowLeft')
  expect((await popup.boundingBox())?.x).toBe((before?.x ?? 0) - 16)
  // The key closes the frame it is pressed in.
  await help.getByLabel('查找帮助').focus()
  await page.keyboard.press('Escape')
  await popup.waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})

test('the help is gone, button and all, when the school switches it off while it is open', async () => {
  await page.getByRole('button', { name: 'AI 助手', exact: true }).click()
  await page.getByRole('dialog', { name: 'AI 助手' }).waitFor()
  await page.evaluate(`(async () => {
    const headers = { Authorization: localStorage.getItem('token'), 'content-type': 'application/json' }
    const { data } = await (await fetch('/web/school/900001/config', { headers })).json()
    const body = JSON.stringify({ config_version: data.config_version, values: { open_ai_help: 0 } })
    await fetch('/web/supreme/school/900001/config', { method: 'PUT', headers, body })
  })()`)
  await page.getByRole('dialog', { name: 'AI 助手' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'AI 助手', exact: true }).waitFor({ state: 'detached' })
})

test('a parent enters by the phone and sees the children, then leaves', async () => {
  const own = await browser.newContext({ ...calm, viewport: phone })
  const entry = await own.newPage()
  await entry.goto(`${server.url}/mini/hall/900001`)
  await entry.getByLabel('账号').fill('jiazhang01')
  await entry.getByLabel('密码').fill(password)
  await entry.getByLabel('验证码', { exact: true }).fill('2222')
  await entry.getByAltText('验证码').waitFor()
  await entry.getByRole('button', { name: '登录', exact: true }).click()
  await entry.getByRole('region', { name: '我的孩子' }).getByText('监护人').first().waitFor()
  await entry.getByRole('navigation').getByRole('button', { name: '我的' }).click()
  await entry.getByRole('button', { name: '退出登录' }).click()
  await entry.getByRole('button', { name: '登录', exact: true }).waitFor()
  await entry.reload()
  await entry.getByLabel('账号').waitFor()
  await own.close()
})
