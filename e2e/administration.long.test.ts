import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from './browser.ts'
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

test('members of a role: what may be done with a login, who could do it on a past day, import and export', async () => {
  await page.goto(`${url}/RoleMemberSet`)
  await page.getByRole('button', { name: /^年级主任/ }).click()
  await page.getByRole('button', { name: /^更多 / }).first().click()
  await page.getByRole('menuitem', { name: '重置密码' }).waitFor()
  await picture(page, 'member-menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '历史' }).click()
  await page.getByRole('tab', { name: '谁能使用某页面或按钮' }).click()
  await page.getByRole('combobox', { name: '页面' }).fill('角色组设置')
  await page.getByRole('combobox', { name: '页面' }).press('Enter')
  await page.getByText(/个身份可以使用/).waitFor()
  await picture(page, 'member-past')
  await leaveByKey(page, page.getByRole('dialog'))
  await page.getByRole('button', { name: '导出', exact: true }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: '导出', exact: true }).click()
  expect((await download).suggestedFilename()).toMatch(/^角色成员_\d{12}\.xlsx$/)
  await page.getByRole('button', { name: '导入', exact: true }).click()
  await page.getByRole('button', { name: '下载模板' }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'member-import')
  await leaveByKey(page, page.getByRole('dialog'))
})

test('消息通道: every way to send asks for its own, wrong input stands beside its line, and nothing typed is lost by accident', async () => {
  await page.goto(`${url}/SchoolRecord?tab=messages`)
  await page.getByRole('button', { name: '设置短信' }).click()
  const dialog = page.getByRole('dialog', { name: '短信通道设置' })
  const save = () => dialog.getByRole('button', { name: '保存', exact: true }).click()
  await dialog.getByRole('combobox', { name: '发送方式' }).click()
  await page.locator('.ant-select-dropdown').getByText('短信网关（HTTP）').click()
  await dialog.getByLabel('接口地址').fill('sms.example.cn')
  await dialog.getByLabel('免打扰开始').fill('25:00')
  await dialog.getByLabel('全校每日上限').fill('-1')
  await save()
  for (const sentence of ['请输入 http 或 https 地址', '请输入提交内容', '时间格式为 22:00']) await dialog.getByText(sentence).waitFor()
  expect(await dialog.getByLabel('全校每日上限').getAttribute('aria-invalid')).toBe('true')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await picture(page, 'message-channel-wrong')
  await dialog.getByLabel('接口地址').fill('https://sms.example.cn/send')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog').filter({ hasText: '放弃修改' })
  await question.getByRole('button', { name: '取消' }).click()
  await question.waitFor({ state: 'hidden' })
  expect(await dialog.getByLabel('接口地址').inputValue()).toBe('https://sms.example.cn/send')
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('region', { name: '短信' }).getByText('仅记录，不外发').waitFor()
})

test('消息通道: channels, words and what became of them', async () => {
  await page.goto(`${url}/SchoolRecord?tab=messages`)
  await page.getByRole('button', { name: '设置邮件' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('全校每日上限').waitFor()
  await picture(page, 'message-channel')
  await leaveByKey(page, page.getByRole('dialog'))
  await page.getByRole('tab', { name: '模板' }).click()
  await page.getByRole('button', { name: '编辑密码已修改' }).click()
  await page.getByRole('dialog').getByLabel('正文').fill('{password}')
  await page.getByText('没有名为{password}的字段').waitFor()
  await page.getByRole('dialog').getByRole('group', { name: '可用字段' }).getByRole('button', { name: '修改人' }).click()
  expect(await page.getByRole('dialog').getByLabel('正文').inputValue()).toBe('{password}{修改人}')
  await picture(page, 'message-template')
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await page.getByRole('tab', { name: '发送记录' }).click()
  await page.getByRole('button', { name: /^明细 / }).first().click()
  await page.getByRole('dialog').getByText('站内').first().waitFor()
  await leaveByKey(page, page.getByRole('dialog'))
  await picture(page, 'message-records')
  expect(await axeFindings(page)).toEqual([])
  expect(faults).toEqual([])
})
