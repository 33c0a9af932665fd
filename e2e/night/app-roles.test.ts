import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, picture, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const wait_ms = 15_000
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

const open = async (page: Page, path: string, ready: 'list' | 'app-role') => {
  await page.goto(`${server.url}${path}`)
  await page.locator(`[data-ready="${ready}"]`).waitFor()
}
const phone = (page: Page) => page.getByRole('region', { name: '手机预览' }).getByRole('listitem').allInnerTexts()
const saved = async (page: Page) => {
  await page.getByText('没有未保存的修改').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
}

test('a group is made and moved, a role in it gets modules by key and mouse, people with their count, and a permission; all six screens open', async () => {
  const { page, faults } = await openPage(await browser.newContext())
  page.setDefaultTimeout(wait_ms)
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()

  await open(page, '/TeacherRoleGroup', 'list')
  await page.getByRole('button', { name: '新增角色组' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').fill('值班岗位')
  await dialog.getByRole('button', { name: '加入 办事大厅' }).click()
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await page.keyboard.press('Control+Enter')
  await page.getByRole('rowheader', { name: '值班岗位' }).waitFor()
  await page.getByRole('button', { name: '上移 值班岗位' }).click()
  await expect.poll(() => page.getByRole('row').nth(4).innerText()).toContain('值班岗位')
  await picture(page, 'app-role-groups')

  await open(page, '/TeacherRole', 'app-role')
  await page.getByRole('button', { name: '新增角色' }).click()
  await dialog.getByLabel('名称').fill('护导老师')
  await dialog.getByRole('combobox', { name: '角色组' }).click()
  await page.getByTitle('值班岗位（默认1个模块）').click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByRole('heading', { name: '护导老师' }).waitFor()
  await page.getByRole('button', { name: '加入 报修管理' }).press('Enter')
  await page.getByRole('button', { name: '第2 报修管理' }).press('Alt+ArrowUp')
  await page.getByRole('button', { name: '加入 停车管理' }).dragTo(page.getByRole('button', { name: '第2 办事大厅' }))
  expect(await phone(page)).toEqual(['报修管理', '停车管理', '办事大厅'])
  await page.getByRole('button', { name: '隐藏 停车管理' }).click()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await saved(page)
  await page.reload()
  await page.getByRole('region', { name: '手机预览' }).waitFor()
  expect(await phone(page)).toEqual(['报修管理', '办事大厅'])
  expect(await axeFindings(page, 'main')).toEqual([])
  await picture(page, 'app-role-modules')

  await page.getByRole('tab', { name: '人员' }).click()
  await page.getByRole('combobox', { name: '部门/年级' }).click()
  await page.locator('.ant-select-tree-title').first().waitFor()
  await page.getByRole('combobox', { name: '部门/年级' }).fill('德育处')
  await page.locator('.ant-select-tree-title', { hasText: '德育处' }).click()
  await page.keyboard.press('Escape')
  const reached = page.getByRole('region', { name: '覆盖人员' })
  await reached.getByText(/^保存后覆盖 [1-9]\d* 人（现在0人，\+[1-9]\d*）部门\/年级[1-9]\d*$/).waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await reached.getByText(/^当前覆盖 [1-9]\d* 人/).waitFor()
  await saved(page)
  expect(await axeFindings(page, 'main')).toEqual([])

  await page.getByRole('tab', { name: '操作权限' }).click()
  await page.getByRole('checkbox', { name: '学生档案 查看' }).check()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  expect(await dialog.innerText()).toMatch(/影响[1-9]\d*人[\s\S]*授予 1项[\s\S]*学生档案 · 查看/)
  await page.keyboard.press('Control+Enter')
  await saved(page)

  await page.getByRole('button', { name: /^班主任/ }).click()
  await page.getByRole('tab', { name: '人员' }).click()
  await reached.getByText('当前覆盖 90 人').waitFor()
  await reached.getByRole('button', { name: /^移出 / }).first().click()
  await reached.getByText(/保存后覆盖 89 人（现在90人，−1）/).waitFor()
  await page.getByRole('tab', { name: '模块' }).click()
  await page.getByRole('dialog', { name: /内容尚未保存/ }).getByRole('button', { name: '放弃修改' }).click()
  await page.getByRole('region', { name: '手机预览' }).waitFor()

  for (const kind of ['Parent', 'Student']) {
    await open(page, `/${kind}RoleGroup`, 'list')
    await open(page, `/${kind}Role`, 'app-role')
    expect(await page.getByRole('complementary', { name: '角色' }).getByRole('listitem').count()).toBe(8)
  }
  expect(faults).toEqual([])
})
