import { commandApi, deviceApi, syncApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { JdevTerminal, openFaultPanel, Vf105Terminal } from '@apps/terminal'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { answer } from './answers.ts'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]
let terminal: JdevTerminal | undefined

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await terminal?.stop()
  await browser?.close()
})

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

test('a device is registered with a wrong number told, its secret shown once, moved, looked into and retired', async () => {
  await page.goto(`${url}/DeviceControl`)
  await page.locator('[data-ready="list"]').waitFor()
  await page.getByRole('button', { name: /^全部 6\d\d$/u }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices')
  await register()
  await move()
  await retire()
  // The browser notes the refusal of the taken number by itself.
  expect(faults.filter(line => !line.includes('409 (Conflict)'))).toEqual([])
})

async function register(): Promise<void> {
  await page.getByRole('button', { name: '新增设备' }).click()
  await dialog().getByLabel('名称').fill('北门备用终端')
  await dialog().getByLabel('序列号').fill('QM010001')
  await dialog().getByLabel('类型').click()
  await page.getByTitle('人脸识别终端', { exact: true }).last().click()
  await dialog().getByLabel('IP地址').fill('300.1.1.1')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('IP地址不合法').waitFor()
  await dialog().getByLabel('IP地址').fill('10.1.1.9')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('设备序列号已存在').waitFor()
  await picture(page, 'devices-new')
  await dialog().getByLabel('序列号').fill('BACKUP-1')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('密码只显示这一次，请在设备上填写后再关闭。丢失后可以更换密码。').waitFor()
  expect(await dialog().textContent()).toContain('客户端编号和用户名：BACKUP-1')
  await picture(page, 'devices-setup')
  await dialog().getByRole('button', { name: '我已记录' }).click()
  await dialog().waitFor({ state: 'detached' })
}

async function move(): Promise<void> {
  await page.getByLabel('关键字').fill('BACKUP-1')
  await page.getByLabel('关键字').press('Enter')
  await row('北门备用终端').getByText('未激活').waitFor()
  await row('北门备用终端').getByRole('button', { name: '移动场所' }).click()
  await dialog().getByLabel('新场所').fill('北门')
  await page.getByTitle('北门', { exact: true }).last().click()
  await dialog().getByText('进', { exact: true }).click()
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('北门备用终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByRole('tab', { name: '位置历史' }).click()
  await dialog().getByText('启明实验学校/北门（进）').waitFor()
  await picture(page, 'devices-detail')
  await dialog().getByRole('tab', { name: '下发数据' }).click()
  await dialog().getByText('这台设备没有下发数据：还没有人能在这里通行，或设备还没有连接过').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
}

async function retire(): Promise<void> {
  await row('北门备用终端').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '退役' }).click()
  await dialog().getByRole('button', { name: '退役' }).click()
  await dialog().getByText('请填写原因').waitFor()
  await dialog().getByLabel('原因').fill('换新机')
  await dialog().getByRole('button', { name: '退役' }).click()
  await dialog().waitFor({ state: 'detached' })
  await row('北门备用终端').waitFor({ state: 'detached' })
}

/** A terminal at the east gate that comes by the address of the console and takes everybody who may pass there. */
async function terminalAtTheGate(token: string): Promise<{ device_id: string; user_no: string; user_name: string }> {
  const { list } = dataOf(placeApi.list, await send(url, placeApi.list, { keyword: '东门' }, { token }))
  const draft = { device_sn: 'EAST-1', device_name: '东门备用终端', device_type: '01' as const, model_code: 'JD-F10', place_id: list.find(place => place.place_name.startsWith('东门'))?.place_id ?? '' }
  const { device, setup } = dataOf(deviceApi.create, await send(url, deviceApi.create, draft, { token }))
  terminal = new JdevTerminal({ url: `${url.replace('http', 'ws')}/mqtt`, sn: draft.device_sn, secret: setup?.secret ?? '', prefix: setup?.topic_prefix ?? '', http: url })
  await terminal.start()
  const { device_id } = device
  const asked = async (state: 'applied' | 'pending' | 'sent') => dataOf(syncApi.state_rows, await send(url, syncApi.state_rows, { id: device_id, kind: 'credential', state }, { token }))
  await expect.poll(async () => [(await asked('applied')).total > 0, (await asked('pending')).total, (await asked('sent')).total], { timeout: 60_000 }).toEqual([true, 0, 0])
  const [one] = (await asked('applied')).list
  return { device_id, user_no: one?.user_no ?? '', user_name: one?.user_name ?? '' }
}

/** 30 §10.4: which week is live at the terminal, and that nothing is known of a minute before it came. */
async function lookBack(): Promise<void> {
  await dialog().getByRole('tab', { name: '规则', exact: true }).click()
  await dialog().getByText(/^生效的规则：东门上学时段只认人脸和卡/u).waitFor()
  await dialog().getByRole('row').filter({ hasText: '周一' }).getByText(/^06:50-08:00 正常，只认/u).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-rules')
  await dialog().getByLabel('查看时间').fill('2026-01-05 07:55')
  await dialog().getByLabel('查看时间').press('Enter')
  await dialog().getByText(/起有记录，更早的规则没有留存$/u).waitFor()
  await dialog().getByRole('tab', { name: '下发数据' }).click()
}

/** 30 §10.1: the terminal is written anew while nothing is put on it; the sentence ends with the button that lets everybody in again. */
async function mend(token: string, device_id: string, user_name: string): Promise<void> {
  await send(url, deviceApi.ispush, { device_ids: [device_id], is_push: 0 }, { token })
  await send(url, syncApi.resync, { id: device_id, mode: 'rebuild', confirm: '东门备用终端' }, { token })
  const why = dialog().getByRole('alert').filter({ hasText: user_name })
  await expect.poll(async () => {
    await dialog().getByRole('button', { name: '刷新' }).click()
    return why.textContent()
  }).toContain(`${user_name}现在不能通过“东门备用终端”`)
  await why.getByText('等待下发：设备已暂停下发').waitFor()
  await picture(page, 'devices-why')
  await why.getByRole('button', { name: '恢复下发' }).click()
  await why.getByText(`${user_name}现在可以通过“东门备用终端”`, { exact: false }).waitFor()
}

/** The terminal's own fault panel. */
async function spoil(wanted: { add_local_person: string } | { corrupt_row: string }): Promise<void> {
  if (!terminal) throw new Error('no terminal')
  const panel = await openFaultPanel(terminal, 0)
  const { ok } = await fetch(`http://127.0.0.1:${panel.port}/_test`, { method: 'POST', headers: { authorization: `Bearer ${panel.token}` }, body: JSON.stringify(wanted) })
  await panel.close()
  expect(ok).toBe(true)
}

/** A row of it changes by itself after the read-back, and another read-back finds that as well. */
async function corruptOne(token: string, device_id: string): Promise<void> {
  const found = async () => dataOf(syncApi.drift, await send(url, syncApi.drift, { device_id }, { token })).proof
  await expect.poll(found, { timeout: 60_000 }).toMatchObject({ state: 'done', rows_foreign: 1, rows_different: 0 })
  await spoil({ corrupt_row: [...(terminal?.store.held('person').keys() ?? [])].find(key => key !== 'L9001') ?? '' })
  await send(url, syncApi.resync, { id: device_id, mode: 'verify' }, { token })
  await expect.poll(found, { timeout: 60_000 }).toMatchObject({ state: 'done', rows_foreign: 1, rows_different: 1 })
}

/** 30-A8: who was entered at the terminal itself, and may pass it for ever, stands first and in red. */
async function seeForeignFirst(): Promise<void> {
  const rows = dialog().locator('.ant-table-tbody .ant-table-row')
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringMatching(/^外来人员编号 L9001/u), expect.stringMatching(/^不一致人员/u)])
  const colors: string[] = await page.evaluate("[...document.querySelectorAll('[role=dialog] .ant-table-row .ant-tag')].map(tag => getComputedStyle(tag).color)")
  const is_red = colors.map(color => (color.match(/[0-9]+/gu) ?? []).map(Number)).map(([red = 0, green = 0, blue = 0]) => red > 3 * Math.max(green, blue))
  expect(is_red).toEqual([true, false])
}

/** Somebody has entered a person at the terminal itself: the read-back finds him, and he is taken off again. */
async function readBack(token: string, device_id: string): Promise<void> {
  await dialog().getByRole('tab', { name: '差异' }).click()
  await dialog().getByText('没有待处理的差异').waitFor()
  await picture(page, 'devices-drift-none')
  await spoil({ add_local_person: 'L9001' })
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await row('东门备用终端').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '重建' }).click()
  await dialog().getByLabel('设备名称').fill('东门')
  await dialog().getByRole('button', { name: '重建' }).click()
  await dialog().getByText('请输入设备名称“东门备用终端”，确认重建').waitFor()
  await dialog().getByLabel('设备名称').fill('东门备用终端')
  await dialog().getByRole('button', { name: '重建' }).click()
  await dialog().waitFor({ state: 'detached' })
  await corruptOne(token, device_id)
  await row('东门备用终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByRole('tab', { name: '差异' }).click()
  await dialog().getByText(/核对了\d+条：不一致1条，外来1条$/u).waitFor()
  await seeForeignFirst()
  await dialog().getByLabel('选择 L9001').check()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-drift')
  await dialog().getByRole('button', { name: '从设备删除' }).click()
  await dialog().getByText('L9001').waitFor({ state: 'detached' })
  await expect.poll(() => terminal?.store.held('person').has('L9001')).toBe(false)
}

/** How the line was leaves as a sheet, from beside the events. */
async function exportLinks(): Promise<void> {
  await dialog().getByRole('button', { name: '导出' }).click()
  const question = page.getByRole('dialog', { name: '导出连接记录 东门备用终端' })
  await question.getByText('这台设备上线、离线、被顶替和被拒绝的记录', { exact: false }).waitFor()
  await picture(page, 'devices-links-export')
  const [file] = await Promise.all([page.waitForEvent('download'), question.getByRole('button', { name: '导出' }).click()])
  expect(file.suggestedFilename()).toMatch(/^设备连接记录_\d{12}\.xlsx$/u)
  await question.waitFor({ state: 'detached' })
}

/** 31 §10.1: what is said while somebody looks stands on the side of who said it, with its answer and what it took. */
async function overhear(token: string, device_id: string): Promise<void> {
  await dialog().getByRole('tab', { name: '报文' }).click()
  const said = dialog().getByRole('list', { name: '报文，最新的在前' })
  // Whoever has just begun to watch may miss what happens in that moment.
  await expect.poll(async () => {
    await send(url, commandApi.control, { device_id, command: 'beep' }, { token })
    return said.isVisible()
  }, { interval: 1000 }).toBe(true)
  await said.getByText('命令：鸣响').first().waitFor()
  await said.getByText('命令的应答').first().click()
  await said.getByText(/^设备发来 .*字节，用时\d+毫秒$/u).first().waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-wire')
  await dialog().getByRole('switch', { name: '接收报文' }).click()
  await dialog().getByRole('button', { name: '清空' }).click()
  await dialog().getByText('还没有报文：设备约30秒上报一次状态，也可以在列表的“更多”中校时或校验').waitFor()
}

/** The terminal is broken: a new one takes its place, as soon as it is said that the old one cannot be emptied. */
async function replace(): Promise<void> {
  await row('东门备用终端').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '更换设备' }).click()
  await dialog().getByLabel('新设备序列号').fill('EAST-2')
  await dialog().getByLabel('原因').fill('主板损坏')
  await dialog().getByRole('button', { name: '更换', exact: true }).click()
  await dialog().getByText(/设备上仍有\d+人的数据未清除，请先清空或登记为遗失/u).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-replace')
  await dialog().getByLabel('旧设备已遗失或损坏，数据无法清除').check()
  await dialog().getByRole('button', { name: '更换', exact: true }).click()
  await dialog().getByText('客户端编号和用户名：EAST-2').waitFor()
  await dialog().getByRole('button', { name: '我已记录' }).click()
  await dialog().waitFor({ state: 'detached' })
}

test('30-A8 what a terminal holds is seen in the list and row by row, and who stands before it is told why he gets in or not', async () => {
  await page.goto(`${url}/DeviceControl`)
  await page.locator('[data-ready="list"]').waitFor()
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const { device_id, user_no, user_name } = await terminalAtTheGate(token)
  await page.getByLabel('关键字').fill('EAST-1')
  await page.getByLabel('关键字').press('Enter')
  await row('东门备用终端').getByText(/^已生效\d+$/u).waitFor()
  await picture(page, 'devices-sync')
  await row('东门备用终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByRole('tab', { name: '下发数据' }).click()
  await dialog().getByText(/^已于.*由设备确认生效$/u).first().waitFor()
  await dialog().getByLabel('查找人员').fill(user_no)
  await dialog().getByLabel('查找人员').press('Enter')
  await dialog().getByText(`${user_name}现在可以通过“东门备用终端”：权限、人员和凭证都已在设备上生效。`, { exact: false }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-rows')
  await mend(token, device_id, user_name)
  await lookBack()
  await dialog().getByLabel('查找人员').fill('查无此人')
  await dialog().getByLabel('查找人员').press('Enter')
  await dialog().getByText('没有找到此人，设备上没有他的数据时请输入完整的姓名或编号').waitFor()
  await dialog().getByText('没有符合条件的下发数据').waitFor()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await row('东门备用终端').getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '校时' }).click()
  await page.getByText('东门备用终端校时：已执行').waitFor()
  await row('东门备用终端').getByRole('button', { name: '详情' }).click()
  await readBack(token, device_id)
  await dialog().getByRole('tab', { name: '命令记录' }).click()
  await dialog().getByRole('row').filter({ hasText: '校时' }).getByText('已执行').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-commands')
  await overhear(token, device_id)
  await dialog().getByRole('tab', { name: '事件' }).click()
  await exportLinks()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await replace()
})

test('a terminal that knocks with a code is claimed; how far it has become the school’s own, and what it refuses, is told with what to do', async () => {
  await page.goto(`${url}/DeviceControl`)
  await page.locator('[data-ready="list"]').waitFor()
  await page.getByRole('button', { name: '更多', exact: true }).click()
  await page.getByRole('button', { name: '认领设备' }).click()
  await dialog().getByRole('button', { name: '生成登记码' }).click()
  const code = await dialog().getByLabel('登记码', { exact: true }).locator('code').textContent()
  const theirs = new Vf105Terminal({ url: `${url.replace('http', 'ws')}/mqtt`, sn: 'KNOCK-1', secret: code ?? '' })
  theirs.device.quirks.refuses = 'sys.strangerImage'
  await theirs.start()
  await dialog().getByText('KNOCK-1').waitFor()
  await dialog().getByRole('button', { name: '认领', exact: true }).click()
  // Its number is its own; what the school calls it is missing.
  expect(await dialog().getByLabel('序列号').isDisabled()).toBe(true)
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('请填写设备名称').waitFor()
  await dialog().getByLabel('名称').fill('东门来访终端')
  await dialog().getByLabel('类型').click()
  await page.getByTitle('人脸识别终端', { exact: true }).last().click()
  await dialog().getByLabel('型号').click()
  await page.getByTitle(/^VF105/u).last().click()
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().waitFor({ state: 'detached' })
  await theirs.stop()
  await theirs.start()
  await page.getByLabel('关键字').fill('KNOCK-1')
  await page.getByLabel('关键字').press('Enter')
  await row('东门来访终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByText(/^设备拒绝：“保留陌生人照片”取值不受支持。请在设备自己的管理页面上核对这些设置/u).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-adoption')
  await dialog().getByRole('button', { name: '重试' }).click()
  await page.getByText('设备会重新连接一次，随后自动继续').waitFor()
  theirs.device.quirks.refuses = null
  await theirs.stop()
  await theirs.start()
  await dialog().getByText(/^纳管完成：/u).waitFor()
  await theirs.stop()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('a change that takes many people from a gate stands above the list until somebody signs it with a reason', async () => {
  const plan = { plan_id: '999999', device_id: '1', device_name: '南门进1', node_path_name: '启明实验学校/南门', direction: 1, persons: 612, persons_total: 1565, held_at: '2026-11-20T07:05:00+08:00', names: ['张三', '李四'], groups: [{ name: '九年级1班', persons: 45 }] }
  const relieve = await answer(page, syncApi.holds, () => JSON.stringify({ code: 600, msg: '', data: { list: [plan] } }))
  await page.goto(`${url}/DeviceControl`)
  await page.getByText('将从“南门进1”删除612人（占39%），已暂停，请确认').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-held')
  await page.getByRole('button', { name: '确认删除 南门进1' }).click()
  await dialog().getByRole('button', { name: '确认删除' }).click()
  await dialog().getByText('请填写原因').waitFor()
  await dialog().getByLabel('原因').fill('毕业班离校')
  await dialog().getByRole('button', { name: '确认删除' }).click()
  // What was answered here names no plan of the school.
  await dialog().getByText('数据不存在或已被删除').waitFor()
  await relieve()
})
