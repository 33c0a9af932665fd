// 签约管理: contracts and who has none, by grade; a contract is to end and stays 解约中, a silent one is asked again, the list is exported.
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

const rows = () => page.locator('tbody .ant-table-row')

test('the rings tell who has signed, a grade filters the list', async () => {
  await openAt(page, url, '/SignManage')
  await page.locator('[data-ready="list"]').waitFor()
  const rings = page.getByRole('region', { name: '签约情况' })
  await rings.getByText(/^1\d 人$/).waitFor()
  await rows().first().getByText('待人工核对').waitFor()
  await picture(page, 'sign')
  expect(await axeFindings(page, 'main')).toEqual([])
  const whole = await page.locator('.kit-summary b').innerText()
  await rings.getByRole('button', { name: /^\d+% ?一年级/ }).first().click()
  await expect.poll(() => page.locator('.kit-summary b').innerText()).not.toBe(whole)
  await page.getByText('一年级', { exact: true }).first().waitFor()
})

test('20-A33 a contract is to end and stays 解约中; one on which the channel was silent is asked again', async () => {
  await openAt(page, url, '/SignManage?state=check')
  const silent = page.getByRole('button', { name: /^重新解约 / })
  await silent.first().waitFor()
  const name = ((await silent.first().getAttribute('aria-label')) ?? '').replace('重新解约 ', '')
  await silent.first().click()
  const form = page.getByRole('dialog', { name: '解约' })
  await form.getByRole('button', { name: '申请解约' }).click()
  await form.getByText('请填写原因').waitFor()
  await form.getByLabel('原因').fill('家长再次申请')
  await picture(page, 'sign-terminate')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '申请解约' }).click()
  await form.getByText('已完成').waitFor()
  await form.getByRole('button', { name: '下载结果' }).waitFor()
  await form.getByRole('button', { name: '关闭' }).last().click()
  await form.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: `重新解约 ${name}`, exact: true }).waitFor({ state: 'detached' })
  await openAt(page, url, '/SignManage?state=terminating')
  await rows().filter({ hasText: name }).getByText('解约中').first().waitFor()
})

test('staff have a page of their own; those without a contract are reminded, the list is exported', async () => {
  await openAt(page, url, '/SignManageTeacher?state=signed')
  await page.getByText(/^共 \d\d 条$/).waitFor()
  await page.getByRole('button', { name: '提醒未签约' }).click()
  await page.getByRole('button', { name: '发送' }).click()
  await page.getByText(/人未签约，已通知 \d+ 人/).waitFor()
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: '导出', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^教职工签约_\d{12}\.xlsx$/)
  expect(faults).toEqual([])
})
