// 信息采集: the school sees how far its task is; an answer is decided field by field; a family confirms or corrects, and what is typed stays.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from './browser.ts'
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

test('the administrator sees how far each class is; the form of a new task tells what is missing', async () => {
  await page.goto(`${url}/CollectInformation?tab=tasks`)
  const old = page.getByRole('article', { name: '开学信息核对', exact: true })
  await old.getByText(/^已填写 /).waitFor()
  await old.getByText('82%', { exact: true }).waitFor()
  await old.getByRole('button', { name: '按班级查看' }).click()
  await expect.poll(() => old.getByRole('list', { name: '各班进度' }).getByRole('listitem').count()).toBeGreaterThan(50)
  await picture(page, 'collect-tasks')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '新建采集任务' }).click()
  const editor = page.getByRole('dialog', { name: '新建采集任务' })
  await editor.getByText('现住址', { exact: true }).waitFor()
  await editor.getByLabel('标题').fill('住址核对')
  await editor.getByRole('button', { name: /^保\s?存$/ }).click()
  await editor.getByText('请选择班级', { exact: true }).waitFor()
  await editor.getByText('请选择截止时间', { exact: true }).waitFor()
  await picture(page, 'collect-editor')
  await leaveByKey(page, editor)
})

test('an answer that waits shows what it changes; a field is left out, the rest is taken', async () => {
  await page.goto(`${url}/CollectInformation?tab=review`)
  const answers = page.getByRole('region', { name: '采集答复列表' })
  const heading = answers.getByRole('heading', { name: /^采集答复（\d+）$/ })
  const before = Number((await heading.textContent())?.replace(/\D/g, ''))
  await answers.locator('tbody .register-name').first().click()
  const drawer = page.getByRole('dialog', { name: / · 开学信息核对$/ })
  await drawer.getByRole('button', { name: '采用所选（2）' }).waitFor()
  await drawer.getByRole('checkbox', { name: '电子信箱' }).uncheck()
  await picture(page, 'collect-answer')
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await drawer.getByRole('button', { name: '采用所选（1）' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await answers.getByRole('heading', { name: `采集答复（${before - 1}）` }).waitFor()
  expect(faults).toEqual([])
})

test('staff are asked about themselves; the form stands alone, what is typed survives a reload, a wrong value is told beside it', async () => {
  await page.goto(`${url}/CollectInformation?tab=tasks`)
  await page.getByRole('button', { name: '新建采集任务' }).click()
  const editor = page.getByRole('dialog', { name: '新建采集任务' })
  await editor.getByText('教职工（本人填写）').click()
  await editor.getByLabel('标题').fill('干部信息核对')
  await editor.getByRole('combobox', { name: '部门' }).click()
  await page.locator('.ant-select-tree-treenode').filter({ hasText: '校领导' }).locator('.ant-select-tree-checkbox').click()
  await editor.getByLabel('标题').click()
  await editor.getByLabel('截止时间').fill(`${new Date().getFullYear() + 1}-12-31 18:00`)
  await editor.getByLabel('截止时间').press('Enter')
  await picture(page, 'collect-editor-staff')
  await editor.getByRole('button', { name: '保存并开始采集' }).click()
  await page.getByText(/^已开始，共 \d+ 人$/).waitFor()
  await page.goto(`${url}/InformationDialog`)
  const line = page.getByRole('listitem').filter({ hasText: '干部信息核对' })
  await line.getByRole('button', { name: /^填\s?写$/ }).click()
  await page.getByRole('button', { name: '信息无误' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  await page.getByLabel('电子信箱').fill('不是邮箱')
  await page.getByRole('button', { name: '提交修改' }).click()
  await page.getByRole('alert').filter({ hasText: '邮箱格式不正确' }).waitFor()
  await page.getByLabel('电子信箱').fill('office@example.com')
  await page.reload()
  await line.getByRole('button', { name: /^填\s?写$/ }).click()
  await expect.poll(() => page.getByLabel('电子信箱').inputValue()).toBe('office@example.com')
  await picture(page, 'collect-form')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '提交修改' }).click()
  await line.getByText('等待学校审核').waitFor()
  await page.goto(`${url}/CollectInformation?tab=mine`)
  await line.getByText('等待学校审核').waitFor()
  expect(faults.filter(fault => !/status of (409|422)/.test(fault))).toEqual([])
})

test('pupils chosen in the roll are asked without choosing their classes', async () => {
  await page.goto(`${url}/ParentsRecord`)
  const rows = page.locator('tbody .ant-table-row')
  for (const row of [2, 3]) await rows.nth(row).getByRole('checkbox').check()
  await page.getByRole('button', { name: '发起信息收集' }).click()
  const editor = page.getByRole('dialog', { name: '新建采集任务' })
  await editor.getByText('已选择的 2 人').waitFor()
  await editor.getByLabel('标题').fill('个别核对')
  await editor.getByRole('button', { name: /^保\s?存$/ }).click()
  await editor.getByText('请选择截止时间', { exact: true }).waitFor()
  await editor.getByLabel('截止时间').fill(`${new Date().getFullYear() + 1}-12-31 18:00`)
  await editor.getByLabel('截止时间').press('Enter')
  await editor.getByRole('button', { name: /^保\s?存$/ }).click()
  await page.getByText('已保存').waitFor()
  await page.goto(`${url}/CollectInformation?tab=tasks`)
  await page.getByRole('article', { name: '个别核对' }).getByText('未开始').waitFor()
})
