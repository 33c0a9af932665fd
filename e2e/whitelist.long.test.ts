// 支付宝白名单: a line is entered and waits for somebody else; lines of others are approved, and one is taken off.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openSignedIn, picture } from './browser.ts'
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

const dialog = (name: string) => page.getByRole('dialog', { name })

test('a line is entered and cannot be approved by whoever entered it', async () => {
  await openAt(page, url, '/WhiteList')
  await page.locator('[data-ready="list"]').waitFor()
  await page.getByText(/^共 \d{3} 条$/).waitFor()
  await picture(page, 'whitelist')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const form = dialog('新增白名单')
  await form.getByRole('button', { name: '提交' }).click()
  await form.getByText('请选择人员').waitFor()
  await form.getByText('请填写支付宝账号').waitFor()
  await form.getByRole('combobox', { name: '人员' }).fill('梁俊辉')
  await page.locator('.ant-select-item-option').first().click()
  await form.getByText(/（本人）$/).waitFor()
  await form.getByLabel('支付宝账号').fill('not an account')
  await form.getByText('支付宝账号应为手机号或邮箱').waitFor()
  await form.getByLabel('支付宝账号').fill('new.payer@example.com')
  await form.getByText('支付宝账号应为手机号或邮箱').waitFor({ state: 'detached' })
  await picture(page, 'whitelist-add')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '提交' }).click()
  await form.waitFor({ state: 'hidden' })
  const row = page.locator('tbody .ant-table-row', { hasText: 'n***@example.com' })
  await row.getByText('待复核').waitFor()
  expect(await row.getByRole('button', { name: /^复核 / }).isDisabled()).toBe(true)
})

test('20-A32 the line of somebody else is approved and waits for the channel, another one is taken off', async () => {
  await openAt(page, url, '/WhiteList?state=pending')
  await page.locator('[data-ready="list"]').waitFor()
  const enabled = page.locator('button:enabled', { hasText: /^复核$/ })
  await enabled.first().waitFor()
  const name = (await enabled.first().getAttribute('aria-label')) ?? ''
  await page.getByRole('button', { name, exact: true }).first().click()
  await page.getByText('已复核 1 条，支付渠道开通后自动提交').waitFor()
  await page.getByRole('button', { name: /^移除 / }).first().click()
  const form = dialog('移除白名单')
  await form.getByRole('button', { name: '移除' }).click()
  await form.getByText('请填写原因').waitFor()
  await form.getByLabel('原因').fill('账号有误')
  await picture(page, 'whitelist-remove')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '移除' }).click()
  await form.waitFor({ state: 'hidden' })
  expect(faults).toEqual([])
})

test('充值配置: the version that waits stands beside the one that holds, is approved, and a new one shows on the phone', async () => {
  await openAt(page, url, '/RechargeConfig')
  const pupils = page.getByRole('region', { name: '学生' })
  await pupils.getByText('待复核').waitFor()
  await pupils.getByText('¥10 至 ¥800（原 ¥10 至 ¥500）').waitFor()
  await picture(page, 'recharge')
  expect(await axeFindings(page, 'main')).toEqual([])
  await pupils.getByRole('button', { name: '复核 学生' }).click()
  await pupils.getByText('待复核').waitFor({ state: 'detached' })
  await pupils.getByText('¥10 至 ¥800', { exact: true }).waitFor()
  await page.getByRole('button', { name: '设置 家长' }).click()
  const form = dialog('充值配置：家长')
  await form.getByLabel('单笔最高').fill('5')
  await form.getByRole('button', { name: '提交' }).click()
  await form.getByText('单笔最高不能小于单笔最低').waitFor()
  await form.getByLabel('单笔最高').fill('600')
  await form.getByText('其他金额：¥10 至 ¥600').waitFor()
  await picture(page, 'recharge-edit')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '提交' }).click()
  await form.waitFor({ state: 'hidden' })
  const parents = page.getByRole('region', { name: '家长' })
  await parents.getByText('待复核').waitFor()
  expect(await parents.getByRole('button', { name: '复核 家长' }).isDisabled()).toBe(true)
  expect(faults).toEqual([])
})
