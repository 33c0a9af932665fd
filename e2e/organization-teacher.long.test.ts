// 教职工组织架构: the tree with its people, a department made, named and removed, a leader named, the chart drawn larger and saved as a picture.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet, writeTemplate } from '@kit/server/excel'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-depts-'))
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
})

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const line = (name: string) => page.getByRole('treeitem').filter({ has: page.getByText(name, { exact: true }) })
const members = (name: string) => page.getByRole('region', { name: `${name}的成员` })

test('a department shows whose first one it is and who is there besides', async () => {
  await openAt(page, url, '/OrganizationTeacher')
  await line('教务处').click()
  await members('教务处').getByText(/^共 \d+ 人/).waitFor()
  await members('教务处').getByRole('button', { name: /^调部门/ }).first().waitFor()
  await picture(page, 'organization-teacher')
  expect(await axeFindings(page, 'main')).toEqual([])
  await line('一年级组').click()
  await members('一年级组').getByRole('table').getByText('兼').first().waitFor()
  await line('语文教研组').click()
  await members('语文教研组').getByLabel('含下级部门').check()
  await members('语文教研组').getByText(/^共 \d+ 人/).waitFor()
})

test('a department is made below another, named in the tree by keys, and removed', async () => {
  await openAt(page, url, '/OrganizationTeacher')
  await line('总务处').click()
  await members('总务处').getByText(/^共 \d+ 人/).waitFor()
  await page.getByRole('button', { name: '新增部门' }).click()
  await page.getByRole('menuitem', { name: '新增行政部门' }).click()
  const form = dialog('新增行政部门')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请填写部门名称').waitFor()
  await form.getByLabel('名称').fill('维修组')
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await line('维修组').waitFor()
  await line('维修组').press('F2')
  await page.getByRole('textbox', { name: '重命名 维修组' }).fill('维修中心')
  await page.getByRole('textbox', { name: '重命名 维修组' }).press('Enter')
  await line('维修中心').waitFor()
  await line('维修中心').press('Delete')
  await dialog('删除 维修中心').getByRole('button', { name: '删除' }).click()
  await line('维修中心').waitFor({ state: 'detached' })
})

const sheet_lines: Record<string, string>[] = [
  { 上级部门全路径: '启明实验学校/总务处', 部门名称: '园艺组', 部门类型: '其他', 是否年级: '否' },
  { 上级部门全路径: '总务处/园艺组', 部门名称: '温室', 部门类型: '其他', 是否年级: '否' },
  { 上级部门全路径: '没有的处', 部门名称: '档案组', 部门类型: '其他', 是否年级: '否' },
]

test('a sheet of departments is checked, its wrong line left out, written and seen in the tree; the list is exported', async () => {
  await openAt(page, url, '/OrganizationTeacher')
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await page.locator('input[type=file]').setInputFiles(await filledTemplate())
  await page.getByRole('button', { name: '确认导入' }).waitFor()
  await page.getByRole('tab', { name: /错误/ }).click()
  await page.getByText('部门不存在：没有的处').first().waitFor()
  await picture(page, 'dept-import')
  await page.getByRole('row').filter({ hasText: '部门不存在' }).getByRole('button', { name: '忽略此行' }).click()
  await page.getByRole('tab', { name: /错误\s*0/ }).waitFor()
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await page.getByText('导入完成').waitFor()
  await page.getByRole('button', { name: '完成' }).click()
  await line('园艺组').press('ArrowRight')
  await line('温室').waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  await dialog('导出部门清单').getByRole('button', { name: '导出' }).click()
  await page.getByRole('button', { name: /下载/ }).first().waitFor()
})

test('departments without a leader are listed in red; one gets its leader', async () => {
  await openAt(page, url, '/OrganizationTeacher')
  const vacant = page.getByRole('button', { name: /^缺负责人 \d+$/ })
  const before = Number((await vacant.innerText()).replace(/\D/g, ''))
  await vacant.click()
  const panel = page.getByRole('region', { name: '缺负责人的部门' })
  await panel.getByText('教研组 / 美术教研组 / 高中美术备课组').waitFor()
  await picture(page, 'organization-teacher-vacant')
  expect(await axeFindings(page, 'main')).toEqual([])
  await panel.getByRole('button', { name: '设置负责人 高中美术备课组' }).click()
  const form = dialog('编辑备课组：高中美术备课组')
  await form.getByLabel('负责人', { exact: true }).click()
  await page.locator('.ant-select-item-option').first().click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `缺负责人 ${before - 1}` }).waitFor()
  expect(await panel.getByText('高中美术备课组').count()).toBe(0)
})

test('the chart is drawn larger and smaller, leads to the people of a department, and is saved as a picture', async () => {
  await openAt(page, url, '/OrganizationTeacher?view=chart')
  const chart = page.getByRole('region', { name: '架构图' })
  const box = chart.getByRole('button', { name: /^教务处，负责人/ })
  await box.waitFor()
  await picture(page, 'organization-teacher-chart')
  expect(await axeFindings(page, 'main')).toEqual([])
  const shown = () => chart.locator('.team-zoom').innerText()
  const before = Number.parseInt(await shown(), 10)
  await chart.getByRole('button', { name: '缩小' }).click()
  expect(Number.parseInt(await shown(), 10)).toBeLessThan(before)
  await box.press('+')
  expect(Number.parseInt(await shown(), 10)).toBe(before)
  const [saved] = await Promise.all([page.waitForEvent('download'), chart.getByRole('button', { name: '保存图片' }).click()])
  expect(saved.suggestedFilename()).toMatch(/^启明实验学校教职工组织架构\d{4}-\d{2}-\d{2}\.png$/)
  expect((await stat(await saved.path())).size).toBeGreaterThan(50_000)
  await box.press('Enter')
  await members('教务处').getByText(/^共 \d+ 人/).waitFor()
  expect(faults).toEqual([])
})

/** The template as the school downloads it, filled. @returns its path */
async function filledTemplate(): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: '下载模板' }).click()])
  expect(download.suggestedFilename()).toBe('部门班级导入模板.xlsx')
  const empty = join(folder, 'empty.xlsx')
  await download.saveAs(empty)
  const { rows } = await readSheet(empty)
  const head = rows[1]?.cells.map(cell => cell.text) ?? []
  const columns = head.map(label => ({ label, prop: label, required: false, text: true }))
  const file = join(folder, '部门.xlsx')
  await writeFile(file, await writeTemplate({ sheet: '部门班级导入', notes: ['第1行是填写说明'], columns, samples: sheet_lines.map(cells => head.map(label => cells[label] ?? '')) }))
  return file
}
