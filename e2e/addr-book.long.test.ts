// 通讯录设置: the books as the demo has them; a department is added, moved and hidden, and the phone shows what is saved; a number, with a wrong one refused.
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

const lines = () => page.getByRole('list', { name: '已选内容' }).getByRole('listitem')
const phone = () => page.getByRole('region', { name: '手机预览' })
const save = async () => {
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await expect.poll(() => page.getByRole('button', { name: '保存', exact: true }).isDisabled()).toBe(true)
}

test('what parents see is set line by line; the phone shows it after saving', async () => {
  await page.goto(`${url}/AddrBookSetting`)
  await lines().first().waitFor()
  await picture(page, 'addr-book')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('tab', { name: '家长可见教职工' }).click()
  await expect.poll(() => lines().count()).toBe(3)
  await page.getByRole('combobox', { name: '添加部门' }).click()
  await page.getByRole('combobox', { name: '添加部门' }).fill('总务处')
  await page.locator('.ant-select-tree-title', { hasText: '总务处' }).first().click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '添加部门' }).click()
  await page.getByRole('button', { name: '上移 总务处' }).click()
  expect(await lines().nth(2).innerText()).toContain('总务处')
  await phone().getByText('有未保存的修改，保存后更新预览').waitFor()
  await save()
  await phone().getByRole('heading', { name: '总务处' }).waitFor()
  await page.getByRole('button', { name: '设为不显示 总务处' }).click()
  await page.getByRole('tab', { name: '常用电话' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await save()
  await phone().getByRole('heading', { name: '总务处' }).waitFor({ state: 'detached' })
  await picture(page, 'addr-book-parents')
  expect(faults).toEqual([])
})

test('a number is added; a wrong one is told beside its field', async () => {
  await page.getByRole('tab', { name: '常用电话' }).click()
  await page.getByLabel('名称', { exact: true }).fill('图书馆')
  await page.getByLabel('电话', { exact: true }).fill('请拨总机')
  await page.getByRole('button', { name: '添加电话' }).click()
  await page.getByText('电话只能填写数字').waitFor()
  await page.getByLabel('电话', { exact: true }).fill('0571-00000888')
  await page.getByRole('button', { name: '添加电话' }).click()
  await save()
  await phone().getByText('图书馆').waitFor()
  await picture(page, 'addr-book-numbers')
  expect(await axeFindings(page, 'main')).toEqual([])
  expect(faults).toEqual([])
})
