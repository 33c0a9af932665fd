import { navigationApi } from '@campus/school/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer } from './answers.ts'
import { calm, landing, openBrowser, openPage, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { sharedServer } from './server.ts'

const server = sharedServer()
const names = ['导出', '新增学生', '导入学生']
const added = ['people.student.view', 'people.student.edit', 'people.student.export', 'people.student.import'].map(code => ({ code }))
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
})
afterAll(async () => {
  await browser?.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

async function openRoll(): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
}

test('10-A21 permissions edited by hand in the browser bring buttons, and every call of them is still 403', async () => {
  await signIn(page, server.url, 'duo01', 'Demo@Pass26')
  const dialog = page.getByRole('dialog', { name: '选择您要登录的身份角色' })
  await dialog.getByText('班主任').first().click()
  await dialog.getByRole('button', { name: '确定' }).click()
  await page.waitForURL(landing)
  await openRoll()
  for (const name of names) expect(await button(name).count(), name).toBe(0)

  // What is kept is asked for again with every page load; so its source is edited along with it.
  await page.evaluate(`localStorage.setItem('menu_perms', ${JSON.stringify(JSON.stringify(added))})`)
  await answer(page, navigationApi.list, withMore)
  await openRoll()
  for (const name of names) await button(name).waitFor()
  const refused = page.waitForResponse(response => response.url().includes('/export/field') && response.status() === 403)
  await button('导出').click()
  expect(await (await refused).json()).toMatchObject({ code: 403, msg: '无权限查看' })
  const dialog_of_export = page.getByRole('dialog', { name: '导出学生' })
  await dialog_of_export.getByText('无权限查看').waitFor()
  expect(await dialog_of_export.getByRole('button', { name: '导出', exact: true }).isEnabled()).toBe(false)
})

function withMore(said: string): string {
  const reply: { data: { perms: { list: { code: string }[] }[] } } = JSON.parse(said)
  for (const group of reply.data.perms) group.list.push(...added)
  return JSON.stringify(reply)
}
