import { configApi } from '@campus/school/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { trouble } from '../answers.ts'
import { calm, landing, openBrowser, openPage, picture, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const patience = { timeout: 20_000 }
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  const opened = await openPage(await browser.newContext(calm))
  page = opened.page
  faults = opened.faults
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.waitForURL(landing)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const open = (tab: string) => page.goto(`${server.url}/SchoolRecord${tab}`)
const save = () => page.getByRole('button', { name: '保存', exact: true }).click()

test('人员概况 beside it counts pupils and staff; a number of pupils opens its list with as many', async () => {
  await open('')
  const card = page.getByRole('region', { name: '人员概况' })
  await card.getByText('在职教职工').waitFor()
  for (const [label, filter] of [['女生', 'sex=2'], ['小学', 'stage=1']] as const) {
    const link = card.getByRole('link', { name: new RegExp(`^${label}.*查看名单$`) })
    const count = await link.innerText()
    await link.click()
    await page.waitForURL(`**/ParentsRecord?${filter}`)
    await page.getByText(`共 ${count} 条`).waitFor()
    await page.goBack()
  }
})

test('what is said of the school is checked beside its box, saved and read again', async () => {
  await open('')
  const name = page.getByLabel('学校名称')
  await name.fill('启明<学校>')
  await save()
  await page.getByText('不能包含特殊字符').waitFor()
  await name.fill('启明第一实验学校')
  await page.getByLabel('联系电话').fill('0532-88886666')
  await picture(page, 'school-record')
  expect(await axeFindings(page)).toEqual([])
  await save()
  await page.getByText('修改成功').first().waitFor()
  await page.reload()
  await expect.poll(() => name.inputValue(), patience).toBe('启明第一实验学校')
})

test('a setting that cannot be saved stays as chosen, says why, and is saved when the way is free', async () => {
  await open('?tab=config')
  await page.getByLabel('BD-09（百度）').check()
  await page.getByText('已修改1项，尚未保存').waitFor()
  await picture(page, 'school-config')
  expect(await axeFindings(page)).toEqual([])
  const relieve = await trouble(page, configApi.update, 'broken')
  await save()
  await page.getByRole('alert').filter({ hasText: '系统异常，请稍后重试' }).waitFor()
  await relieve()
  expect(await page.getByLabel('BD-09（百度）').isChecked()).toBe(true)
  await save()
  await page.getByText('设置成功').first().waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('BD-09（百度）').isChecked(), patience).toBe(true)
})

test('a word of the school’s own is added, renamed and put out of use; a standard dictionary is only read', async () => {
  await open('?tab=dictionary&type=HONOUR_CLASS')
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('代码').fill('1')
  await dialog.getByLabel('名称').fill('书法班级')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.getByText('代码已使用过，不能再用作别的含义，请换一个代码').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByLabel('代码').fill('SF')
  await dialog.getByRole('button', { name: '保存' }).click()
  await page.getByRole('button', { name: '编辑书法班级' }).click()
  await dialog.getByRole('switch').click()
  await dialog.getByRole('button', { name: '保存' }).click()
  const line = page.getByRole('row').filter({ hasText: '书法班级' })
  await expect.poll(() => line.innerText(), patience).toContain('停用')
  await page.getByRole('button', { name: /^性别/ }).click()
  await page.getByText('国家或行业标准，只能查看').waitFor()
  expect(await page.getByRole('button', { name: '新增', exact: true }).count()).toBe(0)
  expect(faults.filter(fault => !fault.includes('status of 500') && !fault.includes('status of 409'))).toEqual([])
})
