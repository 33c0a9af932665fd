// 字段设置: a field is made with its wrong inputs told, filled in a pupil's file with its rule, read there, and archived.
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

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

test('a field is made, filled for a pupil by its rule, read in his file, and archived', async () => {
  await page.goto(`${url}/ParentsRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '字段设置' }).click()
  const settings = dialog('学生字段设置')
  await settings.getByText('兴趣爱好').waitFor()
  await picture(page, 'fields')
  expect(await axeFindings(page)).toEqual([])
  await settings.getByRole('button', { name: '新增字段' }).click()
  const form = dialog('新增字段')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请填写字段名称').waitFor()
  await form.getByLabel('字段名称').fill('身高（厘米）')
  await form.getByLabel('字段编码').fill('Vision')
  await form.getByText(/^以小写字母开头/).waitFor()
  await form.getByLabel('字段编码').fill('vision')
  await form.getByLabel('类型', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: '数字' }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('字段名称与已有字段相同，请换一个').waitFor()
  await form.getByLabel('字段名称').fill('左眼视力')
  await form.getByLabel(/^名册：/).check()
  await picture(page, 'field-form')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await settings.getByRole('button', { name: '上移 左眼视力' }).click()
  await settings.getByRole('listitem').filter({ hasText: '接送人手机' }).locator('~ li', { hasText: '左眼视力' }).waitFor({ state: 'detached' })
  await leaveByKey(page, settings)

  await page.getByRole('button', { name: /^编辑 / }).first().click()
  const editor = dialog(/^编辑学生档案：/)
  const vision = editor.getByLabel('左眼视力')
  await vision.fill('很好')
  await editor.getByText('请填写数字，最多四位小数').waitFor()
  await vision.fill('4.9')
  await editor.getByText('请填写数字，最多四位小数').waitFor({ state: 'detached' })
  await picture(page, 'field-editor')
  await editor.getByRole('button', { name: '保存', exact: true }).click()
  await editor.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /^详情 / }).first().click()
  const detail = dialog('学生档案')
  await detail.getByRole('definition').filter({ hasText: /^4\.9\s*$/ }).waitFor()
  await leaveByKey(page, detail)

  const total = page.getByText(/^共 [\d,]+ 条$/)
  const everybody = await total.innerText()
  await page.getByRole('button', { name: '展开', exact: true }).click()
  await page.getByLabel('自定义字段', { exact: true }).click()
  await page.keyboard.type('左眼视力：未填')
  await page.locator('.ant-select-item-option', { hasText: '左眼视力：未填' }).click()
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await total.and(page.getByText(everybody)).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '列设置' }).click()
  await dialog('列设置').getByText('左眼视力').waitFor()
  await picture(page, 'field-roll')
  await leaveByKey(page, dialog('列设置'))
  await page.getByRole('button', { name: '重置', exact: true }).click()
  await total.and(page.getByText(everybody)).waitFor()

  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '字段设置' }).click()
  await settings.getByRole('button', { name: '停用 左眼视力' }).click()
  await settings.getByText('显示已停用（1）').click()
  await settings.getByRole('button', { name: '启用 左眼视力' }).waitFor()
  expect(faults.filter(fault => !/status of 409/.test(fault))).toEqual([])
})
