// 开放登记: a family fills in the form on a phone without a session; the school sees it, adds what is missing or refuses; the forms are opened and closed.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, leaveByKey, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const phone = { width: 390, height: 844 }
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const form = () => page.getByRole('region', { name: '学生登记', exact: true })

test('the administrator sees both forms, sets what is asked and looks at an entry that waits', async () => {
  await page.goto(`${url}/CollectInformation`)
  await form().getByText(/^开放中 至 /).waitFor()
  await page.getByRole('region', { name: '教职工登记', exact: true }).getByText('已关闭').waitFor()
  await page.getByRole('region', { name: '学生登记字段' }).getByRole('listitem').first().waitFor()
  await picture(page, 'register-open')
  expect(await axeFindings(page, 'main')).toEqual([])
  await form().getByRole('button', { name: '二维码海报' }).click()
  const poster = page.getByRole('dialog', { name: '二维码海报' })
  await poster.locator('svg[height="360"]').waitFor()
  await picture(page, 'register-poster')
  // On paper stands the poster, and nothing of the page.
  await page.emulateMedia({ media: 'print' })
  expect([await poster.locator('svg[height="360"]').isVisible(), await page.getByRole('main').isVisible()]).toEqual([true, false])
  await page.emulateMedia({ media: 'screen' })
  await leaveByKey(page, poster)
  await page.getByRole('tab', { name: '待审核（18）' }).click()
  const entries = page.getByRole('region', { name: '登记列表' })
  await expect.poll(() => entries.locator('tbody .register-name').count()).toBe(18)
  await entries.locator('tbody .register-name').first().click()
  const entry = page.getByRole('dialog', { name: / · R\d+$/ })
  await entry.getByText('需要学校补充').waitFor()
  await entry.getByRole('button', { name: '通过', exact: true }).click()
  await entry.getByText('有1条登记还不能通过，请按提示补充后再试').waitFor()
  await picture(page, 'register-entry')
  await entry.getByLabel('拒绝原因').fill('请补充户口信息后重新提交')
  await entry.getByRole('button', { name: '拒绝', exact: true }).click()
  await entry.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: '待审核（17）' }).waitFor()
  expect(faults.filter(fault => !fault.includes('status of 422'))).toEqual([])
})

test('a family fills in the form on a phone: what is wrong is told, what was typed survives a reload, the number comes back', async () => {
  await page.goto(`${url}/CollectInformation`)
  const address = await form().getByLabel('学生登记链接').inputValue()
  const key = new URL(address).searchParams.get('key') ?? ''
  const context = await browser.newContext({ ...calm, viewport: phone })
  const visit = await context.newPage()
  await visit.goto(`${url}/InformationDialog?key=${key}`)
  await visit.getByLabel('姓名*', { exact: true }).fill('赵小满')
  await visit.reload()
  await expect.poll(() => visit.getByLabel('姓名*', { exact: true }).inputValue()).toBe('赵小满')
  await visit.getByLabel('联系手机号*').fill('123')
  await visit.getByAltText('看不清？点击刷新').waitFor()
  await visit.getByLabel('验证码*').fill('2222')
  await visit.getByRole('button', { name: '提交', exact: true }).click()
  await visit.getByText('手机号格式不正确').waitFor()
  expect(await visit.evaluate<boolean>('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  expect(await axeFindings(visit)).toEqual([])
  await visit.getByRole('button', { name: '查询进度' }).click()
  await visit.getByLabel('登记编号*').fill('R20260101000000')
  await visit.getByLabel('证件号后四位*').fill('0000')
  await visit.getByAltText('看不清？点击刷新').waitFor()
  await visit.getByLabel('验证码*').fill('2222')
  await visit.getByRole('button', { name: '查询', exact: true }).click()
  await visit.getByText('未找到，请核对登记编号和证件号后四位').waitFor()
  await visit.goto(`${url}/InformationDialog?key=900001-${'0'.repeat(32)}`)
  await visit.getByText('链接已失效或不完整').waitFor()
  await context.close()
})
