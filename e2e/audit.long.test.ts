import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const server = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(server.url, 'shenji01'))
})
afterAll(async () => {
  await browser?.close()
})

const rows = () => page.locator('tbody .ant-table-row')

test('the auditor finds the night of the tried passwords, reads one line to its end, and takes the rows with a reason', async () => {
  await openAt(page, server.url, '/SystemLog?from=2026-10-28&to=2026-10-28')
  await rows().first().waitFor()
  await page.getByText(/日志完整性：已校验至/).waitFor()
  await picture(page, 'system-log')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '展开' }).click()
  await page.getByLabel('IP').fill('203.0.113.')
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await page.getByText('共 48 条').waitFor()
  await page.getByRole('button', { name: '较早' }).click()
  await page.getByRole('button', { name: '较新' }).isEnabled()
  await page.getByRole('button', { name: /^详情/ }).first().click()
  const drawer = page.getByRole('dialog', { name: '操作详情' })
  await drawer.getByText('用户名或密码错误').first().waitFor()
  await drawer.getByText('同一对象的全部操作').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await leaveByKey(page, drawer)
  await page.getByRole('button', { name: '导出' }).click()
  await page.getByLabel('导出原因').fill('核对夜间登录')
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('dialog').getByRole('button', { name: '导出', exact: true }).click()])
  expect(file.suggestedFilename()).toMatch(/^系统操作日志_\d{12}\.xlsx$/)
})

test('days are chosen on the strip by key, and a pupil’s life is read in the archive journal', async () => {
  await openAt(page, server.url, '/ArchiveLog?from=2026-11-19&to=2026-11-19')
  await rows().first().waitFor()
  const strip = page.getByRole('slider', { name: /每日操作数/ })
  await strip.focus()
  for (let day = 0; day < 6; day += 1) await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('Enter')
  await page.waitForURL(/from=2026-11-13&to=2026-11-19/)
  await page.getByRole('button', { name: /^详情/ }).first().click()
  await page.getByText('全部经历').waitFor()
  await picture(page, 'archive-log')
  expect(await axeFindings(page)).toEqual([])
  expect(faults).toEqual([])
})

test('10-A26 a journal of more than 5,000 rows is made by a job: its bar stands in the dialog, and its file waits in the task center after a reload', async () => {
  await openAt(page, server.url, '/SystemLog?from=2026-08-21&to=2026-11-20')
  await rows().first().waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const asking = page.getByRole('dialog', { name: '导出日志' })
  await asking.getByText('在后台生成').waitFor()
  await asking.getByLabel('导出原因').fill('季度检查')
  await asking.getByRole('button', { name: '导出', exact: true }).click()
  const going = page.getByRole('dialog', { name: '导出', exact: true })
  await going.getByRole('progressbar').waitFor()
  await going.getByText('文件保留 7 天，仅本人可以下载').waitFor()
  await going.getByRole('button', { name: '下载结果' }).waitFor()
  await picture(page, 'long-export')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await page.reload()
  await rows().first().waitFor()
  await page.getByRole('button', { name: /^任务中心/ }).click()
  const line = page.getByRole('dialog', { name: '任务中心' }).getByRole('listitem').filter({ hasText: '导出系统操作日志' }).first()
  const [file] = await Promise.all([page.waitForEvent('download'), line.getByRole('button', { name: '下载结果' }).click()])
  expect(file.suggestedFilename()).toMatch(/^系统操作日志_\d{12}\.xlsx$/)
})
