import { demo_tray, openReader, VirtualReader } from '@apps/terminal'
import { cardApi } from '@campus/cards/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { calm, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const phone_size = { width: 390, height: 844 }
const reader_port = 32_156
const [blank] = demo_tray
/** Cards that nobody has: one for the reader, one for whom the found card is given up. */
const [new_uid, other_uid] = ['E2C40001', 'E2C40002'] as const
let browser: JourneyBrowser
let page: Page
let phone: Page
let faults: string[]
let child: { name: string; number: string }

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

/** A class in which somebody has no card yet. */
async function aClassWithoutAll(): Promise<string> {
  await page.goto(`${url}/IconMenu`)
  const token = await page.evaluate(() => localStorage.getItem('token') ?? '')
  const { list } = dataOf(cardApi.progress, await send(url, cardApi.progress, {}, { token }))
  const open = list.find(one => one.issued < one.total)
  if (!open) throw new Error('every class of the demo has all its cards')
  return open.dept_id
}

test('40-A16 a card on the reader goes to the next of the class, and lying there it counts once', async () => {
  const dept_id = await aClassWithoutAll()
  const cards = blank ? [...demo_tray, { ...blank, uid_hex: new_uid }] : [...demo_tray]
  const reader = new VirtualReader(cards)
  const service = await openReader({ reader, cards, origins: [url] }, reader_port)
  await page.goto(`${url}/SmartCard`)
  await page.getByRole('radio', { name: '总务处发卡窗口' }).check()
  await page.goto(`${url}/CardManagement?dept_id=${dept_id}`)
  await page.getByRole('button', { name: /^连续发卡/u }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(/^请放卡：/u).waitFor()
  await drawer.getByRole('button', { name: '开始读卡' }).click()
  await drawer.getByText('请放卡', { exact: true }).waitFor()
  reader.lying.add(new_uid)
  const line = drawer.locator('.card-dock-lines li')
  await line.first().waitFor()
  await page.waitForTimeout(4000)
  expect(await line.count()).toBe(1)
  await picture(page, 'card-class')
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
  reader.lying.clear()
  await drawer.getByRole('button', { name: '停止读卡' }).click()
  await service.close()
})

test('a parent reports the loss at night by the phone, and sees how many readers have confirmed', async () => {
  const own = await browser.newContext({ ...calm, viewport: phone_size })
  phone = await own.newPage()
  await phone.goto(`${url}/mini/hall/900001`)
  await phone.getByLabel('账号').fill('jiazhang01')
  await phone.getByLabel('密码').fill('Demo@Pass26')
  await phone.getByLabel('验证码', { exact: true }).fill('2222')
  await phone.getByAltText('验证码').waitFor()
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await phone.getByRole('navigation').getByRole('button', { name: '我的' }).click()
  await phone.getByRole('button', { name: '校园卡' }).click()
  const card = phone.getByRole('region', { name: /的校园卡$/u }).filter({ has: phone.getByRole('button', { name: '挂失' }) }).first()
  child = { name: (await card.getByRole('heading').innerText()).replace('的校园卡', ''), number: await card.locator('b').first().innerText() }
  await card.getByRole('button', { name: '挂失' }).click()
  expect(await axeFindings(phone)).toEqual([])
  expect(await phone.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await phone.getByRole('button', { name: '确定挂失' }).click()
  const lost = phone.getByRole('region', { name: `${child.name}的校园卡` }).locator('li').filter({ hasText: child.number })
  await lost.getByText(/^(已阻断 \d+\/\d+ 台|没有设备保存这张卡)/u).waitFor()
  await picture(phone, 'card-loss-phone')
})

test('the office sees the chip, the card is found, and another one takes its place', async () => {
  await page.goto(`${url}/CardManagement?keyword=${child.number}`)
  const row = page.getByRole('row', { name: new RegExp(child.name, 'u') })
  await row.locator('.ant-tag').getByText('挂失', { exact: true }).waitFor()
  // No terminal is connected to this server: no reader holds the card, and nothing is waited for.
  await row.getByText(/已阻断 \d+\/\d+|无设备持有/u).waitFor()
  await picture(page, 'card-block')
  await row.getByRole('button', { name: `解挂 ${child.name}` }).click()
  await row.locator('.ant-tag').getByText('正常', { exact: true }).waitFor()
  await row.getByRole('button', { name: `更多 ${child.name}` }).click()
  await page.getByRole('menuitem', { name: '快速补卡' }).click()
  const dialog = page.getByRole('dialog', { name: /^快速补卡/u })
  await dialog.getByLabel('新卡号').fill('4294967296')
  await dialog.getByRole('button', { name: '快速补卡' }).click()
  await dialog.getByText('卡号格式不正确').first().waitFor()
  await dialog.getByLabel('新卡号').fill(other_uid)
  await dialog.getByRole('button', { name: '快速补卡' }).click()
  await dialog.waitFor({ state: 'detached' })
  // The number that was refused is in the console of the browser too.
  expect(faults.filter(fault => !fault.includes('reissueSlaveCardFast'))).toEqual([])
})

test('the journal of cards tells all of it', async () => {
  await page.goto(`${url}/CardRecord?keyword=${encodeURIComponent(child.name)}`)
  for (const op of ['快速补卡', '解挂', '挂失']) await page.getByRole('row', { name: new RegExp(`${child.name}.*${op}|${op}.*${child.name}`, 'u') }).first().waitFor()
  await picture(page, 'card-journal')
  await phone.getByRole('button', { name: '返回我的' }).click()
  await phone.getByRole('button', { name: '校园卡' }).click()
  await phone.getByText(/^正常 · /u).first().waitFor()
})
