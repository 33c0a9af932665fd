import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

let server: ServerUnderTest
let browser: JourneyBrowser

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

test('an administrator enrols a pupil, and a second one is told of his edit before anything is overwritten', async () => {
  const { page, faults } = await openPage(await browser.newContext(calm))
  await openRoll(page)
  await page.getByRole('button', { name: '新增学生' }).click()
  await page.locator('#student-file_user_name:focus').waitFor()
  await page.keyboard.press('Control+Enter')
  await page.getByText('必填项不能为空').first().waitFor()
  await fillPupil(page)
  await page.keyboard.press('Control+Enter')
  await page.getByText('身份证号校验位不符，请核对').last().waitFor()
  await page.getByRole('button', { name: '确认无误，继续保存' }).click()
  await page.getByRole('button', { name: '详情 林小满' }).click()
  await page.getByRole('region', { name: '学籍状态' }).waitFor()
  await page.getByRole('definition').filter({ hasText: /^20\d\d年9月\s*$/ }).first().waitFor()
  await picture(page, '7-file')

  const second = await openPage(await browser.newContext(calm))
  await openRoll(second.page)
  await page.getByRole('button', { name: '编辑', exact: true }).click()
  await page.getByLabel('备注', { exact: true }).fill('我的备注')
  await second.page.getByRole('button', { name: '编辑 林小满' }).click()
  await second.page.getByLabel('备注', { exact: true }).fill('别人的备注')
  await second.page.keyboard.press('Control+Enter')
  await second.page.getByText('保存成功').waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('row', { name: '备注 我的备注 别人的备注' }).waitFor()
  await picture(page, '8-stale')
  await page.getByRole('button', { name: '用我的覆盖' }).click()
  await page.getByText('保存成功').waitFor()
  // The browser itself names every refusal of the server.
  expect(faults.filter(fault => !/status of (409|422)/.test(fault))).toEqual([])
})

test('the last guardian stays, columns become those of the school, and the export offers the list’s columns', async () => {
  const { page, faults } = await openPage(await browser.newContext(calm))
  await openRoll(page)
  await page.getByRole('tab', { name: '家长' }).click()
  await page.getByRole('button', { name: '详情 林大山' }).click()
  await page.getByRole('button', { name: '解除与林小满的关系' }).click()
  await page.getByRole('button', { name: '解除', exact: true }).last().click()
  await page.getByText('至少保留一名监护人').waitFor()
  await picture(page, 'parent-unlink')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: '学生' }).click()
  const heads = () => page.getByRole('columnheader').allInnerTexts()
  await page.getByRole('button', { name: '列设置' }).click()
  const drawer = page.getByRole('dialog', { name: '列设置' })
  await drawer.getByRole('checkbox', { name: '就读方式' }).uncheck()
  await picture(page, 'columns-share')
  await drawer.getByRole('button', { name: '设为全校默认' }).click()
  await page.getByRole('button', { name: '设为默认' }).click()
  await page.getByText('已设为全校默认').waitFor()
  await drawer.getByRole('button', { name: '恢复默认' }).click()
  await page.reload()
  await page.getByRole('button', { name: '列设置' }).waitFor()
  await expect.poll(async () => (await heads()).includes('学号')).toBe(true)
  expect(await heads()).not.toContain('就读方式')
  const open = page.locator('.kit-toolbar').getByRole('button', { name: '导出', exact: true })
  await open.click()
  const dialog = page.getByRole('dialog', { name: '导出学生' })
  await dialog.getByRole('checkbox', { name: '证件类型' }).uncheck()
  await dialog.getByRole('button', { name: '导出', exact: true }).click()
  const progress = page.getByRole('dialog', { name: '导出', exact: true })
  await progress.locator('.ant-modal-footer').getByRole('button', { name: '关闭', exact: true }).click()
  await progress.waitFor({ state: 'hidden' })
  await open.click()
  await dialog.getByRole('checkbox', { name: '证件号', exact: true }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: '证件类型' }).isChecked()).toBe(false)
  expect(faults.filter(fault => !/status of (409|422)/.test(fault))).toEqual([])
})

async function openRoll(page: Page): Promise<void> {
  await signIn(page, server.url, 'xinxiao01', 'Demo@Pass26')
  await page.getByRole('link', { name: '学生家长档案' }).first().click()
}

async function fillPupil(page: Page): Promise<void> {
  const drawer = page.getByRole('dialog')
  const fill = (label: string, text: string, nth = 0) => drawer.getByLabel(label, { exact: true }).nth(nth).fill(text)
  await fill('学号', '20269001')
  await fill('身份证件号', '370200202005120110')
  await fill('姓名', '林大山', 1)
  await fill('手机号', '16900077001')
  await drawer.getByLabel('关系', { exact: true }).click()
  await page.keyboard.type('父亲')
  await page.keyboard.press('Enter')
  await drawer.getByLabel('班级', { exact: true }).click()
  await page.keyboard.type('一年级1班')
  await page.locator('.ant-select-tree-title', { hasText: '一年级1班' }).first().click()
  await fill('姓名', '林小满')
}
