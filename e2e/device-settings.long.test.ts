import { deviceApi, schoolSettingApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { answer, trouble } from './answers.ts'
import { openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  ;({ browser, page } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const dialog = () => page.getByRole('dialog')
const row = (name: string) => page.getByRole('row').filter({ hasText: name })

/** A terminal at a place that has been given another name since. */
async function renamedUnder(token: string): Promise<string> {
  const { list } = dataOf(placeApi.tree, await send(url, placeApi.tree, {}, { token }))
  const made = dataOf(placeApi.create, await send(url, placeApi.create, { superior_id: list[0]?.place_id ?? '', place_name: '临时岗亭', place_kind: 9 }, { token }))
  const { device } = dataOf(deviceApi.create, await send(url, deviceApi.create, { device_sn: 'THEN-1', device_name: '岗亭终端', device_type: '01' as const, model_code: 'JD-F10', place_id: made.place.place_id }, { token }))
  dataOf(placeApi.update, await send(url, placeApi.update, { id: made.place.place_id, place_name: '东南门值守岗亭（二期工程临时设置）', row_version: made.place.row_version }, { token }))
  return device.device_id
}

test('30 §3.21 where a device stood is told by the name of today and that of then; §3.15 a clock that is wrong says how far and what to do', async () => {
  await openAt(page, url, '/DeviceControl')
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  await renamedUnder(token)
  const clock = { wrong_since: new Date(Date.now() - 7_200_000).toISOString(), skew_ms: 137_000, asked_at: new Date(Date.now() - 3_600_000).toISOString(), asked_times: 2, refusal: null, is_settable: true }
  const relieve = await answer(page, deviceApi.detail, said => {
    const told = JSON.parse(said)
    return JSON.stringify({ ...told, data: { ...told.data, clock } })
  })
  await page.getByLabel('关键字').fill('THEN-1')
  await page.getByLabel('关键字').press('Enter')
  await row('岗亭终端').getByRole('button', { name: '详情' }).click()
  await dialog().getByText(/^时钟慢137秒，自 /u).waitFor()
  await dialog().getByText('多半是时钟电池失效：请到现场检查或报修', { exact: false }).waitFor()
  await picture(page, 'devices-clock')
  await dialog().getByRole('tab', { name: '位置历史' }).click()
  await dialog().getByText('当时名称：启明实验学校/临时岗亭').waitFor()
  await dialog().getByText('启明实验学校/东南门值守岗亭（二期工程临时设置）', { exact: false }).last().waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-then')
  await relieve()
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
})

test('30 §1.2 what could not be read of the settings is read again by a button', async () => {
  const relieve = await trouble(page, schoolSettingApi.read, 'broken')
  await openAt(page, url, '/DeviceConfig')
  await page.getByRole('tab', { name: '学校设置' }).click()
  const again = page.getByRole('button', { name: '重试' })
  await again.waitFor()
  await picture(page, 'devices-school-setting-broken')
  await relieve()
  await again.click()
  await page.getByLabel('离线报警').waitFor()
})

test('30 §1.2 what the school sets of its devices: a wrong value is told, saving says first what will happen, and is there afterwards', async () => {
  await openAt(page, url, '/DeviceConfig')
  await page.getByRole('tab', { name: '学校设置' }).click()
  await page.getByLabel('离线报警').fill('1')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('离线报警时间须为2至1440分钟的整数').waitFor()
  await page.getByLabel('离线报警').fill('12')
  await page.getByLabel('消息服务备注').fill('防火墙放行8883端口')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '保存' }).click()
  await dialog().getByText(/^设备12分钟没有消息就报离线/u).waitFor()
  await picture(page, 'devices-school-setting')
  await dialog().getByRole('button', { name: '保存' }).click()
  await page.getByText(/^对全校设备生效。上次修改：/u).waitFor()
  expect(await page.getByLabel('离线报警').inputValue()).toBe('12')
})

test('30 §3 rule 16: work at a device is declared before, and stands beside its state', async () => {
  await openAt(page, url, '/DeviceControl')
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: '维护时段' }).click()
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('请选择结束时间').waitFor()
  await dialog().getByLabel('结束时间').fill('2099-01-01 18:00')
  await dialog().getByLabel('结束时间').press('Enter')
  await dialog().getByLabel('原因').fill('更换门锁')
  await dialog().getByRole('button', { name: '保存' }).click()
  await dialog().getByText('结束时间须晚于现在和开始时间，一次最长31天').waitFor()
  await dialog().getByLabel('结束时间').fill(new Date(Date.now() + 12 * 3_600_000).toISOString().slice(0, 16).replace('T', ' '))
  await dialog().getByLabel('结束时间').press('Enter')
  await picture(page, 'devices-maintenance')
  await dialog().getByRole('button', { name: '保存' }).click()
  await page.getByText(/^维护中，到/u).waitFor()
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: '维护时段' }).click()
  await dialog().getByRole('button', { name: '结束维护' }).click()
  await page.getByText(/^维护中，到/u).waitFor({ state: 'detached' })
})

test('30 §10.5 a certificate of a face is taken out for a reason alone, and names what is not done', async () => {
  await openAt(page, url, '/DeviceControl')
  await page.getByRole('button', { name: '挂失离校停用' }).or(page.getByRole('button', { name: /^停用未生效/u })).click()
  await page.getByRole('button', { name: '人脸清除证明' }).click()
  const ask = page.getByRole('dialog', { name: '人脸清除证明' })
  await ask.getByRole('button', { name: '出具' }).click()
  await ask.getByText('请填写学号或工号').waitFor()
  await ask.getByText('请填写原因').waitFor()
  await ask.getByLabel('学号或工号').fill('没有这个人')
  await ask.getByLabel('原因').fill('家长撤回同意')
  await ask.getByRole('button', { name: '出具' }).click()
  await ask.getByText('没有找到这个编号的人员，请输入完整的学号或工号').waitFor()
  await picture(page, 'devices-erasure-ask')
  await ask.getByLabel('学号或工号').fill('202010316')
  await ask.getByRole('button', { name: '出具' }).click()
  await page.getByText('没有任何设备报告过保存此人的人脸。').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'devices-erasure')
  // On paper stands the certificate, and nothing of the page.
  await page.emulateMedia({ media: 'print' })
  expect([await page.getByText('没有任何设备报告过保存此人的人脸。').isVisible(), await page.getByRole('button', { name: '打印' }).isVisible(), await page.getByText('挂失和离校的停用').isVisible()]).toEqual([true, false, false])
  await page.emulateMedia({ media: 'screen' })
})
