// 学年升级: a plan is drawn up from the board of the school, simulated, signed by somebody else, carried out, seen after a reload and rolled back.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, landing, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let second: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext(calm)))
  await signIn(page, server.url, 'admin01', password)
  await page.waitForURL(landing)
  ;({ page: second } = await openPage(await browser.newContext(calm)))
  await signIn(second, server.url, 'super', password)
  await second.getByRole('radio', { name: /启明实验学校/ }).first().click()
  await second.getByLabel('进入原因').fill('签署升级方案')
  await second.getByRole('button', { name: '确定' }).click()
  await second.waitForURL(landing)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const region = (on: Page, name: string) => on.getByRole('region', { name })
const today = () => new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)

async function confirm(on: Page, name: string, ok: string): Promise<void> {
  const dialog = on.getByRole('dialog', { name })
  await dialog.getByLabel('您的登录密码').fill(password)
  await dialog.getByRole('button', { name: ok, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a promotion goes its five steps, with a second person, and comes back', async () => {
  await page.goto(`${server.url}/Organization`)
  await page.getByRole('link', { name: '学年升级' }).click()
  // The demo's plan is for the end of the school year.
  await page.getByLabel('生效日期').fill(today())
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '保存日期' }).click()
  await page.getByRole('button', { name: '保存日期' }).waitFor({ state: 'hidden' })
  const routes = region(page, '定去向')
  await routes.getByRole('button', { name: /^九年级\s?去向$/ }).waitFor()
  await picture(page, 'upgrade-1-routes')
  expect(await axeFindings(page, 'main')).toEqual([])
  await routes.getByRole('button', { name: /^九年级\s?去向$/ }).focus()
  await page.keyboard.press('Enter')
  const choice = page.getByRole('dialog', { name: '九年级的去向' })
  await choice.getByText('毕业离校').click()
  await picture(page, 'upgrade-1-choice')
  await choice.getByRole('button', { name: '保存' }).click()
  await choice.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '下一步：例外' }).click()
  await region(page, '例外学生').getByText('随父母迁居').waitFor()
  await picture(page, 'upgrade-2-exceptions')
  await page.getByRole('button', { name: '下一步：模拟对比' }).click()
  const found = region(page, '模拟对比')
  await found.getByRole('button', { name: '开始模拟' }).click()
  await found.getByRole('button', { name: /^改名 \d+$/ }).waitFor()
  await picture(page, 'upgrade-3-diff')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '下一步：签署' }).click()
  await region(page, '签署').getByText('需由另一位管理员签署').waitFor()
  await second.goto(`${server.url}/UpgradeClass?step=4`)
  await region(second, '签署').getByRole('button', { name: '签署方案' }).click()
  await confirm(second, '签署升级方案', '签署')
  await region(second, '签署').getByText(/已于 .* 签署$/).waitFor()
  await picture(second, 'upgrade-4-signed')
  await page.goto(`${server.url}/UpgradeClass`)
  const run = region(page, '执行')
  await run.getByRole('button', { name: '执行升级' }).click()
  await confirm(page, '执行学年升级', '执行')
  await run.getByText('升级已完成').waitFor()
  await page.reload()
  await run.getByText('升级已完成').waitFor()
  await run.getByText('还可回滚 30 天').waitFor()
  await picture(page, 'upgrade-5-done')
  expect(await axeFindings(page, 'main')).toEqual([])
  await run.getByRole('button', { name: '回滚' }).click()
  const back = page.getByRole('dialog', { name: '回滚学年升级' })
  await back.getByLabel('原因').fill('方案有误')
  await back.getByLabel('您的登录密码').fill(password)
  await back.getByRole('button', { name: '回滚', exact: true }).click()
  await back.waitFor({ state: 'hidden' })
  await run.getByText('已回滚', { exact: true }).waitFor()
  await page.goto(`${server.url}/Organization`)
  await page.getByRole('button', { name: '毕业班级' }).click()
  await page.getByRole('dialog', { name: '毕业班级' }).getByRole('row').nth(1).waitFor()
  await picture(page, 'upgrade-6-graduates')
  expect(faults).toEqual([])
})
