// 人员详情: from the roll to one pupil, through his tabs by key, to his parent and back.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSignedIn, picture } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: Browser
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
  await page.getByRole('tab', { name: '家庭' }).click()
  const parent = page.getByRole('region', { name: '家长' }).getByRole('link').first()
  await parent.waitFor()
  await picture(page, 'person-family')
  const parent_name = await parent.innerText()
  await parent.click()
  await page.getByRole('heading', { level: 2, name: new RegExp(`^${parent_name}`) }).waitFor()
  await page.getByRole('link', { name: new RegExp(`^${text}`) }).first().waitFor()
  expect(faults).toEqual([])
})
