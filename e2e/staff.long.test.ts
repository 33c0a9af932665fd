// 教职工档案: somebody is entered, found, read, moved to another department with a receipt, and the move is taken back.
import type { Locator, Page } from 'playwright-core'
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

const drawer = () => page.locator('.ant-drawer-content-wrapper').last()
const dialog = () => page.getByRole('dialog').last()

/** Chooses what is written so from the drop-down of a field. */
async function choose(within: Locator, label: string, text: string): Promise<void> {
  const field = within.getByRole('combobox', { name: label })
  await field.click()
  await field.fill(text)
  const shown = page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
  await shown.locator('.ant-select-item-option, .ant-select-tree-title').filter({ hasText: text }).first().click()
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
  await choose(drawer(), '性别', '女')
  await choose(drawer(), '教职工类别', '专任教师')
  await choose(drawer(), '部门1', '总务处')
  await drawer().getByLabel('手机号').fill('1691300')
  await drawer().getByRole('button', { name: '保存' }).click()
  await drawer().getByText('手机号格式不正确').waitFor()
  expect(await drawer().locator('.ant-form-item-explain-error').count()).toBe(1)
  await picture(page, 'teachers-add')
  expect(await drawer().getByLabel('姓名').inputValue()).toBe('欧阳测')
  await drawer().getByLabel('手机号').fill('16913007001')
  await drawer().getByRole('button', { name: '保存' }).click()
  await drawer().waitFor({ state: 'hidden' })

  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill('E2E7001')
  await search.press('Enter')
  const row = page.getByRole('row').filter({ hasText: '欧阳测' })
  await row.filter({ hasText: '总务处' }).waitFor()

  await row.getByRole('button', { name: '调部门 欧阳测' }).click()
  await choose(dialog(), '调入部门', '教务处')
  await dialog().getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog().getByText('部门归属').waitFor()
  await dialog().getByRole('button', { name: /确认办理/ }).click()
  await dialog().getByText('还可撤销').waitFor()
  await picture(page, 'teachers-moved')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await dialog().getByRole('button', { name: '撤销', exact: true }).click()
  await dialog().getByLabel('撤销原因').fill('录入错误')
  await dialog().getByRole('button', { name: '确认撤销' }).click()
  await dialog().getByText('已撤销').first().waitFor()
  await dialog().getByRole('button', { name: '关闭', exact: true }).last().click()
  await row.filter({ hasText: '总务处' }).waitFor()
  expect(faults).toEqual([])
})

test('protected numbers of staff are shown for a reason alone', async () => {
  await page.goto(`${url}/TeachersRecord`)
  await page.getByRole('button', { name: /^详情 / }).nth(1).click()
  await drawer().getByRole('button', { name: '查看完整信息' }).click()
  const ask = page.getByRole('dialog', { name: '查看完整信息' })
  await ask.getByRole('button', { name: /^查\s?看$/ }).click()
  await ask.getByText('请选择要查看的内容').waitFor()
  await ask.getByRole('checkbox', { name: '手机号' }).check()
  await ask.getByLabel('查看原因').fill('紧急联系')
  await picture(page, 'staff-reveal')
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await ask.getByRole('button', { name: /^查\s?看$/ }).click()
  await ask.waitFor({ state: 'hidden' })
  await drawer().getByText(/^1\d{10}$/).waitFor()
})
