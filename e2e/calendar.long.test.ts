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

const dialog = () => page.getByRole('dialog')
const save = async () => {
  await dialog().getByRole('button', { name: '保存' }).click()
}
const saved = async () => {
  await save()
  await dialog().waitFor({ state: 'detached' })
}
const day = (name: string | RegExp) => page.getByRole('gridcell', { name })

async function pickDate(label: string, date: string): Promise<void> {
  await dialog().getByLabel(label, { exact: true }).fill(date)
  await page.keyboard.press('Enter')
}

test('50-A2 50-A34 a term is made, wrong dates are said at their field; a make-up Saturday follows the Wednesday that is pointed at; every page says week and kind of today', async () => {
  await makeTerm()
  await followWednesday()
  await loadNational()
  await openAt(page, url, '/Dashboard')
  await page.locator('.app-today').getByText(/^第\d+周 · 周. · /).waitFor()
  expect(faults.filter(line => !/4(09|22) /.test(line))).toEqual([])
})

async function makeTerm(): Promise<void> {
  await openAt(page, url, '/TermManage')
  await page.locator('[data-ready="list"]').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '新增学期' }).click()
  await pickDate('开始日期', '2027-03-01')
  await pickDate('结束日期', '2027-02-01')
  await save()
  await dialog().getByText('结束日期必须晚于开始日期').waitFor()
  await pickDate('开始日期', '2027-01-04')
  await pickDate('结束日期', '2027-07-09')
  await save()
  await dialog().getByText('与「2026-2027学年第一学期」日期重叠，请调整起止日期').waitFor()
  expect(await dialog().getByLabel('结束日期', { exact: true }).inputValue()).toBe('2027-07-09')
  await pickDate('开始日期', '2027-03-01')
  await dialog().getByText('共19周').waitFor()
  await picture(page, 'calendar-term')
  await saved()
  await page.getByRole('cell', { name: '2026-2027学年第二学期', exact: true }).waitFor()
}

/** 26 December makes up for 23 December, by M and a click on the day. */
async function followWednesday(): Promise<void> {
  await openAt(page, url, '/SchoolCalendar')
  await page.locator('[data-ready="calendar"]').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await day(/^12月26日，调休上班.*未指定/).click()
  await page.keyboard.press('m')
  await page.getByText('请点击12月26日要补课的那一天').waitFor()
  await day(/^12月23日/).click()
  await dialog().getByText('12月23日（周三）的课，含单双周').waitFor()
  await picture(page, 'calendar-follow')
  await saved()
  await day(/^12月26日，调休上班.*→ 12月23日 周三$/).waitFor()
  await picture(page, 'calendar')
}

async function loadNational(): Promise<void> {
  await page.getByRole('button', { name: '导入法定节假日' }).click()
  await dialog().getByRole('button', { name: '查看变化' }).click()
  await dialog().getByText('无变化').first().waitFor()
  await dialog().getByLabel('年份').fill('2027')
  await dialog().getByRole('button', { name: '查看变化' }).click()
  await dialog().getByText('国务院尚未公布或系统未更新，请手工设置').waitFor()
  await dialog().getByRole('button', { name: '取消' }).click()
  await dialog().waitFor({ state: 'detached' })
}

test('50-A5 50-A6 a bell is copied, its overlap is said at its line, and the seniors switch to it; the lessons whose time changes are shown first', async () => {
  await openAt(page, url, '/ClassTime')
  await page.locator('[data-ready="bells"]').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await picture(page, 'calendar-bells')
  await act('高中冬季作息', '复制')
  await dialog().getByLabel('新作息名称').fill('高中考试作息')
  await save()
  await dialog().getByText('编辑作息：高中考试作息').waitFor()
  const begin = dialog().getByLabel('第3行开始')
  const before = await begin.inputValue()
  await begin.fill('24:30')
  await save()
  await dialog().getByText('请填写00:00至24:00之间的时间').waitFor()
  await begin.fill('08:10')
  await save()
  await dialog().getByText(/^「.+」与「.+」时间重叠$/).waitFor()
  expect(await dialog().getByLabel('名称', { exact: true }).inputValue()).toBe('高中考试作息')
  await begin.fill(before)
  await dialog().getByLabel('第8行开始').fill('13:30')
  await picture(page, 'calendar-bell-edit')
  await saved()
  await act('高中考试作息', '切换到此作息')
  await dialog().getByRole('button', { name: '查看影响' }).click()
  await dialog().getByText('高一 第5节：13:25–14:10 → 13:30–14:10').waitFor()
  await picture(page, 'calendar-switch')
  await saved()
  await page.getByRole('region', { name: '高中考试作息' }).getByText('使用中').waitFor()
})

async function act(bell: string, name: string): Promise<void> {
  await page.getByRole('button', { name: `管理作息 ${bell}` }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
