// 人员详情: from the roll to one pupil, through his tabs by key, to his parent and back.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
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

test('a name in the roll leads to the person: what happened, the file with the history of a field, the family', async () => {
  await page.goto(`${url}/ParentsRecord?keyword=202010101`)
  const name = page.locator('a[href^="/PersonDetail?user_id="]').first()
  await name.waitFor()
  const text = await name.innerText()
  await name.click()
  await page.waitForURL('**/PersonDetail?user_id=*')
  await page.getByRole('heading', { level: 2, name: new RegExp(`^${text}`) }).waitFor()
  await page.getByRole('checkbox', { name: '档案变更' }).waitFor()
  await page.getByText(/^关联家长/).first().waitFor()
  await picture(page, 'person-timeline')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.keyboard.press('2')
  const trace = page.getByRole('button', { name: '学号 的来源和变化' })
  await trace.waitFor()
  await picture(page, 'person-file')
  expect(await axeFindings(page, 'main')).toEqual([])
  await trace.click()
  await page.getByRole('dialog', { name: '学号 · 来源和变化' }).getByText(/来源：|自建档以来没有变化/).first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  // Some weeks ago the demo school stood already.
  const day = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('档案日期').fill(day)
  await page.getByLabel('档案日期').press('Enter')
  const then = page.getByRole('dialog', { name: `${text} · ${day} 的档案` })
  await then.getByText(new RegExp(`^正在查看 ${day} 的档案`)).waitFor()
  await picture(page, 'person-file-of-day')
  await page.keyboard.press('Escape')
  await then.waitFor({ state: 'hidden' })
  await page.getByRole('tab', { name: '家庭' }).click()
  await page.keyboard.press('5')
  await page.getByRole('region', { name: '识别凭证' }).getByText('可用').waitFor()
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.keyboard.press('3')
  const graph = page.getByRole('group', { name: '家庭关系图' })
  const parent = graph.getByRole('link').first()
  await parent.waitFor()
  await picture(page, 'person-family')
  expect(await axeFindings(page, 'main')).toEqual([])
  const parent_name = await parent.locator('text').first().textContent()
  await parent.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 2, name: new RegExp(`^${parent_name}`) }).waitFor()
  await page.getByRole('link', { name: new RegExp(`^${text}`) }).first().waitFor()
  expect(faults).toEqual([])
})

test('arrows lead through the list it came from; E opens the file, T another class', async () => {
  await page.goto(`${url}/ParentsRecord?keyword=2020101`)
  const names = page.locator('a[href^="/PersonDetail?user_id="]')
  await names.nth(1).waitFor()
  const [first = '', second = ''] = await names.allInnerTexts()
  await names.first().click()
  const heading = (name: string) => page.getByRole('heading', { level: 2, name: new RegExp(`^${name}`) })
  await heading(first).waitFor()
  await page.getByRole('button', { name: '调班' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await heading(second).waitFor()
  await page.getByRole('button', { name: '调班' }).waitFor()
  await page.keyboard.press('t')
  await page.getByRole('dialog').getByText(second).first().waitFor()
  await picture(page, 'person-move')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('e')
  await page.getByRole('dialog').getByLabel('姓名').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.keyboard.press('ArrowLeft')
  await heading(first).waitFor()
  expect(faults).toEqual([])
})
