import { memberApi } from '@campus/identity/contract'
import { preferenceApi } from '@campus/school/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trouble } from './answers.ts'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const wait_ms = 15_000
let server: ServerUnderTest
let browser: JourneyBrowser

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** Somebody in a browser of his own; `role` is chosen where several are offered. */
async function enter(account: string, role?: string): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(await browser.newContext(calm))
  opened.page.setDefaultTimeout(wait_ms)
  await signIn(opened.page, server.url, account, 'Demo@Pass26')
  if (role !== undefined) {
    await opened.page.getByRole('dialog').getByText(role).first().click()
    await opened.page.keyboard.press('Enter')
  }
  await opened.page.locator('[data-ready]').first().waitFor()
  return opened
}

const nameOn = (page: Page) => page.getByRole('button', { name: /账号菜单/ }).innerText()

test('10-B4 the auditor is away: somebody acts for him until the evening, and the log says for whom', async () => {
  const away = await enter('shenji01')
  const auditor = await nameOn(away.page)
  await away.page.context().close()
  const teacher = await enter('duo01', '年级主任')
  const stand_in = await nameOn(teacher.page)
  await teacher.page.context().close()

  const { page, faults } = await enter('admin01')
  await page.goto(`${server.url}/RoleMemberSet`)
  await page.getByRole('button', { name: /^审计员/ }).click()
  await page.getByRole('button', { name: `委托代办 ${auditor}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '委托', exact: true }).click()
  await dialog.getByText('请选择代办人').waitFor()
  await dialog.getByText('请选择结束日期').waitFor()
  await page.getByRole('combobox', { name: '代办人' }).fill(stand_in)
  await page.locator('.member-option').filter({ hasText: stand_in }).first().click()
  await page.keyboard.press('Escape')
  await dialog.getByLabel('结束日期').click()
  await page.locator('.ant-picker-dropdown:visible').getByText('今天').click()
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await picture(page, 'substitute')
  await dialog.getByRole('button', { name: '委托', exact: true }).click()
  await page.getByText('已委托代办').waitFor()
  await page.getByText(`代${auditor}`).first().waitFor()

  const acting = await enter('duo01', `审计员（代${auditor}）`)
  await writeSomething(acting.page)
  await acting.page.goto(`${server.url}/SystemLog`)
  await acting.page.getByRole('checkbox', { name: '显示页面自动产生的记录' }).check()
  await acting.page.getByText(`代办 ${auditor}`).first().waitFor()
  await picture(acting.page, 'substitute-log')
  await acting.page.context().close()
  expect(faults).toEqual([])
})

test('10-B4 a substitution that fails keeps what was chosen: a broken server, somebody who acts already, a change of mind', async () => {
  const teacher = await enter('duo01', '年级主任')
  const stand_in = await nameOn(teacher.page)
  await teacher.page.context().close()
  const { page } = await enter('admin01')
  await page.goto(`${server.url}/RoleMemberSet`)
  await page.getByRole('button', { name: /^审计员/ }).click()
  await page.getByRole('button', { name: /^委托代办 / }).first().click()
  const dialog = page.getByRole('dialog', { name: /^委托代办：/ })
  await page.getByRole('combobox', { name: '代办人' }).fill(stand_in)
  await page.locator('.member-option').filter({ hasText: stand_in }).first().click()
  await page.keyboard.press('Escape')
  await dialog.getByLabel('结束日期').click()
  await page.locator('.ant-picker-dropdown:visible').getByText('今天').click()
  const relieve = await trouble(page, memberApi.substitute, 'broken')
  await dialog.getByRole('button', { name: '委托', exact: true }).click()
  await dialog.getByText('系统异常，请稍后重试').waitFor()
  await relieve()
  await dialog.getByRole('button', { name: '委托', exact: true }).click()
  await dialog.getByText('该人员已有此角色').waitFor()
  await dialog.getByText(stand_in).first().waitFor()
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

/** Any act of his: a setting of his own, saved with the session of the page. */
async function writeSomething(page: Page): Promise<void> {
  const token = String(await page.evaluate(`localStorage.getItem('token')`))
  const answer = await page.request.post(`${server.url}${preferenceApi.save.paths[0] ?? ''}`, { headers: { authorization: token }, data: { pref_key: 'recent_apps', value: [] } })
  expect(answer.status()).toBe(200)
}
