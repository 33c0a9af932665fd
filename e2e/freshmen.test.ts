// 新生报名: a season is set and opened, a family applies on a phone, the application is passed by a key, admitted, placed and has arrived; the demo season's queue at the gate.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const phone = { width: 390, height: 844 }
const year = '2040-2041'
let browser: JourneyBrowser
let page: Page
let faults: string[]
let apply_no = ''

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const confirm = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
const season = async (label: string) => {
  await page.getByLabel('报名', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: label }).click()
}
const pageOf = (path: string) => page.goto(`${url}${path}`)

test('the queue at the gate: a child of the list arrives by its number, once; the counter goes on', async () => {
  await pageOf('/FreshmenList?state=4')
  await page.getByText('已报到 240 / 应报到 252').waitFor()
  const row = page.locator('tbody .ant-table-row').first()
  const number = await row.locator('td', { hasText: /^F\d{14}$/ }).innerText()
  await picture(page, 'freshmen-list')
  expect(await axeFindings(page, 'main')).toEqual([])
  const desk = page.getByRole('form', { name: '报到' })
  await desk.getByLabel('报名编号或证件号').fill('F00000000000000')
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText('没有找到该新生，请核对报名编号或证件号').waitFor()
  await desk.getByLabel('报名编号或证件号').fill(number)
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText(/^学号 \d+$/).waitFor()
  await page.getByText('已报到 241 / 应报到 252').waitFor()
  await picture(page, 'freshmen-arrived')
  await desk.getByLabel('报名编号或证件号').fill(number)
  await desk.getByLabel('报名编号或证件号').press('Enter')
  await desk.getByText('此前已报到').waitFor()
  await page.getByText('已报到 241 / 应报到 252').waitFor()
})

test('the placement of the demo season is even; drawn anew a child is moved by hand, the rule that breaks is said, and moved back', async () => {
  await pageOf('/FreshmenConfig?tab=place')
  await page.getByText('已采用', { exact: true }).waitFor()
  await page.getByText(/^各班最大相差：人数 0 · 男生 0/).waitFor()
  await picture(page, 'freshmen-placed')
  await page.getByRole('button', { name: '全部重新分班' }).click()
  await confirm('全部重新分班')
  await page.getByText('待采用').waitFor()
  const columns = page.locator('.fresh-columns section')
  const card = columns.first().getByRole('button', { disabled: false }).first()
  await card.click()
  await columns.nth(1).getByRole('button', { name: '移到本班' }).click()
  await page.getByText('还不符合分班规则').waitFor()
  expect(await page.getByRole('button', { name: '采用', exact: true }).isDisabled()).toBe(true)
  await picture(page, 'freshmen-board')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '撤销手工调整（1）' }).click()
  await page.getByText('还不符合分班规则').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: '采用', exact: true }).click()
  await confirm('采用')
  await page.getByText('已采用', { exact: true }).waitFor()
})

test('a season is set and opened, and a family applies on a phone', async () => {
  await pageOf('/FreshmenConfig')
  await page.getByRole('button', { name: '新增报名' }).click()
  await page.getByText('填写学年、学段、时间和名额，保存后再开放').waitFor()
  await page.getByLabel('学年', { exact: true }).fill(year)
  await page.getByText(/^学号样例：\d+、\d+、\d+$/).waitFor()
  for (const [label, text] of [['开始时间', '2020-01-01 08:00'], ['截止时间', '2040-08-31 18:00']] as const) {
    await page.getByLabel(label, { exact: true }).fill(text)
    await page.getByLabel(label, { exact: true }).press('Tab')
    await expect.poll(() => page.getByLabel(label, { exact: true }).inputValue()).toBe(text)
  }
  await picture(page, 'freshmen-config')
  await page.getByRole('button', { name: '保存设置' }).click()
  await page.getByRole('button', { name: '开放报名' }).click()
  await confirm('开放报名')
  await page.getByText('采用分班结果后公布').waitFor()
  const address = await page.getByLabel('报名链接').inputValue()
  expect(await axeFindings(page, 'main')).toEqual([])
  const context = await browser.newContext({ ...calm, viewport: phone })
  const visit = await context.newPage()
  await visit.goto(`${url}/InformationDialog?key=${new URL(address).searchParams.get('key') ?? ''}`)
  await visit.getByText('须核验的材料：户口簿、预防接种证').waitFor()
  for (const [label, text] of [['联系手机号*', '16999990001'], ['姓名*', '陈一诺'], ['身份证件号*', '370200201907080025'], ['监护人姓名*', '陈立新']] as const) await visit.getByLabel(label, { exact: true }).fill(text)
  for (const [label, text] of [['性别*', '女'], ['身份证件类型*', '居民身份证'], ['与孩子的关系*', '父亲']] as const) await visit.getByLabel(label, { exact: true }).selectOption(text)
  await visit.getByAltText('看不清？点击刷新').waitFor()
  await visit.getByLabel('验证码*').fill('2222')
  expect(await axeFindings(visit)).toEqual([])
  await visit.getByRole('button', { name: '提交', exact: true }).click()
  apply_no = await visit.locator('.visit-number').innerText()
  await context.close()
})

test('the application is read and passed by a key, then admitted', async () => {
  await pageOf('/FreshmenReview')
  await season(year)
  const file = page.getByRole('region', { name: '报名资料' })
  await file.getByRole('heading', { name: '陈一诺' }).waitFor()
  await file.getByText('尚未审核').waitFor()
  await picture(page, 'freshmen-review')
  expect(await axeFindings(page, 'main')).toEqual([])
  // Keys typed into the choice of the season are its own.
  await page.getByRole('button', { name: /^陈一诺/ }).click()
  await page.keyboard.press('a')
  await page.getByText('没有待审核的报名').waitFor()
  await pageOf('/FreshmenList')
  await season(year)
  const row = page.locator('tbody .ant-table-row', { hasText: apply_no })
  await row.getByText('审核通过').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '录取（1）' }).click()
  await row.getByText('已录取').waitFor()
  await page.getByText('已报到 0 / 应报到 1').waitFor()
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: '打印通知书（1）' }).click()
  await page.getByRole('dialog').getByText('陈一诺 同学：').waitFor()
  await picture(page, 'freshmen-notice')
  expect(faults.filter(fault => !fault.includes('status of 404'))).toEqual([])
})
