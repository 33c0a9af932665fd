import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const school_id = 900001
/** Each shape with an account that enters by it; the first is signed in when the second comes. */
const ways = [['A', 'shenji01'], ['B', 'admin01'], ['C', 'shenji01'], ['D', 'admin01']] as const

/** Runs in the page before anything else: notes what stands in the address bar from the first paint on. */
const note_paints = `new PerformanceObserver(() => {
  const note = () => {
    if (location.search !== '') sessionStorage.setItem('painted', (sessionStorage.getItem('painted') ?? '') + location.search + '\\n')
  }
  note()
  setInterval(note, 20)
}).observe({ type: 'paint', buffered: true })`

let server: { url: string }
let browser: JourneyBrowser
let context: BrowserContext
let page: Page
let faults: string[]

beforeAll(async () => {
  server = sharedServer()
  browser = await openBrowser()
  context = await browser.newContext()
  await context.addInitScript(note_paints)
  ;({ page, faults } = await openPage(context))
})
afterAll(() => browser?.close())

test('10-A17 all four automatic sign-ins by the test provider, on the real pages', async () => {
  await page.goto(`${server.url}/${school_id}`)
  await page.getByRole('heading', { name: '其他登录方式' }).waitFor()
  await picture(page, 'provider-login-page')
  expect(await axeFindings(page)).toEqual([])
  for (const [place, [shape, account]] of ways.entries()) {
    await page.goto(`${server.url}/${school_id}`)
    await page.getByRole('heading', { name: '其他登录方式' }).waitFor()
    await page.getByRole('link', { name: `演示登录${shape}` }).click()
    const accounts = page.getByRole('dialog', { name: `演示登录 · 方式${shape}` })
    await accounts.waitFor()
    if (place === 0) await picture(page, 'provider-test-accounts')
    await accounts.getByRole('button', { name: account }).click()
    if (place > 0) {
      await page.getByText(`是否切换为新的账号？`).waitFor()
      if (place === 1) await picture(page, 'provider-switch')
      await page.getByRole('button', { name: '切换', exact: true }).click()
    }
    await page.waitForURL(url => /^\/[A-Z]/.test(url.pathname))
    expect(await painted(page)).toEqual([])
  }
  expect(faults).toEqual([])
})

test('登录方式: a test with its steps, off, on the login page the sentence', async () => {
  await page.goto(`${server.url}/SchoolRecord?tab=providers`)
  await page.locator('[data-ready="providers"]').waitFor()
  await picture(page, 'provider-tab')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '测试登录 演示登录B 方式B' }).click()
  const [opened] = await Promise.all([context.waitForEvent('page'), page.getByRole('button', { name: '前往演示登录' }).click()])
  await opened.getByRole('dialog').getByRole('button', { name: 'duo01' }).click()
  await opened.getByText('测试登录已完成').first().waitFor()
  await page.getByText('测试通过，可以启用').waitFor()
  await picture(page, 'provider-tested')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await opened.goto(`${server.url}/${school_id}`)
  await opened.getByRole('link', { name: '演示登录B' }).waitFor()
  // The window that was opened lies in front.
  await page.bringToFront()
  await page.getByRole('switch', { name: '启用 演示登录B 方式B' }).click()
  await page.getByRole('button', { name: '停用', exact: true }).click()
  await page.getByText('已停用').first().waitFor()
  await opened.getByRole('link', { name: '演示登录B' }).click()
  await opened.getByText('该登录方式未启用').first().waitFor()
  expect(new URL(opened.url()).search).toBe('')
  await page.getByRole('switch', { name: '启用 演示登录B 方式B' }).click()
  await page.getByText('已启用，登录页立即显示').first().waitFor()
  expect(faults).toEqual([])
})

test('登录方式: settings are saved with the own password alone; a wrong one says so and what was typed stays', async () => {
  await page.goto(`${server.url}/SchoolRecord?tab=providers`)
  await page.locator('[data-ready="providers"]').waitFor()
  await page.getByRole('button', { name: '设置 演示登录C 方式C' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('您的登录密码').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('请输入密码').waitFor()
  await dialog.getByLabel('您的登录密码').fill('Wrong@Pass26')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('密码错误').waitFor()
  await picture(page, 'provider-recheck')
  expect(await dialog.getByLabel('显示名称').inputValue()).toBe('演示登录C')
  await dialog.getByLabel('您的登录密码').fill('Demo@Pass26')
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
})

/** The queries that were seen in the address bar after a first paint. */
async function painted(from: Page): Promise<string[]> {
  const seen = String(await from.evaluate("sessionStorage.getItem('painted') ?? ''"))
  return seen.split('\n').filter(line => line !== '')
}
