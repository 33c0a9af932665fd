// 查重合并: two files of one father beside each other, a value and the way round chosen, merged with the own password, found in the log and taken back.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const password = 'Demo@Pass26'
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const compare = () => page.getByRole('region', { name: '对比' })

test('20-A22 the roll leads to the pairs; two files are looked at, merged with the own password, and parted again', async () => {
  await page.goto(`${url}/ParentsRecord`)
  await page.getByRole('link', { name: /^查重，\d+ 对待处理$/ }).click()
  const cases = page.getByRole('region', { name: '疑似重复' }).getByRole('listitem')
  await cases.first().waitFor()
  await picture(page, 'merge-cases')
  expect(await axeFindings(page, 'main')).toEqual([])
  const pair = cases.filter({ hasText: '号码相同' }).first()
  await pair.getByRole('button').first().click()
  await compare().getByRole('heading', { name: /^将转到/ }).waitFor()
  const names = await compare().locator('.merge-person b').allInnerTexts()
  await compare().getByRole('button', { name: '左右互换' }).click()
  await compare().locator('.merge-person b').first().getByText(names[1] ?? '', { exact: true }).waitFor()
  await compare().getByRole('radio', { name: `姓名：${names[0]}` }).check()
  await picture(page, 'merge-compare')
  expect(await axeFindings(page, 'main')).toEqual([])
  await compare().getByRole('button', { name: '合并', exact: true }).click()
  const confirm = dialog('合并两份档案')
  await confirm.getByLabel('您的登录密码').fill('不是密码')
  await confirm.getByRole('button', { name: '确认合并' }).click()
  await confirm.getByText('密码错误').waitFor()
  await confirm.getByLabel('您的登录密码').fill(password)
  await picture(page, 'merge-confirm')
  await confirm.getByRole('button', { name: '确认合并' }).click()
  await confirm.waitFor({ state: 'hidden' })
  const merged = page.getByRole('region', { name: '合并记录' }).getByRole('row').nth(1)
  await merged.getByText('已合并').waitFor()
  await picture(page, 'merge-log')
  expect(await axeFindings(page, 'main')).toEqual([])
  await merged.getByRole('button', { name: /^撤销合并/ }).click()
  const back = dialog(/^撤销合并：/)
  await back.getByLabel('您的登录密码').fill(password)
  await back.getByRole('button', { name: '撤销合并' }).click()
  const told = dialog('已撤销合并')
  await told.getByText('没有留下的记录。').waitFor()
  await picture(page, 'merge-parted')
  await told.getByRole('button', { name: '关闭' }).last().click()
  await merged.getByText('已撤销').waitFor()
  await merged.getByRole('button', { name: /^打印证明/ }).click()
  const paper = dialog('撤销合并证明')
  await paper.getByText(/两份档案恢复为各自独立，转移的记录已全部还原/).waitFor()
  await paper.getByRole('cell', { name: '人员档案', exact: true }).waitFor()
  await picture(page, 'merge-paper')
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await leaveByKey(page, paper)
})

test('a pair that is not one person is put aside; two people nobody proposed are chosen by hand, and kinds that do not go together say so', async () => {
  await page.goto(`${url}/PersonMerge`)
  const cases = page.getByRole('region', { name: '疑似重复' }).getByRole('listitem')
  await cases.first().waitFor()
  await cases.first().getByRole('button', { name: /^不是同一人/ }).click()
  const sure = dialog('确定不是同一人吗？')
  await sure.getByRole('button', { name: '不是同一人' }).click()
  await page.getByText('已排除').waitFor()
  await page.getByRole('tab', { name: '不是同一人' }).click()
  await cases.first().getByText(/排除$/).waitFor()
  await page.getByRole('button', { name: '指定两人' }).click()
  const choice = dialog('指定两人')
  await choice.getByRole('button', { name: '开始核对' }).click()
  await choice.getByText('请选择保留的档案').waitFor()
  await choice.getByLabel('保留的档案').first().fill('王')
  await page.locator('.ant-select-item-option:visible').first().click()
  await choice.getByLabel('类型').nth(1).click()
  await page.locator('.ant-select-item-option:visible', { hasText: '教职工' }).click()
  // With another kind the field begins anew; what was typed into the old one is gone.
  await expect.poll(async () => {
    await choice.getByLabel('并入的档案').first().fill('')
    await choice.getByLabel('并入的档案').first().fill('李')
    return page.locator('.ant-select-item-option:visible').first().waitFor({ timeout: 3000 }).then(() => true, () => false)
  }, { timeout: 20_000 }).toBe(true)
  await page.locator('.ant-select-item-option:visible').first().click()
  await picture(page, 'merge-choice')
  await choice.getByRole('button', { name: '开始核对' }).click()
  await compare().getByText('学生不能与教职工或家长合并').waitFor()
  await picture(page, 'merge-refused')
  // A wrong password and two kinds that do not go together are refused on purpose.
  expect(faults.filter(fault => !fault.includes('status of 422'))).toEqual([])
})
