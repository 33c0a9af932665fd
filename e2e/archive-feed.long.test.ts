// 学生档案变更记录: what an edit changed stands at the top, and the file of that day can be read again.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

test('changes stand by day with before and after; a line opens the file of its day; older ones come on demand', async () => {
  await page.goto(`${url}/StudentsArchive`)
  await page.locator('[data-ready="list"]').waitFor()
  const days = page.getByRole('heading', { level: 2 })
  await days.first().waitFor()
  await picture(page, 'archive-feed')
  expect(await axeFindings(page, 'main')).toEqual([])
  const lines = page.locator('.feed-line')
  const shown = await lines.count()
  await page.getByRole('button', { name: '加载更早的变更' }).click()
  await expect.poll(() => lines.count()).toBeGreaterThan(shown)
  await page.getByRole('button', { name: /^查看当时档案 (?!已注销人员)/ }).first().click()
  const drawer = page.getByRole('dialog', { name: /的档案$/ })
  await drawer.getByText('现住址').first().waitFor()
  await picture(page, 'archive-as-of')
  expect(await axeFindings(page)).toEqual([])
  await leaveByKey(page, drawer)
  await page.getByRole('textbox', { name: '人员' }).fill('没有这个人')
  await page.getByRole('button', { name: '查询' }).click()
  await page.getByText('没有符合条件的变更，请调整条件').waitFor()
  await page.goto(`${url}/TeacherArchive`)
  await page.locator('[data-ready="list"]').waitFor()
  await picture(page, 'archive-feed-staff')
  expect(faults).toEqual([])
})
