import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calm, openBrowser, openPage, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
const patience = { timeout: 20_000 }
/** Long after every notice: what the browser believes must change nothing. */
const wrong_day = Date.parse('2031-03-01T08:00:00+08:00')
let server: ServerUnderTest
let browser: JourneyBrowser
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
  const context = await browser.newContext(at_wrong_day ? { ...calm } : calm)
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

test('the centre of applications shows at an icon what waits for a decision, in words too', async () => {
  await page.goto(`${server.url}/IconMenu`)
  const tile = page.getByRole('main').getByRole('link', { name: /^学校信息.*1个字典项导入待确认/ })
  await tile.waitFor()
  expect(await tile.locator('.icons-badge > [aria-hidden]').innerText()).toMatch(/^\d+$/)
})

test('the school’s place is pasted in, moved by arrows, told in all three systems, and stays; without an address there is no link to a map', async () => {
  const at = (label: string) => page.getByLabel(label, { exact: true })
  await page.goto(`${server.url}/SchoolRecord`)
  await page.getByLabel('粘贴坐标', { exact: true }).fill('青岛')
  await page.getByRole('button', { name: '换算并填入' }).click()
  await page.getByText('坐标格式不正确，请按“经度,纬度”填写，经度在前').waitFor()
  await page.getByLabel('粘贴坐标', { exact: true }).fill('120.382639,36.067108')
  await page.keyboard.press('Enter')
  await expect.poll(() => at('经度').inputValue(), patience).toBe('120.382639')
  await page.getByRole('button', { name: /^学校位置 经度120\.382639/ }).press('Shift+ArrowRight')
  await page.getByRole('button', { name: /^学校位置 经度120\.383639/ }).press('ArrowUp')
  await page.getByRole('button', { name: /纬度36\.067208/ }).waitFor()
  for (const system of ['GCJ-02（本校使用）', 'BD-09', 'WGS-84']) await page.getByText(system, { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: '在地图中查看' }).count()).toBe(0)
  expect(await axeFindings(page, '.record-map')).toEqual([])
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByText('修改成功').first().waitFor()
  await page.reload()
  await expect.poll(async () => [await at('经度').inputValue(), await at('纬度').inputValue()], patience).toEqual(['120.383639', '36.067208'])
})

describe('10-A29 columns', () => {
  const shown = (of: Page) => of.getByRole('columnheader').allInnerTexts()
  const openList = async (of: Page) => {
    await of.goto(`${server.url}/ChangeRecord`)
    await of.getByRole('button', { name: '列设置' }).waitFor()
  }

  test('10-A29 all but one are hidden, the last one cannot be; the choice outlives a reload and is there in another browser', async () => {
    await openList(page)
    await page.getByRole('button', { name: '列设置' }).click()
    const drawer = page.getByRole('dialog', { name: '列设置' })
    const boxes = drawer.getByRole('checkbox')
    await boxes.first().waitFor()
    const all = await drawer.getByRole('listitem').allInnerTexts()
    expect(all.length).toBeGreaterThan(5)
    const may_go = await Promise.all(all.map((_text, at) => boxes.nth(at).isEnabled()))
    // Every list of the product has one column that is always there: its box is the one that cannot be taken.
    expect(may_go.filter(enabled => !enabled)).toHaveLength(1)
    const fixed = may_go.indexOf(false)
    // A box follows when its choice is on its way to the server.
    for (const [at, enabled] of may_go.entries()) {
      if (enabled) await boxes.nth(at).click()
      await expect.poll(() => boxes.nth(at).isChecked(), patience).toBe(!enabled)
    }
    expect(await boxes.nth(fixed).isChecked()).toBe(true)
    const kept = (all[fixed] ?? '').trim()
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
      expect(await page.evaluate(`getComputedStyle(document.querySelector('.app-school-name')).fontSize`)).toBe(size)
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
    const context = await browser.newContext({ ...calm })
    await context.clock.setSystemTime(Date.parse('2025-06-30T08:00:00+08:00'))
    const reader = (await openPage(context)).page
    await signIn(reader, server.url, 'shenji01', password)
    await reader.waitForURL(url => url.pathname !== '/')
    await reader.locator('[data-ready]').first().waitFor()
    expect(await notice(reader).count()).toBe(0)
    await context.close()
  })
})
