import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calm, openBrowser, openPage, signIn } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
const patience = { timeout: 20_000 }
/** Long after every notice: what the browser believes must change nothing. */
const wrong_day = Date.parse('2031-03-01T08:00:00+08:00')
let server: ServerUnderTest
let browser: Browser
let page: Page

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  page = await entered('admin01')
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** Somebody at a browser of his own, at the first page. */
async function entered(account: string, at_wrong_day = false): Promise<Page> {
  const context = await browser.newContext(calm)
  if (at_wrong_day) await context.clock.setSystemTime(wrong_day)
  const opened = (await openPage(context)).page
  await signIn(opened, server.url, account, password)
  await opened.waitForURL(url => url.pathname !== '/')
  await opened.locator('[data-ready]').first().waitFor()
  return opened
}

/** A call of whoever is signed in on the page; answers its data. */
async function ask(of: Page, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const token = String(await of.evaluate(`localStorage.getItem('token')`))
  const answer = await of.request.fetch(`${server.url}/web/${path}`, { method, headers: { Authorization: token }, ...(body ? { data: body } : {}) })
  expect(answer.status(), await answer.text()).toBe(200)
  const told: unknown = (await answer.json()).data
  return isRecord(told) ? told : {}
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

describe('10-A29 columns', () => {
  const shown = (of: Page) => of.getByRole('columnheader').allInnerTexts()
  const openList = async (of: Page) => {
    await of.goto(`${server.url}/ChangeRecord`)
    await of.getByRole('button', { name: '列设置' }).waitFor()
  }

  test('10-A29 all but one are hidden, the last one stays: 已是最后一个！; the choice outlives a reload and is there in another browser', async () => {
    await openList(page)
    await page.getByRole('button', { name: '列设置' }).click()
    const drawer = page.getByRole('dialog', { name: '列设置' })
    const boxes = drawer.getByRole('checkbox')
    await boxes.first().waitFor()
    const count = await boxes.count()
    expect(count).toBeGreaterThan(5)
    for (let at = 1; at < count; at += 1) {
      await boxes.nth(at).uncheck()
    }
    await boxes.first().click()
    await page.getByText('已是最后一个！').waitFor()
    expect(await boxes.first().isChecked()).toBe(true)
    const kept = (await drawer.getByRole('listitem').first().innerText()).trim()
    const alone = (texts: string[]) => texts.map(text => text.trim()).filter(text => text !== '' && text !== '操作')
    const saved = async () => JSON.stringify(await ask(page, 'GET', 'user_pref?pref_key=columns:/ChangeRecord'))
    await expect.poll(async () => ((await saved()).match(/"checked":true/g) ?? []).length, patience).toBe(1)
    await page.reload()
    await expect.poll(async () => alone(await shown(page)), patience).toEqual([kept])
    const other = await entered('admin01')
    await openList(other)
    await expect.poll(async () => alone(await shown(other)), patience).toEqual([kept])
    await other.context().close()
  })
})

describe('10-A29 the frame', () => {
  const side = () => page.getByRole('complementary', { name: '侧边栏' })
  const width = async () => Math.round((await side().boundingBox())?.width ?? 0)

  test('10-A29 an unknown address has the page that says so and leads home', async () => {
    await page.goto(`${server.url}/NoSuchPage`)
    await page.getByRole('heading', { name: '抱歉，您访问的页面不存在' }).waitFor()
    await page.getByRole('link', { name: '返回首页' }).click()
    await page.getByRole('heading', { name: '抱歉，您访问的页面不存在' }).waitFor({ state: 'detached' })
  })

  test('10-A29 the sidebar is 230 or 65 wide, and is so again after a reload', async () => {
    await page.goto(`${server.url}/IconMenu`)
    await expect.poll(width, patience).toBe(230)
    await page.getByRole('button', { name: '收起菜单' }).click()
    await expect.poll(width, patience).toBe(65)
    await page.reload()
    await expect.poll(width, patience).toBe(65)
    await page.getByRole('button', { name: '展开菜单' }).click()
    await expect.poll(width, patience).toBe(230)
  })

  test('10-A29 a school’s name of 8, 9, 20 and 21 signs is written in 24, 20, 20 and 14 px', async () => {
    for (const [signs, size] of [[8, '24px'], [9, '20px'], [20, '20px'], [21, '14px']] as const) {
      const { school_id: _id, school_type: _type, school_logo_url: _logo, login_bg_url: _background, state: _state, ...draft } = await ask(page, 'GET', 'school/info/detail')
      await ask(page, 'POST', 'school/info/update', { ...draft, school_name: '启明实验学校'.padEnd(signs, '校') })
      await page.reload()
      const name = side().getByText('启明实验学校'.padEnd(signs, '校'), { exact: true })
      await name.waitFor()
      expect(await name.evaluate('(one) => getComputedStyle(one).fontSize')).toBe(size)
    }
  })
})

describe('10-A30 the password notice', () => {
  const notice = (of: Page) => of.getByRole('dialog', { name: '密码安全通知' })
  const setUntil = async (notice_until: string) => {
    const { login_max: _max, is_password_strong: _strong, ...rule } = await ask(page, 'GET', 'user-set/password/get_set')
    await ask(page, 'PUT', 'user-set/password/update_set', { ...rule, notice_until })
  }
  const comesBack = async (of: Page) => {
    await of.goto(`${server.url}/IconMenu`)
    await of.locator('[data-ready]').first().waitFor()
  }

  test('10-A30 before its end it is shown once a day and user, 640 px wide; a wrong clock of the browser changes nothing', async () => {
    await setUntil('2099-01-01T00:00:00+08:00')
    const teacher = await entered('shenji01', true)
    await notice(teacher).waitFor()
    expect(Math.round((await notice(teacher).boundingBox())?.width ?? 0)).toBe(640)
    await teacher.getByRole('button', { name: '我知道了' }).click()
    await notice(teacher).waitFor({ state: 'detached' })
    await comesBack(teacher)
    expect(await notice(teacher).count()).toBe(0)
    await comesBack(page)
    await notice(page).waitFor()
    await page.getByRole('button', { name: '我知道了' }).click()
    await notice(page).waitFor({ state: 'detached' })
    await teacher.context().close()
  })

  test('10-A30 after its end it is never shown, whatever the browser’s clock says', async () => {
    await setUntil('2025-07-01T12:00:00+08:00')
    const context = await browser.newContext(calm)
    await context.clock.setSystemTime(Date.parse('2025-06-30T08:00:00+08:00'))
    const reader = (await openPage(context)).page
    await signIn(reader, server.url, 'shenji01', password)
    await reader.waitForURL(url => url.pathname !== '/')
    await reader.locator('[data-ready]').first().waitFor()
    expect(await notice(reader).count()).toBe(0)
    await context.close()
  })
})
