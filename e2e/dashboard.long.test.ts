import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openBrowser, openDashboard, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const password = 'Demo@Pass26'
/** a blue square */
const logo = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAAA1BMVEUJWNklxrt5AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAG0lEQVRYhe3BgQAAAADDoPlT3+AEVQEAAAB0DRBAAAGx1LfoAAAAAElFTkSuQmCC', 'base64')
const server = sharedServer()
let browser: JourneyBrowser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
})

test('the head of a school sees its figures, and every number leads to as many rows', async () => {
  const { page, faults } = await openPage(await browser.newContext(calm))
  await signIn(page, server.url, 'admin01', password)
  await openDashboard(page)
  await page.getByRole('region', { name: '年级与班级' }).waitFor()
  await picture(page, 'dashboard')
  expect(await axeFindings(page)).toEqual([])
  for (const name of [/^在读学生/, /^休学/, /^缺监护人/, /^一年级1班/]) await opensAsMany(page, name)
  await openRows(page)
  expect(faults).toEqual([])
})

test('the head of a new school is led through the set-up, puts the list away and gets it back', async () => {
  const { page, faults } = await openPage(await browser.newContext(calm))
  await signIn(page, server.url, 'xinxiao01', password)
  const card = page.getByRole('region', { name: /^开始使用：按顺序完成/ })
  await card.waitFor()
  await picture(page, 'dashboard-new-school')
  expect(await axeFindings(page)).toEqual([])
  await card.getByRole('button', { name: '隐藏' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '显示清单' }).click()
  await card.waitFor()
  const next = card.locator('li[aria-current="step"]')
  expect(await next.innerText()).toContain('还没有上传校徽')
  await next.getByRole('link').click()
  await page.waitForURL('**/SchoolRecord')
  await page.getByLabel('选择校徽文件').setInputFiles({ name: '校徽.png', mimeType: 'image/png', buffer: logo })
  await page.getByRole('dialog', { name: '裁剪校徽' }).getByRole('button', { name: '确定' }).click()
  await page.getByRole('img', { name: '当前校徽' }).waitFor()
  await page.goBack()
  await card.waitFor()
  await expect.poll(() => next.innerText()).toContain('还没有学生')
  await next.getByRole('link').click()
  await page.waitForURL('**/ParentsRecord')
  await page.getByRole('button', { name: '导入学生' }).first().waitFor()
  expect(faults).toEqual([])
})

test('figures that cannot be read say so, and come with 重试', async () => {
  const { page } = await openPage(await browser.newContext(calm))
  await page.route('**/statistics/overview*', route => route.fulfill({ status: 503, json: { code: 503, msg: '系统异常，请稍后重试', data: null } }))
  await signIn(page, server.url, 'admin01', password)
  await openDashboard(page)
  await page.getByText('今日概况加载失败').waitFor()
  await page.unroute('**/statistics/overview*')
  await page.getByRole('button', { name: '重试' }).click()
  await page.getByRole('region', { name: '年级与班级' }).waitFor()
})

/** Opens the list behind a number and compares its total with the number; then back to the page. */
async function opensAsMany(page: Page, name: RegExp): Promise<void> {
  const link = page.getByRole('main').getByRole('link', { name }).first()
  const label = (await link.getAttribute('aria-label')) ?? ''
  const count = /([\d,]+)人/.exec(label)?.[1]
  await link.click()
  await page.waitForURL('**/ParentsRecord**')
  await page.getByText(new RegExp(`共\\s*${count}\\s*条`)).first().waitFor()
  await page.goBack()
  await page.getByRole('region', { name: '年级与班级' }).waitFor()
}

/** Rows without a list of their own open beside the page, by keyboard; Esc closes them. */
async function openRows(page: Page): Promise<void> {
  const number = page.getByRole('button', { name: /^教职工/ })
  const count = /教职工([\d,]+)人/.exec((await number.getAttribute('aria-label')) ?? '')?.[1]
  await number.focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText(`教职工　${count}人`).waitFor()
  await drawer.getByRole('row').nth(20).waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  expect(new URL(page.url()).search).toBe('')
}
