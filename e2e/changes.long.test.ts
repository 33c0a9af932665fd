import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext(calm)))
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.getByRole('link', { name: '学生家长档案' }).first().click()
  await page.locator('tbody .ant-table-row').first().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

test('two pupils change their class: what it does is shown first, and the receipt takes it back', async () => {
  const rows = page.locator('tbody .ant-table-row')
  const [first = '', second = ''] = await rows.locator('td:nth-child(3)').allInnerTexts()
  const home = (await rows.first().locator('td:nth-child(4)').innerText()).trim()
  for (const row of [0, 1]) await rows.nth(row).getByRole('checkbox').check()
  await page.getByText('已选 2 条').waitFor()
  await page.getByRole('button', { name: '调班', exact: true }).first().click()
  const dialog = page.getByRole('dialog', { name: '调班' })
  await dialog.getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog.getByText('请选择班级').last().waitFor()
  await dialog.getByLabel('调入班级').click()
  await page.keyboard.type('二年级2班')
  await page.locator('.ant-select-tree-title', { hasText: '二年级2班' }).first().click()
  await dialog.getByLabel('原因').fill('家长申请')
  await picture(page, 'change-move')
  await dialog.getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog.getByRole('columnheader', { name: '变更后' }).waitFor()
  await picture(page, 'change-preview')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: '确认办理（2 人）' }).click()
  await dialog.getByText('已完成').waitFor()
  await picture(page, 'change-receipt')
  await dialog.getByRole('button', { name: '撤销', exact: true }).click()
  await dialog.getByLabel('撤销原因').fill('录入错误')
  await dialog.getByRole('button', { name: '确认撤销' }).click()
  await dialog.getByText('已撤销').first().waitFor()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  for (const student_no of [first, second]) {
    const row = page.getByRole('row').filter({ hasText: student_no })
    await row.getByText(home).waitFor()
  }
})

test('a pupil who is dragged onto a class is asked about, and what was typed is not thrown away unasked', async () => {
  const tree = page.locator('.kit-tree')
  for (const name of ['小学部', '一年级']) await tree.locator('.ant-tree-treenode').filter({ hasText: new RegExp(`^${name}`) }).locator('.ant-tree-switcher').click()
  await page.locator('.people-name').first().dragTo(tree.getByTitle(/一年级2班$/))
  const dialog = page.getByRole('dialog', { name: '调班' })
  await dialog.getByText('一年级2班').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('.people-name').first().dragTo(tree.getByTitle(/一年级2班$/))
  await dialog.getByLabel('原因').fill('家长申请')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: '内容尚未保存，确定放弃修改吗？' })
  await question.getByRole('button', { name: '取消' }).click()
  expect(await dialog.getByLabel('原因').inputValue()).toBe('家长申请')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a pupil leaves, is gone from the roll, and the change record brings him back', async () => {
  const row = page.locator('tbody .ant-table-row').first()
  const student_no = (await row.locator('td:nth-child(3)').innerText()).trim()
  await row.getByRole('button', { name: /^更多/ }).click()
  await page.getByRole('menuitem', { name: '离校', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '离校' })
  await dialog.getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog.getByText('请填写原因').waitFor()
  await dialog.getByLabel('去向').fill('市第二小学')
  await dialog.getByLabel('原因').fill('随父母搬迁')
  await dialog.getByRole('button', { name: '下一步：查看影响' }).click()
  await dialog.getByText('不在校').waitFor()
  await picture(page, 'change-leave')
  await dialog.getByRole('button', { name: '确认办理（1 人）' }).click()
  await dialog.getByText('已完成').waitFor()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await page.getByRole('row').filter({ hasText: student_no }).waitFor({ state: 'detached' })

  await page.goto(`${server.url}/ChangeRecord`)
  await page.getByRole('row').filter({ hasText: '转出' }).first().getByRole('button', { name: /查看回执/ }).click()
  await page.getByText('市第二小学').waitFor()
  await page.getByRole('region', { name: '人员档案' }).getByText('班级归属').waitFor()
  await picture(page, 'change-record')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '撤销', exact: true }).click()
  await page.getByLabel('撤销原因').fill('家长撤回申请')
  await page.getByRole('button', { name: '确认撤销' }).click()
  await page.getByRole('dialog').getByText('已撤销').first().waitFor()
  await page.goto(`${server.url}/ParentsRecord?keyword=${student_no}`)
  await page.getByRole('row').filter({ hasText: student_no }).waitFor()
  expect(faults).toEqual([])
})
