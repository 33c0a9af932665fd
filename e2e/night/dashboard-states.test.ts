import { statisticsApi } from '@campus/insight/contract'
import { importApi, jobApi } from '@campus/jobs/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, lengthened, trouble } from '../answers.ts'
import { calm, openBrowser, openDashboard, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { sharedServer } from '../server.ts'

const password = 'Demo@Pass26'
const long = lengthened({ dept_name: 30, label: 31, title: 50, detail: 90, head: 50 })
const waiting = { batch_no: 'B1', template: 'student', title: '学生信息导入', state: 'parsed', created_by_name: '王'.repeat(50), file_name: `${'名'.repeat(100)}.xlsx`, rows_total: 20_000, rows_error: 1999 }
const failed = { job_no: 'J1', title: '导'.repeat(40), state: 'failed', error_msg: '因'.repeat(200) }
const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
  await signIn(page, server.url, 'admin01', password)
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
})

const figures = () => page.getByRole('region', { name: '年级与班级' })
const staff = () => page.getByRole('button', { name: /^教职工/ })
const drawer = () => page.getByRole('dialog', { name: /^教职工/ })
const focusName = () => page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`)

async function open(): Promise<void> {
  await page.goto(`${server.url}/Dashboard`)
  await figures().waitFor()
}

/** Cards and what stands in them wider than they may be, in both sizes of the window. */
async function tooWide(): Promise<string[]> {
  const found: string[] = []
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    const wide: string[] = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page, .insight-card, .insight-tile, .insight-todo li, .ant-drawer-body')]
      .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.className || part.tagName)`)
    found.push(...wide.map(part => `${part} at ${size.width}`))
  }
  return found
}

const answered = (row: object) => () => JSON.stringify({ code: 600, msg: '', data: { list: [{ ...row, created_at: new Date().toISOString() }], total: 1 } })

test('names as long as they may be stay in their cards, and the whole name is told', async () => {
  await answer(page, statisticsApi.overview, long)
  await answer(page, statisticsApi.rows, long)
  await answer(page, importApi.batches, answered(waiting))
  await answer(page, jobApi.list, answered(failed))
  await open()
  await page.getByText('待确认的导入 1').waitFor()
  expect(await tooWide()).toEqual([])
  expect(await page.locator('.insight-grade-name').first().getAttribute('title')).toMatch(/^一年级长{27}$/)
  const lines = await page.locator('.insight-line').evaluateAll(all => all.map(line => [line.getAttribute('title')?.length, line.getBoundingClientRect().height < 64]))
  expect(lines).toEqual([[waiting.created_by_name.length + waiting.file_name.length + '上传 　20,000行，1,999行有错误'.length, true], [241, true]])
  await staff().click()
  await drawer().getByRole('row').nth(5).waitFor()
  expect(await tooWide()).toEqual([])
})

test('every number is reached by Tab with a ring, Enter opens its rows, Esc closes them, and the focus comes back', async () => {
  await open()
  const numbers: string[] = await page.evaluate(`[...document.querySelectorAll('.insight-tiles :is(a, button), .insight-way:is(a, button), .insight-cell:is(a, button)')].map(one => one.getAttribute('aria-label'))`)
  await page.getByRole('main').focus()
  const seen: string[] = []
  const without_ring: string[] = []
  for (let at = 0; at < numbers.length + 5 && seen.at(-1) !== numbers.at(-1); at += 1) {
    await page.keyboard.press('Tab')
    const [name, ring]: [string, boolean] = await page.evaluate(`[document.activeElement.getAttribute('aria-label'), getComputedStyle(document.activeElement).outlineStyle !== 'none']`)
    seen.push(name)
    if (!ring) without_ring.push(name)
  }
  expect(seen).toEqual(numbers)
  expect(without_ring).toEqual([])
  await staff().focus()
  const name = await focusName()
  await page.keyboard.press('Enter')
  await drawer().getByRole('row').nth(5).waitFor()
  expect(await axeFindings(page, '.ant-drawer-open')).toEqual([])
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'detached' })
  await expect.poll(focusName, { timeout: 15_000 }).toBe(name)
})

describe('each part alone', () => {
  test('the figures are on their way: their shape stands, and the rest can be used', async () => {
    const relieve = await trouble(page, statisticsApi.overview, 'slow')
    await page.goto(`${server.url}/Dashboard`)
    const ghost = page.locator('.insight-ghost')
    await ghost.waitFor()
    expect(await ghost.locator('.insight-tile').count()).toBe(5)
    expect(await ghost.locator('.insight-columns > *').count()).toBe(2)
    await page.getByRole('main').getByRole('link', { name: '学生家长档案' }).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await relieve()
    await figures().waitFor()
    await ghost.waitFor({ state: 'detached' })
  })

  test('the figures cannot be read: the way to every page stays', async () => {
    await trouble(page, statisticsApi.overview, 'broken')
    await page.goto(`${server.url}/Dashboard`)
    await page.getByRole('alert').filter({ hasText: '今日概况加载失败' }).getByRole('button', { name: '重试' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: '学生家长档案' }).first().waitFor()
  })

  test('what waits cannot be read: the figures stay', async () => {
    const relieve = await trouble(page, importApi.batches, 'broken')
    await open()
    const alert = page.getByRole('region', { name: '待我处理' }).getByRole('alert')
    await alert.getByText('待办加载失败').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await relieve()
    await alert.getByRole('button', { name: '重试' }).click()
    await page.getByText('待确认的导入 1').waitFor()
  })

  test('the rows are slow, then broken: lines stand in their place, never 没有数据, and 重试 brings them', async () => {
    await open()
    const slow = await trouble(page, statisticsApi.rows, 'slow')
    await staff().click()
    await drawer().getByRole('status', { name: '加载中' }).waitFor()
    expect(await drawer().getByText('没有数据').count()).toBe(0)
    const broken = await trouble(page, statisticsApi.rows, 'broken')
    await page.reload()
    await drawer().getByText('系统异常，请稍后重试').waitFor()
    expect(await axeFindings(page, '.ant-drawer-open')).toEqual([])
    await slow()
    await broken()
    await drawer().getByRole('button', { name: '重试' }).click()
    await drawer().getByRole('row').nth(5).waitFor()
  })
})

test('a school without pupils is told what to do next', async () => {
  const { page: fresh } = await openPage(await browser.newContext(calm))
  await signIn(fresh, server.url, 'xinxiao01', password)
  await openDashboard(fresh)
  await fresh.getByText('还没有学生，请按“开始使用”清单的顺序完成设置').waitFor()
  await fresh.getByRole('link', { name: '查看开始使用清单' }).waitFor()
  await fresh.getByText(/^开始使用还有 \d+ 步$/).waitFor()
  expect(await axeFindings(fresh)).toEqual([])
  await fresh.context().close()
})

test('the bars stand in high contrast too', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open()
  const drawn: { border: string; colours: string[] } = await page.evaluate(`(() => {
    const colour = part => getComputedStyle(document.querySelector(part)).backgroundColor
    return { border: getComputedStyle(document.querySelector('.insight-bar')).borderTopWidth, colours: [colour('.insight-card'), colour('.insight-boys'), colour('.insight-girls')] }
  })()`)
  expect(drawn.border).toBe('1px')
  expect(new Set(drawn.colours).size).toBe(3)
  await page.emulateMedia({ forcedColors: 'none' })
})
