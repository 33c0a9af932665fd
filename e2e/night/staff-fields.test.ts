// 字段设置 of the staff: a field is made, filled for a teacher by its rule, found in list, file and person page, and archived.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { sharedServer } from '../server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

/** Whose field is filled. */
let who: string

/** Searches for one person. */
async function find(name: string): Promise<void> {
  const search = page.getByRole('textbox', { name: '关键字' })
  await search.fill(name)
  await search.press('Enter')
  await page.getByText('共 1 条').waitFor()
}

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

test('a field of staff is made, filled by its rule and read in the file', async () => {
  await page.goto(`${url}/TeachersRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
  await picture(page, 'staff-field-list')
  await page.getByRole('button', { name: '字段设置' }).click()
  const settings = dialog('教职工字段设置')
  await settings.getByText('办公室').waitFor()
  await picture(page, 'staff-fields')
  expect(await axeFindings(page)).toEqual([])
  await settings.getByRole('button', { name: '新增字段' }).click()
  const form = dialog('新增字段')
  await form.getByText('必填：新增教职工时必须填写，不能清空').waitFor()
  await form.getByLabel('字段名称').fill('职称')
  await form.getByLabel('字段编码').fill('lockers')
  await form.getByLabel('类型', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: '单选' }).click()
  await form.getByLabel('字典', { exact: true }).click()
  await page.keyboard.type('民族')
  await page.locator('.ant-select-item-option', { hasText: '民族' }).click()
  await form.getByLabel('选项', { exact: true }).waitFor({ state: 'detached' })
  await picture(page, 'staff-field-dict')
  expect(await axeFindings(page)).toEqual([])
  await form.getByLabel('类型', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: '数字' }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('字段名称与已有字段相同，请换一个').waitFor()
  await form.getByLabel('字段名称').fill('储物柜数量')
  await form.getByLabel(/^名册：/).check()
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  await settings.getByRole('listitem').filter({ hasText: '储物柜数量' }).waitFor()
  await leaveByKey(page, settings)

  // Whoever is new stands in front, and other journeys work on him.
  who = (await page.getByRole('button', { name: /^编辑 / }).last().getAttribute('aria-label'))?.replace('编辑 ', '') ?? ''
  await find(who)
  const edit = page.getByRole('button', { name: `编辑 ${who}`, exact: true })
  await edit.click()
  const editor = dialog(/^编辑教职工/)
  const lockers = editor.getByLabel('储物柜数量')
  await lockers.fill('两个')
  await editor.getByText('请填写数字，最多四位小数').waitFor()
  await lockers.fill('2')
  await editor.getByText('请填写数字，最多四位小数').waitFor({ state: 'detached' })
  await picture(page, 'staff-field-editor')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  await editor.getByRole('button', { name: '保存', exact: true }).click()
  await editor.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `详情 ${who}`, exact: true }).click()
  const detail = dialog('教职工档案')
  await detail.getByRole('region', { name: '其他信息' }).getByRole('definition').filter({ hasText: /^2$/ }).waitFor()
  await picture(page, 'staff-field-detail')
  await leaveByKey(page, detail)
  expect(faults.filter(fault => !/status of 409/.test(fault))).toEqual([])
})

test('the list offers the field as column and filter, the export what is live; then it is archived', async () => {
  await page.goto(`${url}/TeachersRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
  const settings = dialog('教职工字段设置')
  await find(who)
  const edit = page.getByRole('button', { name: `编辑 ${who}`, exact: true })
  await page.getByRole('button', { name: '展开', exact: true }).click()
  await page.getByLabel('自定义字段', { exact: true }).click()
  await page.keyboard.type('储物柜数量：未填')
  await page.locator('.ant-select-item-option', { hasText: '储物柜数量：未填' }).click()
  await page.getByRole('button', { name: '查询', exact: true }).click()
  await edit.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '列设置' }).click()
  const columns = dialog('列设置')
  await columns.getByText('储物柜数量').waitFor()
  await leaveByKey(page, columns)
  await page.getByRole('button', { name: '重置', exact: true }).click()

  await page.getByRole('button', { name: '字段设置' }).click()
  await settings.getByRole('button', { name: '停用 储物柜数量' }).click()
  await settings.getByText('显示已停用（1）').click()
  await settings.getByRole('button', { name: '启用 储物柜数量' }).waitFor()
  await leaveByKey(page, settings)
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const sheet = dialog('导出教职工')
  await sheet.getByRole('checkbox', { name: '办公室' }).waitFor()
  expect(await sheet.getByRole('checkbox', { name: '储物柜数量' }).count()).toBe(0)
  await sheet.getByRole('checkbox', { name: '紧急联系人手机' }).uncheck()
  await picture(page, 'staff-field-export')
  expect(await axeFindings(page)).toEqual([])
  await sheet.getByRole('button', { name: '导出', exact: true }).click()
  await page.getByRole('button', { name: /下载/ }).first().waitFor()
  expect(faults.filter(fault => !/status of 409/.test(fault))).toEqual([])
})
