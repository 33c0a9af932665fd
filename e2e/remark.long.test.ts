// 备注: a new one with its options, a class that gets a value, the figures by value, and the roll found by it.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
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

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

async function openMore(item: string): Promise<void> {
  await page.goto(`${url}/Organization`)
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

test('a remark needs a name, two options and a kind of department; then it stands in the form of a class', async () => {
  await openMore('备注设置')
  const drawer = dialog('备注设置')
  await drawer.getByText('校区').first().waitFor()
  await picture(page, 'remarks')
  expect(await axeFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: '新增备注' }).click()
  const form = dialog('新增备注')
  await form.getByLabel('备注名称').fill('楼栋片区')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请至少填写两个选项').waitFor()
  for (const option of ['南楼', '北楼']) {
    await form.getByLabel('选项', { exact: true }).fill(option)
    await form.getByLabel('选项', { exact: true }).press('Enter')
    await form.getByTitle(option).waitFor()
  }
  await picture(page, 'remark-form')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await drawer.getByText('南楼、北楼').waitFor()
})

test('a class is given a value, which the figures count and the roll finds', async () => {
  await page.goto(`${url}/Organization`)
  await page.locator('.org-card').filter({ has: page.getByText('五年级1班', { exact: true }) }).getByRole('button', { name: /^更多/ }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  const form = dialog(/^编辑班级：五年级1班/)
  await form.getByLabel('楼栋片区').click()
  await page.locator('.ant-select-item-option', { hasText: '北楼' }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await openMore('备注统计')
  const drawer = dialog('备注统计')
  await drawer.getByRole('row', { name: /^西校区/ }).waitFor()
  await picture(page, 'remark-figures')
  expect(await axeFindings(page)).toEqual([])
  await drawer.getByLabel('备注', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: '楼栋片区' }).click()
  const row = drawer.getByRole('row', { name: /^北楼 1/ })
  const students = await row.getByRole('link').innerText()
  await row.getByRole('link').click()
  await page.waitForURL('**/ParentsRecord?**')
  await page.getByText(`共 ${students} 条`).waitFor()
  await page.getByText('楼栋片区：北楼').first().waitFor()
  expect(await page.locator('tbody .ant-table-row').first().innerText()).toContain('五年级1班')
  await picture(page, 'remark-roll')
  expect(faults).toEqual([])
})
