// 离校与删除: who left by year, a pupil put on the list, the batch and its countdown, the proof of one that is done, the settings with their figure.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, leaveByKey, openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
const password = 'Demo@Pass26'
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url, 'admin01', { ...calm }))
})
afterAll(() => browser?.close())

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })

test('whoever left is listed by year; a certificate is printed; one is put on the list of deletions', async () => {
  await openAt(page, url, '/QuitRecord')
  const rows = page.locator('tbody .ant-table-row')
  await rows.nth(1).waitFor()
  const chart = page.getByRole('region', { name: '各年离校人数' })
  await chart.getByRole('button').first().waitFor()
  await picture(page, 'quit-record')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: /^更多 / }).first().click()
  await page.getByRole('menuitem', { name: '出具证明' }).click()
  const paper = dialog('离校证明')
  await paper.getByText(/^兹证明/).waitFor()
  await picture(page, 'quit-paper')
  await leaveByKey(page, paper)
  await rows.first().getByRole('checkbox').check()
  await page.getByRole('button', { name: '申请删除（1 人）' }).click()
  const ask = dialog('申请删除')
  await ask.getByRole('button', { name: /^确认删除/ }).click()
  await ask.getByText('请填写删除原因').waitFor()
  await ask.getByLabel('删除原因').fill('家长申请删除')
  await ask.getByLabel('登录密码').fill(password)
  await picture(page, 'delete-ask')
  await ask.getByRole('button', { name: /^确认删除/ }).click()
  await ask.waitFor({ state: 'hidden' })
  await rows.first().getByText('保留期').waitFor()
})

test('a batch shows its people and how long it can be cancelled; one that is done has a proof', async () => {
  await openAt(page, url, '/UserDeleteDetail')
  const batches = page.getByRole('complementary', { name: '删除批次' })
  await batches.getByRole('button', { name: /已完成/ }).last().click()
  await page.getByRole('button', { name: /^删除证明 / }).first().waitFor()
  await picture(page, 'delete-detail')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: /^删除证明 / }).first().click()
  const proof = dialog('删除证明')
  await proof.getByText('个人信息删除证明').waitFor()
  await proof.getByText('学籍档案依法保存，10年').waitFor()
  await picture(page, 'delete-proof')
  await leaveByKey(page, proof)
  await batches.getByRole('button', { name: /保留期.* 1 人/ }).first().click()
  await page.getByText('家长申请删除').waitFor()
  await page.getByRole('button', { name: '取消', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '取消删除' }).click()
  await page.locator('.delete-head').getByText('已取消').waitFor()
})

test('20-A26 settings that a slowed database does not answer are given up after ten seconds with a sentence, and are there once it answers again', async () => {
  const { promise: freed, resolve: free } = Promise.withResolvers<void>()
  await page.clock.install()
  await page.route('**/core/user-delete/config', async route => {
    await freed
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest('**/core/user-delete/config')
  await openAt(page, url, '/UserDelConfig')
  await asked
  await page.clock.fastForward(9000)
  expect(await page.getByText('服务器响应超过10秒，请稍后重试').count()).toBe(0)
  await page.clock.fastForward(1000)
  await page.getByText('服务器响应超过10秒，请稍后重试').waitFor()
  await picture(page, 'delete-config-late')
  free()
  await page.getByRole('button', { name: '重试' }).click()
  await page.getByLabel('学生离校天数').waitFor()
  await page.unroute('**/core/user-delete/config')
})

test('the settings tell what they would mean today, before and without being saved', async () => {
  await openAt(page, url, '/UserDelConfig')
  const figure = page.getByRole('complementary', { name: '按此设置' })
  await figure.getByText(/^[\d]+ 人$/).waitFor()
  const before = await figure.innerText()
  await picture(page, 'delete-config')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByLabel('学生离校天数').fill('3650')
  await expect.poll(() => figure.innerText(), { timeout: 15_000 }).not.toBe(before)
  await page.getByLabel('学生离校天数').fill('30')
  await page.getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').waitFor()
  expect(faults).toEqual([])
})
