import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const [half_hours, weekdays] = [48, 7] as const
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
})

/** Drags over the week: days from 0 (Monday), half hours from 0. */
async function drag(grid: Locator, from: { day: number; at: number }, to: { day: number; at: number }): Promise<void> {
  const box = await grid.boundingBox()
  if (!box) throw new Error('the week is not shown')
  const point = ({ day, at }: { day: number; at: number }) => [box.x + ((at + 0.5) / half_hours) * box.width, box.y + ((day + 0.5) / weekdays) * box.height] as const
  await page.mouse.move(...point(from))
  await page.mouse.down()
  await page.mouse.move(...point(to), { steps: 4 })
  await page.mouse.up()
}

const drawer = () => page.locator('.ant-drawer-content-wrapper').last()
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

test('a door rule is painted, refused where it meets another one, mended, seen, stopped and deleted', async () => {
  await page.goto(`${url}/DeviceRuleDoor`)
  await row('实验楼夜间常闭').getByRole('img', { name: /每天22:30-05:30常闭/u }).waitFor()
  await picture(page, 'rule-list')
  expect(await axeFindings(page, 'main')).toEqual([])

  await page.getByRole('button', { name: '新增门禁规则' }).click()
  const form = drawer()
  await form.getByRole('textbox', { name: '规则名称' }).fill('期末夜间常闭')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请选择适用的设备或场所').waitFor()
  await form.getByText('请至少设置一个时段').waitFor()

  const places = form.getByRole('combobox', { name: '适用场所' })
  await places.click()
  await places.pressSequentially('实验楼')
  await page.locator('.ant-select-tree-title', { hasText: /^实验楼$/u }).click()
  await places.press('Escape')
  await drag(form.getByTestId('week-grid'), { day: 0, at: 44 }, { day: 4, at: 47 })
  await form.getByRole('group', { name: '时段1' }).getByRole('textbox', { name: '时段1 开始' }).and(form.locator('[value="22:00"]')).waitFor()
  await form.getByText('与规则“实验楼夜间常闭”时间冲突').waitFor()
  await form.getByText('生效设备（').waitFor()
  await picture(page, 'rule-editor')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  await form.getByRole('button', { name: '保存' }).click()
  await form.locator('.ant-form-item-explain-error').filter({ hasText: '与规则“实验楼夜间常闭”时间冲突' }).waitFor()
  await form.getByRole('spinbutton', { name: '优先级' }).fill('60')
  await form.getByRole('textbox', { name: '时段1 结束' }).fill('22:00')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('开始时间不能等于结束时间').waitFor()
  await form.getByRole('textbox', { name: '时段1 结束' }).fill('24:00')
  await form.getByRole('button', { name: '保存' }).click()
  await row('期末夜间常闭').getByRole('img', { name: '周一至周五22:00-24:00常闭' }).waitFor()

  const toggle = page.getByRole('switch', { name: '启用 期末夜间常闭' })
  await toggle.click()
  await page.locator('[role=switch][aria-label="启用 期末夜间常闭"][aria-checked=false]').waitFor()
  await page.getByRole('button', { name: '更多 期末夜间常闭' }).click()
  await page.getByRole('menuitem', { name: '删除' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
  await row('期末夜间常闭').waitFor({ state: 'detached' })
  expect(faults.filter(fault => !fault.includes('409'))).toEqual([])
})

test('the rules of screens have their own fields', async () => {
  await page.goto(`${url}/DeviceRuleClose`)
  await row('行政楼班牌和屏幕夜间关机').waitFor()
  await page.getByRole('button', { name: '编辑 行政楼班牌和屏幕夜间关机' }).click()
  await drawer().getByText('例外日期').waitFor()
  await picture(page, 'rule-close')
  await page.goto(`${url}/DeviceRuleSleep`)
  await row('行政楼午休调暗屏幕').waitFor()
  await page.getByRole('button', { name: '编辑 行政楼午休调暗屏幕' }).click()
  await drawer().getByText('唤醒方式').waitFor()
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
})
