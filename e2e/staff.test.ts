// 教职工档案: somebody is entered, found, read, moved to another department with a receipt, and the move is taken back.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, landing, openBrowser, openPage, picture, signIn } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: Browser
let page: Page
let faults: string[]

beforeAll(async () => {
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext(calm)))
  await signIn(page, url, 'admin01', 'Demo@Pass26')
  await page.waitForURL(landing)
})
afterAll(() => browser?.close())

const drawer = () => page.locator('.ant-drawer-content-wrapper').last()
const dialog = () => page.getByRole('dialog').last()

/** Chooses what is written so from the drop-down of a field. */
async function choose(label: string, text: string): Promise<void> {
  const field = page.getByRole('combobox', { name: label, exact: true }).last()
  await field.click()
  await field.fill(text)
  await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').locator('.ant-select-item-option, .ant-select-tree-title').filter({ hasText: text }).first().click()
}

test('somebody is entered, found, moved and moved back', async () => {
  await page.goto(`${url}/TeachersRecord`)
  await page.getByRole('button', { name: /^调部门 / }).first().waitFor()
  await picture(page, 'teachers-record')
  expect(await axeFindings(page, 'main')).toEqual([])

  await page.getByRole('button', { name: '新增教职工' }).click()
  await drawer().getByLabel('姓名').fill('欧阳测')
  await drawer().getByLabel('工号').fill('E2E7001')
  await drawer().getByLabel('手机号').fill('16913007001')
  await drawer().getByLabel('来校年月').fill('202609')
  await choose('性别', '女')
  await choose('教职工类别', '专任教师')
  await choose('部门1', '总务处')
  await drawer().getByRole('button', { name: '保存' }).click()
  await drawer().waitFor({ state: 'hidden' })

  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill('E2E7001')
  await search.press('Enter')
  const row = page.getByRole('row').filter({ hasText: '欧阳测' })
  await row.filter({ hasText: '总务处' }).waitFor()

  await row.getByRole('button', { name: '调部门 欧阳测' }).click()
  await choose('调入部门', '教务处')
  await dialog().getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog().getByText('部门归属').waitFor()
  await dialog().getByRole('button', { name: /确认办理/ }).click()
  await dialog().getByText('还可撤销').waitFor()
  await dialog().getByRole('button', { name: '关闭', exact: true }).last().click()
  await row.filter({ hasText: '教务处' }).waitFor()
  expect(faults).toEqual([])
})
