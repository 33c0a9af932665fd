import { studentApi } from '@campus/people/contract'
import { preferenceApi } from '@campus/school/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { calm, landing, openBrowser, openPage, picture, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { trouble } from '../answers.ts'
import { axeFindings } from '../crawl.ts'
import { sharedServer } from '../server.ts'

const server = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  const opened = await openBrowser()
  browser = opened
  ;({ page, faults } = await openPage(await browser.newContext(calm)))
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.waitForURL(landing)
  await page.locator('[data-ready="icon-menu"]').waitFor()
})
afterAll(async () => {
  await browser?.close()
})
beforeEach(() => {
  faults.length = 0
})

const field = () => page.getByRole('combobox', { name: '查找页面、设置、人员、班级、场所或设备' })
const palette = () => page.getByRole('dialog', { name: '快速查找' })
const chosen = () => page.getByRole('option', { selected: true })
const quick = () => page.getByRole('region', { name: '快捷入口' })
const quickNames = async () => (await quick().getByRole('link').allInnerTexts()).map(text => text.trim())

async function openPalette(): Promise<void> {
  await page.keyboard.press('Control+k')
  await field().and(page.locator(':focus')).waitFor()
}

test('by key to a page, by its initials, and back to where one was', async () => {
  await openPalette()
  await picture(page, 'palette')
  expect(await axeFindings(page)).toEqual([])
  await field().pressSequentially('xsjz')
  await page.getByRole('option', { name: /学生家长档案/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/ParentsRecord')
  await palette().waitFor({ state: 'detached' })
  await page.getByText(/共\s*[\d,]+\s*条/).first().waitFor()
  await page.keyboard.press('/')
  expect(await page.evaluate(`document.activeElement.closest('.kit-filters') !== null`)).toBe(true)
  await openPalette()
  await page.keyboard.press('Escape')
  await palette().waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.kit-filters') !== null`)).toBe(true)
  expect(faults).toEqual([])
})

test('to a pupil by name, with the search said while it is slow and when it breaks, and what was typed kept', async () => {
  const asked: string[] = []
  page.on('request', request => void (request.url().includes('get_student_list') && asked.push(new URL(request.url()).searchParams.get('keyword') ?? '')))
  await openPalette()
  await field().pressSequentially('w')
  await palette().getByText(/再输入一个字/).waitFor()
  const slow = await trouble(page, studentApi.list, 'slow')
  await field().pressSequentially('angz')
  await palette().getByText('查找较慢，仍在继续…').waitFor()
  expect(asked).toEqual(['wangz'])
  await slow()
  await palette().getByRole('group', { name: '学生' }).getByRole('option').first().waitFor()
  const broken = await trouble(page, studentApi.list, 'broken')
  await field().fill('王子')
  await palette().getByRole('alert').getByText('查找失败：系统异常，请稍后重试').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await broken()
  await palette().getByRole('button', { name: '重试' }).click()
  const pupil = palette().getByRole('group', { name: '学生' }).getByRole('option').first()
  await pupil.waitFor()
  expect(await field().inputValue()).toBe('王子')
  const [name] = (await pupil.innerText()).split(/\s/)
  await picture(page, 'palette-pupils')
  await field().focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/PersonDetail?user_id=*')
  await page.getByRole('heading', { name: new RegExp(`^${name ?? ''}`) }).waitFor()
})

test('settings open by name, a dialog of one’s own too; what is nowhere is said with what can be looked for', async () => {
  await openPalette()
  await field().pressSequentially('xtpz')
  await page.getByRole('option', { name: /系统配置/, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/SchoolRecord?tab=config')
  await openPalette()
  await field().pressSequentially('没有这个人')
  await palette().getByText('没有找到“没有这个人”，可查找页面和设置的名称，人员的姓名或编号，班级、场所和设备的名称，或它们的拼音首字母').waitFor()
  await field().fill('xgmm')
  await chosen().getByText('修改密码').waitFor()
  await page.keyboard.press('Enter')
  const own = page.getByRole('dialog', { name: '修改密码' })
  await own.waitFor()
  await expect.poll(() => own.evaluate(dialog => dialog.contains(dialog.ownerDocument.activeElement))).toBe(true)
  // The work of an open dialog is not left behind by a key.
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await own.waitFor({ state: 'detached' })
  expect(await palette().count()).toBe(0)
  expect(faults).toEqual([])
})

test('the quick row in one’s own order outlives a reload; a refused save keeps the draft', async () => {
  await page.goto(`${server.url}/IconMenu`)
  await quick().getByRole('button', { name: '编辑' }).click()
  for (const name of ['系统操作日志', '学生组织架构']) await page.getByRole('button', { name: `${name}，快捷入口` }).click()
  await quick().getByRole('button', { name: '前移 学生组织架构' }).focus()
  await page.keyboard.press('Enter')
  await quick().getByRole('status').getByText('学生组织架构已移到第3位').waitFor()
  await page.keyboard.press('Enter')
  expect(await page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toBe('前移 学生组织架构')
  await quick().getByRole('listitem').filter({ hasText: '系统操作日志' }).dragTo(quick().getByRole('listitem').first())
  await quick().getByRole('status').getByText('系统操作日志已移到第1位').waitFor()
  await picture(page, 'icon-menu-edit')
  expect(await axeFindings(page)).toEqual([])
  const relieve = await trouble(page, preferenceApi.save, 'broken')
  await quick().getByRole('button', { name: '完成' }).click()
  await page.getByText('系统异常，请稍后重试').first().waitFor()
  await relieve()
  await quick().getByRole('button', { name: '完成' }).click()
  const order = ['系统操作日志', '学生家长档案', '学生组织架构', '教职工档案']
  await expect.poll(quickNames).toEqual(order)
  await page.reload()
  await expect.poll(quickNames).toEqual(order)
})

test('the centre finds by initials, says when it finds nothing, and shows what was opened last', async () => {
  await page.getByRole('region', { name: '最近使用' }).getByRole('link', { name: '学生家长档案' }).waitFor()
  await picture(page, 'icon-menu')
  await page.keyboard.press('/')
  await page.keyboard.type('zzjg')
  expect(await page.getByRole('region', { name: '查找结果' }).getByRole('link').allInnerTexts()).toEqual(['学生组织架构', '教职工组织架构'])
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('textbox', { name: '搜索应用' }).fill('zzzz')
  await page.getByText('没有找到“zzzz”，可按页面名称或拼音首字母查找').waitFor()
  await page.getByRole('textbox', { name: '搜索应用' }).fill('学生家长')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/ParentsRecord')
  expect(faults).toEqual([])
})
