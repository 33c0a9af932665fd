import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const demo_password = 'Demo@Pass26'
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(async () => {
  await browser?.close()
})

test('a password is refused with nine digits, given to a device, and shown to who proves his own', async () => {
  await page.goto(`${url}/PwdSetting`)
  const search = page.getByRole('textbox', { name: '关键字' })
  await search.pressSequentially('西门访客机')
  await search.press('Enter')
  const row = page.getByRole('row').filter({ hasText: '西门访客机' })
  await row.getByText('未设置').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '批量设置（1台）' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('新密码').fill('123456789')
  await dialog.getByLabel('再输入一次').fill('12345678')
  await dialog.getByRole('button', { name: '设置', exact: true }).click()
  await dialog.getByText('密码最多8位数字').waitFor()
  await dialog.getByText('两次输入的密码不一致').waitFor()
  await picture(page, 'device-password-set')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await dialog.getByLabel('新密码').fill('86420975')
  await dialog.getByLabel('再输入一次').fill('86420975')
  await dialog.getByRole('button', { name: '设置', exact: true }).click()
  await dialog.getByText('其中1台离线，恢复连接后最先更新，在此之前旧密码仍有效。').waitFor()
  await dialog.getByRole('button', { name: '关闭', exact: true }).last().click()
  await row.getByText('等待设备确认').waitFor()
  await picture(page, 'device-passwords')
  expect(await axeFindings(page, 'main')).toEqual([])

  await row.getByRole('button', { name: /^查看 /u }).click()
  await dialog.getByRole('button', { name: '查看', exact: true }).click()
  await dialog.getByText('请输入您的登录密码').waitFor()
  await dialog.getByLabel('原因').fill('现场维护')
  await dialog.getByLabel('您的登录密码').fill(demo_password)
  await dialog.getByRole('button', { name: '查看', exact: true }).click()
  await dialog.getByText('86420975').waitFor()
  await dialog.getByText('本次查看已记入操作日志。').waitFor()
  expect(faults).toEqual([])
})
