import { createHash } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openSignedIn, picture } from './browser.ts'
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
  await openAt(page, url, '/DeviceRuleDoor')
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
  await openAt(page, url, '/DeviceRuleClose')
  await row('行政楼班牌和屏幕夜间关机').waitFor()
  await page.getByRole('button', { name: '编辑 行政楼班牌和屏幕夜间关机' }).click()
  await drawer().getByText('例外日期').waitFor()
  await picture(page, 'rule-close')
  await openAt(page, url, '/DeviceRuleSleep')
  await row('行政楼午休调暗屏幕').waitFor()
  await page.getByRole('button', { name: '编辑 行政楼午休调暗屏幕' }).click()
  await drawer().getByText('唤醒方式').waitFor()
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
})

const dialog = () => page.getByRole('dialog').last()
const menu = (title: string) => page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: title, exact: true }).click()
const choose = async (label: string, option: string) => {
  await dialog().getByRole('combobox', { name: label }).click()
  await page.locator('.ant-select-dropdown:visible').locator('.ant-select-item-option').filter({ hasText: option }).first().click()
}

test('settings are decided for a model and for one device: what no device takes is told beside its field, and what is typed is not lost by the way', async () => {
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'detached' })
  await menu('设备配置')
  await page.getByRole('button', { name: '新增方案' }).click()
  await dialog().getByLabel('方案名称').fill('旅程方案')
  await choose('型号', 'JD-C4')
  await choose('取得IP的方式', '固定IP')
  await dialog().getByRole('textbox', { name: 'IP地址', exact: true }).fill('300.1.1.1')
  await dialog().getByRole('button', { name: '保存' }).click()
  for (const sentence of ['IP地址不合法', '固定IP请填写子网掩码']) await dialog().getByText(sentence, { exact: true }).waitFor()
  await picture(page, 'config-profile')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '放弃修改' }).click()
  await row('全校校时与防拆').waitFor()

  await page.getByRole('tab', { name: '单机配置' }).click()
  await page.getByRole('combobox', { name: '设备', exact: true }).fill('西门')
  await page.locator('.ant-select-item-option').first().click()
  const volume = page.getByRole('spinbutton', { name: '音量' })
  await volume.fill('7')
  await page.getByRole('tab', { name: '差异' }).click()
  await page.getByRole('dialog').getByText('内容尚未保存，确定放弃修改吗？').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').waitFor()
  await row('音量').getByText('设备', { exact: true }).waitFor()
  expect(await volume.inputValue()).toBe('7')
  expect(await axeFindings(page, 'main')).toEqual([])
})

test('a package is taken in when it is what its maker says, and brought to a device', async () => {
  await page.getByRole('tab', { name: '固件包' }).click()
  await page.getByRole('button', { name: '上传固件' }).click()
  const file = dialog().locator('input[type=file]')
  const bytes = Buffer.from('jbn 9.9.1\nrest')
  await file.setInputFiles({ name: '系统.exe', mimeType: 'application/octet-stream', buffer: bytes })
  await dialog().getByText('固件只支持jbn、jap、dpk、zip格式').waitFor()
  await file.setInputFiles({ name: '系统.jbn', mimeType: 'application/octet-stream', buffer: bytes })
  await choose('适用型号', 'JD-F10')
  await dialog().getByLabel('版本号').fill('9.9.1')
  await dialog().getByLabel('MD5').fill('f'.repeat(32))
  await dialog().getByRole('button', { name: '上传', exact: true }).click()
  await dialog().getByText('文件校验失败，请重新上传').waitFor()
  await picture(page, 'firmware-upload')
  await page.keyboard.press('Escape')
  await page.getByText('内容尚未保存，确定放弃修改吗？').waitFor()
  await page.getByRole('dialog').filter({ hasText: '内容尚未保存' }).getByRole('button', { name: '取消' }).click()
  await page.getByLabel('MD5').fill(createHash('md5').update(bytes).digest('hex'))
  await page.getByRole('button', { name: '上传', exact: true }).click()
  await page.getByRole('button', { name: '升级 9.9.1' }).click()
  await dialog().getByRole('button', { name: '开始升级' }).click()
  await dialog().getByText('请选择设备').waitFor()
  await dialog().locator('#device-upgrade_device_ids').fill('南门')
  await page.locator('.ant-select-dropdown:visible').getByTitle('南门人脸终端1-进', { exact: true }).click()
  await dialog().getByText('升级固件', { exact: true }).click()
  await dialog().getByRole('button', { name: '开始升级' }).click()
  await page.getByText('已开始升级1台设备').waitFor()
  await page.getByRole('tab', { name: '升级任务' }).click()
  await row('9.9.1').getByText('第1批：1台').waitFor()
  await row('9.9.1').getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '取消任务' }).click()
  await row('9.9.1').getByText('已取消').waitFor()
})

test('30-A23 warnings are decided one after the other by key; a note goes with its warning, and U takes the last decision back', async () => {
  // The days of the demo, whatever today is.
  await openAt(page, url, '/KuangshiAIRecord?from=2026-10-25&to=2026-11-20')
  const list = page.getByRole('list', { name: '预警列表' })
  await list.getByRole('listitem').nth(1).waitFor()
  const first = await list.getByRole('checkbox').first().getAttribute('aria-label') ?? ''
  await page.getByLabel('处理说明').fill('已到现场劝阻')
  await page.getByLabel('处理说明').blur()
  for (const key of ['j', 'k', 'w']) await page.keyboard.press(key)
  await list.getByRole('checkbox', { name: first }).waitFor({ state: 'detached' })
  await picture(page, 'ai-triage')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.keyboard.press('u')
  await list.getByRole('checkbox', { name: first }).waitFor()
  const detail = page.getByRole('region', { name: '预警详情' })
  await detail.getByText('标记为违规：已到现场劝阻').waitFor()
  await detail.getByText('撤销处理').waitFor()
  await page.keyboard.press('i')
  await list.getByRole('checkbox', { name: first }).waitFor({ state: 'detached' })
  expect(faults.filter(fault => !/409|422/u.test(fault))).toEqual([])
})
