import { jobApi } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { studentExportApi } from '@campus/people/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, nothing, trouble } from '../answers.ts'
import { calm, openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const shown = 20
let made = 0
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  const context = await browser.newContext(calm)
  // Without a live connection the list is asked for again and again, which can then break.
  await context.routeWebSocket('**/mqtt', socket => socket.close())
  page = (await openPage(context)).page
  page.setDefaultTimeout(20_000)
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const bell = () => page.getByRole('button', { name: /^任务中心/ })
const drawer = () => page.getByRole('dialog', { name: '任务中心' })
const item = (text: string) => drawer().getByRole('listitem').filter({ hasText: text })

/** With a filter the list behind is short, which axe reads faster. */
async function roll(query = '?keyword=202010101'): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord${query}`)
  await page.locator('tbody .ant-table-row').first().waitFor()
}

async function openTasks(): Promise<void> {
  await bell().press('Enter')
  await drawer().waitFor()
}

async function looksRight(part: string): Promise<void> {
  await page.mouse.move(0, 0)
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    expect(await page.evaluate(`[...document.querySelectorAll('html, .ant-drawer-body, .ant-modal-body')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)`)).toEqual([])
  }
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  expect(await axeFindings(page, part)).toEqual([])
}

function job(title: string, patch: Partial<JobRow>): JobRow {
  const times = { created_at: '2026-11-20T08:00:00Z', finished_at: '2026-11-20T08:01:00Z' }
  made += 1
  return { job_no: `j${made}`, kind: 'x', title, state: 'succeeded', stage: null, total: 400, done: 400, failed: 0, has_result: false, cancel_asked: false, error_msg: null, created_by_name: '张三', is_mine: true, ...times, ...patch }
}

const running = job('导入甲', { state: 'running', stage: '检查数据', done: 120, finished_at: null })
const many = [
  running,
  job('导入乙', { state: 'running', done: 130, cancel_asked: true, finished_at: null }),
  job('导入丙', { state: 'failed', error_msg: `系统异常，请稍后重试${'很长的原因'.repeat(30)}` }),
  job('导出学生', { has_result: true }),
  job(`撤销${'很长的文件名'.repeat(40)}.xlsx`, { state: 'partly', failed: 12 }),
  job('导入丁', { state: 'cancelled', done: 152 }),
  ...Array.from({ length: shown - 6 }, (_, at) => job(`导入${at}`, {})),
]
const list = (jobs: readonly JobRow[], total: number = jobs.length) => answer(page, jobApi.list, () => JSON.stringify({ code: 600, msg: '', data: { list: jobs, total } }))

describe('任务中心', () => {
  test('without a job says what will stand there; Esc gives the focus back to the bell', async () => {
    await answer(page, jobApi.list, nothing)
    await roll()
    await openTasks()
    await drawer().getByText('还没有任务，导入、导出会显示在这里').waitFor()
    await looksRight('.ant-drawer-open')
    await page.keyboard.press('Escape')
    await drawer().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('aria-label')`)).toMatch(/^任务中心/)
  })

  test('many jobs: bars, reasons, downloads, long names, and that there are more', async () => {
    await list(many, 57)
    await roll()
    await page.getByRole('button', { name: '任务中心，2个任务进行中' }).waitFor()
    await openTasks()
    await item('导入甲').getByText('检查数据').waitFor()
    expect(await item('导入甲').getByRole('progressbar').getAttribute('aria-valuenow')).toBe('30')
    expect(await item('导入乙').getByRole('button', { name: '正在取消' }).isDisabled()).toBe(true)
    await item('导入丙').getByText('很长的原因').waitFor()
    await item('导出学生').getByRole('button', { name: '下载结果' }).waitFor()
    await item('导入丁').getByText('已取消').waitFor()
    expect(await item('导入丁').getByText('38%').count()).toBe(0)
    await drawer().getByText('只显示最近 20 个任务，共 57 个').waitFor()
    await looksRight('.ant-drawer-open')
  })

  test('on its way, broken, and broken while jobs run: each says so, and goes on', async () => {
    const relieve = await trouble(page, jobApi.list, 'slow')
    await roll()
    await openTasks()
    await drawer().getByRole('status', { name: '加载中' }).waitFor()
    await looksRight('.ant-drawer-open')
    await relieve()
    const broken = await trouble(page, jobApi.list, 'broken')
    await roll()
    await openTasks()
    await drawer().getByRole('alert').filter({ hasText: '任务加载失败' }).waitFor()
    await broken()
    const told = await list([running])
    await drawer().getByRole('button', { name: '重试' }).click()
    await item('导入甲').waitFor()
    const cut = await trouble(page, jobApi.list, 'cut')
    const note = drawer().getByRole('status').filter({ hasText: '恢复后会自动更新' })
    await note.waitFor()
    const refused = await trouble(page, jobApi.cancel, 'cut')
    await drawer().getByRole('button', { name: '取消 导入甲' }).click()
    await page.locator('.kit-toast').filter({ hasText: '网络异常，请检查网络' }).waitFor()
    await refused()
    await cut()
    await note.waitFor({ state: 'detached' })
    await told()
  })
})

describe('导出', () => {
  const dialog = () => page.getByRole('dialog', { name: '导出学生' })
  const go = () => dialog().getByRole('button', { name: '导出', exact: true }).click()

  test('of more than 1,000 people asks for a reason, keeps it while the server is away, and hands over the file', async () => {
    await roll('')
    await page.getByRole('button', { name: '导出', exact: true }).press('Enter')
    await dialog().getByLabel('导出原因').waitFor()
    await go()
    await dialog().getByRole('alert').filter({ hasText: '原因' }).waitFor()
    await looksRight('.ant-modal')
    await dialog().getByLabel('导出原因').fill('   ')
    await go()
    await dialog().getByRole('alert').filter({ hasText: '原因' }).waitFor()
    await dialog().getByLabel('导出原因').fill('学籍年检')
    const relieve = await trouble(page, studentExportApi.export, 'cut')
    await go()
    await dialog().getByRole('alert').filter({ hasText: '网络异常，请检查网络' }).waitFor()
    expect(await dialog().getByLabel('导出原因').inputValue()).toBe('学籍年检')
    await relieve()
    await go()
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: '下载结果' }).click()
    expect((await waiting).suggestedFilename()).toMatch(/\.xlsx$/)
    await looksRight('.ant-modal')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a file that is gone says so in the task center', async () => {
    await list([job('导出学生', { has_result: true })])
    await roll()
    await openTasks()
    await item('导出学生').getByRole('button', { name: '下载结果' }).click()
    await page.locator('.kit-toast').filter({ hasText: '任务不存在或已过期' }).waitFor()
    await looksRight('.ant-drawer-open')
  })
})
