import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, trouble } from '../answers.ts'
import type { Relief } from '../answers.ts'
import { calm, openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { pupilSheet } from '../import-sheet.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const pupils = 12
const long_name = `${'一个名字很长的文件'.repeat(20)}.xlsx`
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let folder: string
let sheet: string
/** address of the batch that the tests take from step to step */
let address: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-sheets-'))
  sheet = await pupilSheet(folder, '新生.xlsx', pupils, (lines, column) => {
    lines[1]?.splice(column('家长1手机号'), 1, '169')
    lines[2]?.splice(column('姓名'), 1, '长'.repeat(900))
  })
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
  page.setDefaultTimeout(20_000)
  await signIn(page, server.url, 'xinxiao01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
  await rm(folder, { recursive: true, force: true })
})

const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
const button = (name: string | RegExp, on: Page = page) => on.getByRole('button', { name, exact: true })
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
const headed = (name: string | RegExp) => page.getByRole('heading', { name })

async function start(): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord?import=student`)
  await button('下载模板').waitFor()
}

async function choose(file: string | { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file)
}

/** The batch as the server would tell it in another state. */
function stateOf(patch: Partial<ImportBatch>): Promise<Relief> {
  return answer(page, importApi.one, said => {
    const { data, ...envelope } = JSON.parse(said)
    return JSON.stringify({ ...envelope, data: { ...data, ...patch } })
  })
}

/** Nothing wider than the window in either size, and no serious finding of axe once what comes in has come. */
async function looksRight(): Promise<void> {
  await page.mouse.move(0, 0)
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(`[...document.querySelectorAll('html, .ant-drawer-body, .import-body, .import-head, .ant-modal-body')].filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.className)`)).toEqual([])
  }
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  expect(await axeFindings(page, '.ant-drawer-open')).toEqual([])
}

async function applyIn(on: Page): Promise<void> {
  await button('确认导入', on).click()
  await on.getByRole('dialog', { name: '确认导入', exact: true }).getByRole('button', { name: '确认导入' }).click()
  await on.getByRole('heading', { name: '导入完成' }).waitFor()
}

describe('a file', () => {
  test.each([
    ['without rows', '文件中没有数据', '数据从第 3 行开始填写', () => pupilSheet(folder, '空.xlsx', 1, lines => lines.splice(0))],
    ['that is none', '文件无法读取', '用 Excel 或 WPS 打开检查', () => ({ name: long_name, mimeType: 'text/plain', buffer: Buffer.from('x') })],
    ['of another template', '模板不匹配，缺少列', '请重新下载模板', () => join(folder, 'parent.xlsx')],
    ['of another kind', '文件格式不支持', '另存为 .xlsx 或 .csv', () => ({ name: '名单.xls', mimeType: 'text/plain', buffer: Buffer.from('x') })],
  ])('%s is refused with its reason and what to do', async (_, reason, advice, make) => {
    await start()
    await choose(await make())
    await alert(reason).filter({ hasText: advice }).waitFor()
    await looksRight()
  })

  test.each(['cut', 'broken'] as const)('whose way to the server is %s is still chosen, and 重试 sends it', async kind => {
    await start()
    const relieve = await trouble(page, importApi.upload, kind)
    await choose(sheet)
    await alert('不用重新选择').waitFor()
    await looksRight()
    await relieve()
    await button('重试').click()
    await page.getByRole('tab', { name: /错误 2/ }).waitFor()
    address = page.url()
  })
})

test('while a file is on its way it can be stopped; the latest imports that cannot be loaded say so', async () => {
  const later = await trouble(page, importApi.batches, 'broken')
  await start()
  await alert('最近的导入加载失败').waitFor()
  await later()
  const relieve = await trouble(page, importApi.upload, 'slow')
  await choose(sheet)
  await page.getByRole('status').filter({ hasText: '新生.xlsx' }).waitFor()
  await looksRight()
  await button('取消上传').click()
  await button(/把文件拖到这里/).waitFor()
  expect(await page.evaluate(`document.activeElement.className`)).toContain('import-drop')
  await relieve()
})

describe('the address leads back to the step of the batch', () => {
  test.each([
    [{ state: 'parsing' }, '正在解析并核对每一行'],
    [{ state: 'applying' }, '正在写入'],
    [{ state: 'undoing' }, '正在撤销'],
    [{ state: 'applied', rows_applied: 3, message: '导入中断，已导入3行' }, '导入中断，已导入3行'],
    [{ state: 'expired' }, '该批次超过 7 天未确认'],
    [{ state: 'failed', message: '已取消' }, '没有写入任何数据，需要时可以重新上传同一文件'],
    [{ state: 'failed', message: '系统异常，请稍后重试' }, '请稍后重新上传同一文件'],
    [{ state: 'undone' }, '该批次已整批撤销'],
    [{ state: 'parsed', message: '已取消' }, '可以再次确认导入'],
  ] as const)('%j: %s', async (patch, sentence) => {
    await stateOf({ ...patch, file_name: long_name })
    await page.goto(address)
    await headed(sentence).or(alert(sentence)).waitFor()
    await looksRight()
  })
})

test('progress that cannot be asked for says so and goes on by itself', async () => {
  await stateOf({ state: 'parsing' })
  await page.goto(address)
  await headed('正在解析').waitFor()
  const relieve = await trouble(page, importApi.one, 'cut')
  const note = page.getByRole('status').filter({ hasText: '恢复后会自动继续' })
  await note.waitFor()
  await looksRight()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await relieve()
  await note.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: /错误 2/ }).waitFor()
})

test('a cell typed while the server is away keeps its text through tabs, is asked about on leaving, and is saved later', async () => {
  await page.goto(address)
  const relieve = await trouble(page, importApi.fix, 'cut')
  await page.getByRole('gridcell', { name: /手机号格式不正确/ }).click()
  await page.keyboard.type('16900009001')
  await page.keyboard.press('Enter')
  await page.getByRole('gridcell', { name: '16900009001 未保存' }).waitFor()
  await looksRight()
  await page.getByRole('tab', { name: /新增/ }).click()
  await page.getByRole('tab', { name: /错误/ }).click()
  await page.getByRole('gridcell', { name: '16900009001 未保存' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog('还有 1 处修改未保存').getByRole('button', { name: '取消' }).click()
  await relieve()
  await button('重新保存').click()
  await page.getByRole('tab', { name: /错误 1/ }).waitFor()
  expect(await page.getByText('未保存').count()).toBe(0)
  await button('忽略此行').last().click()
  await page.getByRole('tab', { name: /错误 0/ }).waitFor()
})

test('an apply without an answer stays to be tried again; when another tab was first, this one follows', async () => {
  const other = await page.context().newPage()
  await other.goto(address)
  await button('确认导入', other).waitFor()
  const relieve = await trouble(page, importApi.apply, 'cut')
  await button('确认导入').click()
  await dialog('确认导入').getByRole('button', { name: '确认导入' }).click()
  await alert('不会重复导入').waitFor()
  await looksRight()
  await relieve()
  await applyIn(other)
  await other.close()
  const confirm = dialog('确认导入').getByRole('button', { name: '确认导入' })
  if (await confirm.isVisible()) await confirm.click({ timeout: 5000 }).catch(() => undefined)
  await headed('导入完成').waitFor()
  await page.getByText('11', { exact: true }).first().waitFor()
  await looksRight()
})

test('an undo names the rows that changed since, with their reasons, and takes back the others alone', async () => {
  const moved = await pupilSheet(folder, '改址.xlsx', pupils, (lines, column) => {
    lines.splice(1)
    lines[0]?.splice(column('现住址'), 1, '启明路 1 号')
  })
  await start()
  await choose(moved)
  await applyIn(page)
  await page.goto(address)
  await button('撤销本次导入').click()
  await dialog('撤销本次导入').getByRole('button', { name: '撤销导入' }).click()
  await button('撤销可撤销的 10 行').waitFor()
  await page.getByRole('row').filter({ hasText: '新增' }).waitFor()
  await looksRight()
  await button('撤销可撤销的 10 行').click()
  await dialog('撤销可撤销的 10 行').getByRole('button', { name: '撤销可撤销部分' }).click()
  await alert('1行在导入后又有变动，予以保留').waitFor()
  await looksRight()
})
