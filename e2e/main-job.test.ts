import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareNewServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'
import { pupils, spoiledSheets } from './sheet.ts'

const journey_ms = 240_000
/** A first start fills the whole demo, beside other journeys. */
const start_ms = 620_000
let server: ServerUnderTest
let browser: JourneyBrowser
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-sheets-'))
  server = await prepareNewServer()
  await server.start()
  browser = await openBrowser()
}, start_ms)

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

test(
  'an administrator of a new school makes a roll of 4,000 pupils from a sheet, mends red cells, and finds it again after a restart',
  async () => {
    const sheets = await spoiledSheets(folder)
    const { page, faults } = await openPage(await browser.newContext(calm))
    await page.goto(server.url)
    await picture(page, '1-login')
    await signIn(page, server.url, 'xinxiao01', 'Demo@Pass26')
    await page.getByRole('link', { name: '学生家长档案' }).first().click()
    await chooseSheet(page, sheets.student)
    await mendRedCells(page)
    await applyBatch(page, 'students')
    await findPupils(page)
    expect(faults).toEqual([])
    await server.stop()
    await server.start()
    await page.reload()
    await page.getByText('共 3,999 条').first().waitFor()
  },
  journey_ms,
)

async function chooseSheet(page: Page, file: string): Promise<void> {
  await page.getByRole('button', { name: '导入学生' }).first().click()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: '下载模板' }).click()
  expect((await waiting).suggestedFilename()).toBe('学生导入模板.xlsx')
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: '确认导入' }).waitFor({ timeout: 60_000 })
}

/** Every fault has its sentence; a mended cell is judged again at once. */
async function mendRedCells(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /错误/ }).click()
  for (const sentence of ['手机号格式不正确', '字典值不存在', '身份证号格式不正确']) await page.getByText(sentence).first().waitFor()
  await picture(page, '2-dry-run')
  expect(await page.getByRole('button', { name: '确认导入' }).isDisabled()).toBe(true)
  await mendText(page, '手机号格式不正确', '16900009001')
  await page.locator('[aria-invalid=true]', { hasText: '字典值不存在' }).click()
  await page.getByRole('grid').getByRole('combobox', { name: '性别' }).fill('女')
  await page.keyboard.press('Enter')
  await page.getByText('字典值不存在').first().waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: '身份证号格式不正确' }).getByRole('button', { name: '忽略此行' }).click()
  await page.getByRole('tab', { name: /错误\s*0/ }).waitFor()
}

async function mendText(page: Page, sentence: string, value: string): Promise<void> {
  await page.locator('[aria-invalid=true]', { hasText: sentence }).click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(value)
  await page.keyboard.press('Enter')
  await page.getByText(sentence).first().waitFor({ state: 'detached' })
}

async function applyBatch(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: '确认导入' }).click()
  await page.getByRole('dialog', { name: '确认导入' }).getByRole('button', { name: '确认导入' }).click()
  await picture(page, `3-progress-${name}`)
  await page.getByText('导入完成').waitFor({ timeout: 120_000 })
  await page.getByText((pupils - 1).toLocaleString('zh-CN')).first().waitFor()
  await picture(page, `4-result-${name}`)
  await page.getByRole('button', { name: '完成' }).click()
}

/** By class in the tree, then by name. */
async function findPupils(page: Page): Promise<void> {
  await page.getByText('共 3,999 条').first().waitFor()
  await page.getByRole('alert').filter({ hasText: '已完成' }).waitFor({ state: 'hidden' })
  await picture(page, '5-roll')
  await page.getByRole('tree').getByText('小学部').click()
  await page.getByText(/共\s*1,?\d{3}\s*条/).first().waitFor()
  await page.getByLabel('关键字').fill('欧阳若曦')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: '欧阳若曦' }).first().waitFor()
  await picture(page, '6-found')
  await page.getByRole('button', { name: '重置' }).click()
  await page.getByRole('tree').getByText('启明第二实验学校（新校）').click()
}
