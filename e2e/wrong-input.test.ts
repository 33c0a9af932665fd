import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openAt, openSignedIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { sharedServer } from './server.ts'

const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  ;({ browser, page } = await openSignedIn(server.url))
  page.setDefaultTimeout(20_000)
})
afterAll(() => browser?.close())

const dialog = (name: string) => page.getByRole('dialog', { name })
const sentences = (name: string) => dialog(name).locator('.ant-form-item-explain-error')

async function giveUp(name: string): Promise<void> {
  await page.keyboard.press('Escape')
  await dialog('内容尚未保存，确定放弃修改吗？').getByRole('button', { name: '放弃修改' }).click()
  await leaveByKey(page, dialog(name))
}

test('a name that is taken is said beside its field, and what was typed stays', async () => {
  await openAt(page, server.url, '/RoleGroupSet')
  await page.getByRole('button', { name: '新增角色', exact: true }).click()
  const name = dialog('新增角色').getByLabel('名称')
  await name.fill('审计员')
  const group = dialog('新增角色').getByLabel('角色组')
  await group.click()
  await page.locator('.ant-select-item-option').filter({ hasText: '管理与保障人员' }).click()
  await dialog('新增角色').getByRole('button', { name: '保存' }).click()
  await sentences('新增角色').getByText('名称已存在').waitFor()
  expect(await dialog('新增角色').getByRole('alert').filter({ hasText: '名称已存在' }).and(page.locator('.ant-alert')).count()).toBe(0)
  expect(await name.inputValue()).toBe('审计员')
  await group.click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option:not(.ant-select-item-option-selected)').first().click()
  await dialog('新增角色').getByRole('button', { name: '保存' }).click()
  await sentences('新增角色').getByText('“管理与保障人员”中已有同名角色，请换一个名称').waitFor()
  await giveUp('新增角色')
})

test('a number beyond its bounds stays as typed and says the bounds; digits of a Chinese keyboard are digits', async () => {
  await openAt(page, server.url, '/SchoolRecord')
  await page.getByRole('tab', { name: '消息通道' }).click()
  await page.getByRole('button', { name: '设置短信' }).click()
  const [day, person] = [dialog('短信通道设置').getByLabel('全校每日上限'), dialog('短信通道设置').getByLabel('每人每日上限')]
  await day.fill('99999999')
  await person.fill('１２')
  await dialog('短信通道设置').getByRole('button', { name: '保存' }).click()
  await sentences('短信通道设置').getByText('请输入0-1000000之间的整数').waitFor()
  expect(await day.inputValue()).toBe('99999999')
  expect(await person.inputValue()).toBe('12')
  expect(await sentences('短信通道设置').count()).toBe(1)
  await giveUp('短信通道设置')
})

test('a day or a month that is none says how to type it, and a birthday to come that it cannot be', async () => {
  await openAt(page, server.url, '/ParentsRecord')
  await page.getByRole('button', { name: '新增学生' }).click()
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('出生日期', { exact: true }) })
  await form.getByLabel('出生日期', { exact: true }).fill('2018年5月')
  await form.getByText('格式不正确，请填写年月日，如 20180512').waitFor()
  await form.getByLabel('出生日期', { exact: true }).fill('20991231')
  await form.getByText('出生日期不能晚于今天').waitFor()
  await form.getByLabel('入学年月', { exact: true }).fill('2026')
  await form.getByText('格式不正确，请填写年月，如 202509').waitFor()
  await form.getByLabel('入学年月', { exact: true }).fill('2026-09')
  await form.getByText('格式不正确，请填写年月，如 202509').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '放弃修改' }).click()
  await form.waitFor({ state: 'hidden' })
})

test('numbers and times of a rule for AI boxes stay as typed and say their bounds; a time of a Chinese keyboard is one', async () => {
  await openAt(page, server.url, '/KuangshiAIRules')
  await page.getByRole('button', { name: '新增AI预警规则' }).click()
  const drawer = dialog('新增AI预警规则')
  await drawer.getByLabel('灵敏度').fill('500')
  await drawer.getByRole('button', { name: '添加时段' }).click()
  await drawer.getByLabel('时段1 开始').fill('８：３０')
  await drawer.getByLabel('时段1 结束').fill('25:00')
  await drawer.getByRole('button', { name: '保存' }).click()
  await sentences('新增AI预警规则').getByText('灵敏度为1到100').waitFor()
  await drawer.getByRole('alert').filter({ hasText: '时间格式为08:00' }).waitFor()
  expect(await Promise.all(['灵敏度', '时段1 开始', '时段1 结束'].map(label => drawer.getByLabel(label).inputValue()))).toEqual(['500', '08:30', '25:00'])
  await giveUp('新增AI预警规则')
})

test('a place that is none stays as typed, and its sentence stands beside the field', async () => {
  await openAt(page, server.url, '/SchoolRecord')
  const [east, north] = [page.getByLabel('经度', { exact: true }), page.getByLabel('纬度', { exact: true })]
  await east.fill('200')
  await north.fill('九十')
  await page.locator('.record-form').getByRole('button', { name: '保存' }).click()
  await page.getByText('请输入-180到180之间的数字').waitFor()
  await page.getByText('请输入-90到90之间的数字').waitFor()
  expect([await east.inputValue(), await north.inputValue()]).toEqual(['200', '九十'])
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog('内容尚未保存，确定放弃修改吗？').getByRole('button', { name: '放弃修改' }).click()
  await expect.poll(() => north.inputValue()).not.toBe('九十')
})
