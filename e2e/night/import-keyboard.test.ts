import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { pupilSheet } from '../import-sheet.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const pupils = 12
const most_tabs = 40
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-sheets-'))
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  page = (await openPage(await browser.newContext())).page
  page.setDefaultTimeout(20_000)
  await signIn(page, server.url, 'xinxiao01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** What has the focus, as a screen reader says it, roughly. */
function held(): Promise<string> {
  return page.evaluate(`(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent ?? '').trim()`)
}

/** Tabs on until something of that name has the focus. */
async function reach(name: RegExp): Promise<void> {
  for (let at = 0; at < most_tabs && !name.test(await held()); at += 1) await page.keyboard.press('Tab')
  expect(await held()).toMatch(name)
}

const told = (text: RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor({ state: 'attached' })

/** What Excel leaves on the clipboard, into what has the focus. */
async function paste(text: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
}

test('a sheet is imported and taken back without a mouse: the focus goes on with each step, and each step is told', async () => {
  const sheet = await pupilSheet(folder, '新生.xlsx', pupils, (lines, column) => {
    for (const line of lines.slice(0, 5)) line[column('家长1手机号')] = '169'
  })
  await page.goto(`${server.url}/ParentsRecord`)
  await page.getByRole('button', { name: '导入学生' }).first().press('Enter')
  await page.getByRole('button', { name: '下载模板' }).waitFor()
  // The earlier imports come in below, and the drawer takes the focus once it has come in.
  await page.waitForLoadState('networkidle')
  await expect.poll(() => page.evaluate(`document.activeElement.matches('.ant-drawer')`)).toBe(true)
  await reach(/^把文件拖到这里/)
  const asked = page.waitForEvent('filechooser')
  await page.keyboard.press('Enter')
  await (await asked).setFiles(sheet)
  await told(/核对完成：错误 5 行/)
  await expect.poll(held).toBe('核对，第 4 步，共 6 步')

  await reach(/错误 5$/)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(held).toMatch(/全部 12$/)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.getByRole('gridcell', { name: /手机号格式不正确/ }).first().waitFor()
  await mend()
  await importAndUndo()
})

/** Enter opens the cell with the focus; where the grid was just read again, a person presses it once more. */
async function openCell(): Promise<void> {
  const box = page.getByRole('textbox', { name: '家长1手机号' })
  await expect.poll(async () => {
    if (!(await box.isVisible())) await page.keyboard.press('Enter')
    return box.isVisible()
  }, { interval: 500 }).toBe(true)
}

/** The grid: arrows, Enter, Esc, a block of several cells, and leaving a row out. */
async function mend(): Promise<void> {
  const invalid = page.locator('[aria-invalid=true]')
  await page.waitForLoadState('networkidle')
  for (let at = 0; at < most_tabs && !(await inGrid()); at += 1) await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await expect.poll(held).toContain('手机号格式不正确')
  await openCell()
  await page.keyboard.type('1')
  await page.keyboard.press('Escape')
  await expect.poll(held).toContain('169')
  await openCell()
  await page.keyboard.type('16900009001')
  await page.keyboard.press('Enter')
  await told(/核对完成：错误 4 行/)
  await expect.poll(held).toContain('手机号格式不正确')
  await paste('16900009002\n16900009003\n16900009004\n')
  await page.getByText('已粘贴 3 行').first().waitFor()
  await told(/核对完成：错误 1 行/)
  expect(await invalid.count()).toBe(1)
  for (let at = 0; at < pupils && !(await held()).includes('手机号格式不正确'); at += 1) await page.keyboard.press('ArrowDown')
  await reach(/^忽略此行/)
  await page.keyboard.press('Enter')
  await told(/核对完成：错误 0 行.*已忽略 1 行/)
}

function inGrid(): Promise<boolean> {
  return page.evaluate(`document.activeElement.hasAttribute('data-at')`)
}

async function importAndUndo(): Promise<void> {
  await reach(/^确认导入$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '确认导入' }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-modal') !== null`)).toBe(true)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('heading', { name: '导入完成' }).waitFor()
  await told(/已导入 11 行/)
  await expect.poll(held).toBe('结果，第 6 步，共 6 步')
  await reach(/^撤销本次导入/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '撤销本次导入' }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-modal') !== null`)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(held).toBe('撤销本次导入')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: '撤销本次导入' }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-modal') !== null`)).toBe(true)
  await page.keyboard.press('Control+Enter')
  await page.getByRole('alert').filter({ hasText: '该批次已整批撤销' }).waitFor()
  await expect.poll(held).toBe('结果，第 6 步，共 6 步')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(`document.activeElement !== document.body`)).toBe(true)
}
