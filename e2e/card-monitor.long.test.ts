import { cardReadApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { demo_tray, JdevTerminal, openReader, VirtualReader } from '@apps/terminal'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { trouble } from './answers.ts'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]
let terminal: JdevTerminal

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await terminal?.stop()
  await browser?.close()
})

/** A reader of its own at the south gate, which comes by the address of the console. */
async function readerAtTheGate(): Promise<{ terminal: JdevTerminal; place_id: string }> {
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const [campus] = dataOf(placeApi.tree, await send(url, placeApi.tree, { lazy: '1' }, { token })).list
  const { place } = dataOf(placeApi.create, await send(url, placeApi.create, { superior_id: campus?.place_id ?? '', place_name: '监控试验门', place_kind: 9 }, { token }))
  const draft = { device_sn: 'MONITOR-1', device_name: '监控试验终端', device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { setup } = dataOf(deviceApi.create, await send(url, deviceApi.create, draft, { token }))
  const reader = new JdevTerminal({ url: `${url.replace('http', 'ws')}/mqtt`, sn: draft.device_sn, secret: setup?.secret ?? '', prefix: setup?.topic_prefix ?? '' })
  await reader.start()
  return { terminal: reader, place_id: place.place_id }
}

const lines = () => page.getByRole('list', { name: '刷卡记录' }).getByRole('listitem')
const last = () => page.getByRole('region', { name: '最近一次' })

test('who holds a card to a reader stands there at once; held still it counts, and goes on where it was', async () => {
  await page.goto(`${url}/IconMenu`)
  const gate = await readerAtTheGate()
  terminal = gate.terminal
  await page.goto(`${url}/CardMonitor?place_id=${gate.place_id}`)
  await page.getByText('最近一天没有刷卡和通行记录，有人刷卡时会立即出现在这里').waitFor()
  expect(await axeFindings(page)).toEqual([])
  terminal.tell('card', { code: 'ABCDEF0123' })
  await last().getByText('未知卡 ****0123').waitFor()
  terminal.pass({ verify: 1, result: 5 })
  await last().getByText('陌生人').first().waitFor()
  await lines().nth(1).getByRole('button', { name: '复制卡号尾号' }).waitFor()
  await page.getByText('最近30分钟 2 次').waitFor()
  await picture(page, 'card-monitor')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('list', { name: '刷卡记录' }).click()
  await page.keyboard.press('Space')
  await page.getByText('0 条新记录').waitFor()
  terminal.pass({ verify: 2, result: 9, code_masked: '****7777' })
  await page.getByText('1 条新记录').waitFor()
  expect(await lines().count()).toBe(2)
  await page.keyboard.press('Space')
  await last().getByText('卡已挂失').waitFor()
  expect(await lines().count()).toBe(3)
  expect(faults).toEqual([])
})

test('the passes of the chosen place leave as a sheet; days that cannot be are told at their field and stay as they were typed', async () => {
  await page.getByRole('button', { name: '导出' }).click()
  const dialog = page.getByRole('dialog', { name: '导出通行记录' })
  await dialog.getByText(/^将导出 [1-9]\d* 条通行记录/u).waitFor()
  await dialog.locator('.ant-select', { has: page.getByLabel('场所（含下级）') }).getByText('监控试验门').waitFor()
  await dialog.getByLabel('姓名或编号').fill('无此人')
  await dialog.getByText(/^没有符合条件的通行记录/u).waitFor()
  await dialog.getByLabel('姓名或编号').fill('')
  const [from, to] = [dialog.getByLabel('开始日期'), dialog.getByLabel('结束日期')]
  const today = await to.inputValue()
  await to.fill('2026-01-02')
  await to.press('Enter')
  await dialog.getByLabel('导出原因').fill('核对考勤')
  await dialog.getByRole('button', { name: '导出' }).click()
  await dialog.getByText('结束日期不能早于开始日期').waitFor()
  await picture(page, 'card-export')
  expect(await axeFindings(page)).toEqual([])
  expect([await to.inputValue(), await dialog.getByLabel('导出原因').inputValue()]).toEqual(['2026-01-02', '核对考勤'])
  await from.fill('2026-01-01')
  await from.press('Enter')
  await to.fill(today)
  await to.press('Enter')
  await dialog.getByRole('button', { name: '导出' }).click()
  await dialog.getByText('一次最多导出31天的记录，请缩小日期范围').waitFor()
  await from.fill(today)
  await from.press('Enter')
  const [file] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: '导出' }).click()])
  expect(file.suggestedFilename()).toMatch(/^通行记录_\d{12}\.xlsx$/u)
  await dialog.waitFor({ state: 'detached' })
})

test('a monitor that cannot be read says so, and 重试 brings it', async () => {
  const relieve = await trouble(page, cardReadApi.recent, 'broken')
  await page.goto(`${url}/CardMonitor`)
  await page.getByText('系统异常，请稍后重试').first().waitFor()
  await relieve()
  await page.getByRole('button', { name: '重试' }).click()
  await last().waitFor()
})

test('a card on the reader of this workstation is told whose it is; a pulled cable and a stopped service are told, and reading goes on by itself', async () => {
  const [one, two] = demo_tray
  const reader = new VirtualReader(demo_tray)
  const tray = { reader, cards: demo_tray, origins: [url] }
  const service = await openReader(tray, 32_156)
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '智能卡管理', exact: true }).click()
  await page.getByRole('radio', { name: '总务处发卡窗口' }).check()
  await page.getByRole('button', { name: '开始读卡' }).click()
  await page.getByText('请放卡', { exact: true }).waitFor()
  reader.lying.add(one?.uid_hex ?? '')
  await page.getByText(/与已发的卡一致：.+，读数写法为正码十六进制$/u).waitFor()
  await picture(page, 'smart-card')
  expect(await axeFindings(page, 'main')).toEqual([])
  reader.is_plugged = false
  await page.getByText('读卡器未打开或已断开，请检查数据线，恢复后自动继续').waitFor()
  await service.close()
  await page.getByText('读卡服务没有响应，请确认本机已安装并启动读卡服务').waitFor()
  Object.assign(reader, { is_plugged: true, lying: new Set([two?.uid_hex ?? '']) })
  const again = await openReader(tray, 32_156)
  await page.getByRole('main').getByText(two?.uid_hex ?? '', { exact: true }).first().waitFor()
  await page.getByText('读取成功', { exact: true }).waitFor()
  await page.getByRole('button', { name: '停止读卡' }).click()
  await again.close()
  await page.getByLabel('卡号（十六进制）').fill('没有这张卡')
  await page.getByLabel('卡号（十六进制）').press('Enter')
  await page.getByText('卡号应为6到20位十六进制').waitFor()
})
