// 委托管理: a delegation is refused for more than 90 days beside the field, given, told in the top bar of the delegate, and revoked.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const day_ms = 86_400_000
let browser: JourneyBrowser
let page: Page
let faults: string[]
let auditor: Awaited<ReturnType<typeof openSignedIn>>

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
  auditor = await openSignedIn(url, 'shenji01')
})
afterAll(async () => {
  await browser?.close()
  await auditor?.browser.close()
})

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const dayAt = (days: number) => new Date(Date.now() + days * day_ms + 8 * 3_600_000).toISOString().slice(0, 10)

async function until(day: string): Promise<void> {
  const field = dialog('新增委托').getByLabel('最后一天')
  await field.fill(day)
  await field.press('Enter')
  await field.press('Tab')
}

test('a delegation of more than 90 days is refused beside its field; a shorter one stands in the list and is revoked', async () => {
  await page.goto(`${url}/Organization`)
  await auditor.page.goto(`${url}/IconMenu`)
  const name = await auditor.page.locator('.app-user-name').innerText()
  await page.getByRole('button', { name: '委托管理' }).click()
  const drawer = dialog('委托管理')
  await drawer.getByText('已到期').waitFor()
  await picture(page, 'delegations')
  expect(await axeFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: '新增委托' }).click()
  const form = dialog('新增委托')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请选择代理人').waitFor()
  await form.getByLabel('部门').fill('一年级')
  await page.locator('.ant-select-tree-title').getByText('一年级', { exact: true }).click()
  await form.getByLabel('委托人').click()
  await page.locator('.ant-select-item-option').first().click()
  await form.getByLabel('代理人').fill(name)
  await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option', { hasText: name }).first().click()
  await until(dayAt(120))
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('委托最长90天，请提前结束日期').waitFor()
  await picture(page, 'delegate-wrong')
  await until(dayAt(30))
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  const acting = auditor.page.getByText(`代理：一年级 至 ${dayAt(30).slice(5)}`)
  await acting.waitFor()
  await picture(auditor.page, 'delegate-acting')
  const row = drawer.getByRole('row', { name: new RegExp(`一年级.*${dayAt(30)}`) })
  await row.getByText('生效中').waitFor()
  await row.getByRole('button', { name: /^撤销/ }).click()
  await page.getByRole('dialog', { name: /确定撤销吗/ }).getByRole('button', { name: '撤销委托' }).click()
  await row.getByText('已撤销').waitFor()
  await acting.waitFor({ state: 'detached' })
  expect(faults.filter(fault => !fault.includes('422'))).toEqual([])
})
