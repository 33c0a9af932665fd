import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
/** A Sunday of the demo's term that is over: the sessions have been held when the plan is published. */
const [name, day, grade] = ['高三11月联考', '2026-11-15', '高三'] as const
const long_ms = 480_000
let browser: JourneyBrowser
let page: Page
let faults: string[]
let exam = ''

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
  page.setDefaultTimeout(60_000)
})
afterAll(() => browser?.close())

/** Picks an option of a select by typing it. */
async function pick(where: Page | Locator, label: string, text: string): Promise<void> {
  const box = where.getByRole('combobox', { name: label })
  await box.fill(text)
  await box.press('Enter')
}

const part = (label: string) => page.locator('.ant-segmented-item', { hasText: new RegExp(`^${label}$`, 'u') }).click()
const press = (label: string) => page.getByRole('button', { name: label, exact: true }).click()
const agree = (label: string) => page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
const said = (text: RegExp) => page.getByText(text).first().waitFor()
const step = (label: string) => page.getByRole('list', { name: '步骤' }).getByRole('button', { name: new RegExp(label, 'u') }).click()

test('an exam of one grade is planned as a checklist: settings, papers, sessions', async () => {
  await openAt(page, url, '/ExamManage')
  await page.locator('[data-ready="list"]').waitFor()
  await press('新建考试')
  const dialog = page.getByRole('dialog', { name: '新建考试' })
  await dialog.getByLabel('考试名称').fill(name)
  await pick(dialog, '考试类型', '月考')
  await pick(dialog, '年级', grade)
  const days = dialog.locator('.ant-picker-range input')
  for (const at of [0, 1]) {
    await days.nth(at).fill(day)
    await days.nth(at).press('Enter')
  }
  await dialog.getByRole('button', { name: '保存', exact: true }).click()
  await page.locator('[data-ready="exam"]').waitFor()
  exam = new URL(page.url()).searchParams.get('exam') ?? ''
  await step('科目')
  for (const subject of ['语文', '数学']) await pick(page, `${grade}添加学科`, subject)
  await press('保存科目')
  await said(/^科目已保存/u)
  await step('场次')
  await press('自动安排')
  await said(/^已安排场次/u)
  await page.locator('.exam-session').nth(1).waitFor()
  await picture(page, 'exam-plan-steps')
  expect(await axeFindings(page)).toEqual([])
}, long_ms)

test('55-A34 candidates, rooms, seats without classmates side by side, two of them swapped by keys, and invigilators; then the plan is published', async () => {
  await openAt(page, url, `/ExamPlan?exam=${exam}`)
  await page.locator('[data-ready="plan"]').waitFor()
  await part('考生')
  await press('更新名单')
  await agree('更新')
  await said(/^已更新考生名单/u)
  await press('编排考号')
  await page.getByRole('menuitem', { name: '年级＋班级＋序号' }).click()
  await agree('编排')
  await said(/^已编排 \d+个考号/u)
  await part('考场')
  await press('按人数补足')
  await press('保存考场')
  await said(/^考场已保存/u)
  await part('座位')
  await press('编排座位')
  await said(/^已编排 \d+个座位，同班相邻 0处/u)
  await page.getByText('同班相邻 0', { exact: true }).waitFor()
  await picture(page, 'exam-seats')
  await swapByKeys()
  await part('监考')
  await page.locator('.ant-segmented-item', { hasText: '每场1人' }).click()
  await press('安排监考')
  await said(/^已安排 \d+人次/u)
  await page.getByText('缺主监考 0', { exact: true }).waitFor()
  await picture(page, 'exam-duties')
  await press('发布安排')
  await agree('发布')
  await said(/^发布成功/u)
  await part('管制')
  await page.getByText('已结束', { exact: true }).first().waitFor()
  await picture(page, 'exam-control')
}, long_ms)

/** Two classmates of a room change their seats by keys alone: arrows to the first, M, arrows to the second, M. */
async function swapByKeys(): Promise<void> {
  const labels: (string | null)[] = await page.evaluate(`[...document.querySelectorAll('.exam-map > *')].slice(1).map(seat => seat.getAttribute('aria-label'))`)
  const columns: number = await page.evaluate(`getComputedStyle(document.querySelector('.exam-map')).gridTemplateColumns.split(' ').length`)
  const classOf = (at: number) => labels[at]?.split(' ')[2]
  const first = labels.findIndex((_, at) => classOf(at) !== undefined)
  const second = labels.findIndex((_, at) => at > first && classOf(at) === classOf(first))
  expect(second).toBeGreaterThan(first)
  await page.locator(`.exam-map [data-cell='${first}']`).focus()
  await page.keyboard.press('m')
  for (let row = Math.floor(first / columns); row < Math.floor(second / columns); row += 1) await page.keyboard.press('ArrowDown')
  const along = (second % columns) - (first % columns)
  for (let moved = 0; moved < Math.abs(along); moved += 1) await page.keyboard.press(along > 0 ? 'ArrowRight' : 'ArrowLeft')
  await page.keyboard.press('m')
  await said(/^已与.+对调/u)
}

/** Pastes a block into the grid as Excel puts it on the clipboard. */
async function paste(block: string): Promise<void> {
  await page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', ${JSON.stringify(block)})
    document.querySelector('input[data-cell="0-0"]').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
}

/** A score is reached by Tab, typed, and saved by Enter, which goes on to the next pupil. */
async function typeByKeys(): Promise<void> {
  const focused = () => page.evaluate<string | null>(`document.activeElement?.getAttribute('data-cell') ?? null`)
  await page.getByRole('combobox', { name: '班级' }).focus()
  for (let presses = 0; presses < 40 && (await focused()) === null; presses += 1) await page.keyboard.press('Tab')
  expect(await focused()).toBe('0-0')
  await page.keyboard.type('88')
  await page.keyboard.press('Enter')
  expect(await focused()).toBe('1-0')
  await page.locator('td[data-state="saved"] input[data-cell="0-0"]').waitFor()
}

test('55-A34 a score is typed by keys alone, scores of every class are pasted from a sheet, looked at before they are saved, and handed in', async () => {
  await openAt(page, url, `/ExamResult?exam=${exam}`)
  await page.locator('[data-ready="result"]').waitFor()
  const grid = page.getByRole('table', { name: '成绩' })
  await grid.waitFor()
  await page.getByRole('combobox', { name: '班级' }).click()
  const classes = await page.locator('.ant-select-dropdown:visible .ant-select-item-option').allInnerTexts()
  await page.keyboard.press('Escape')
  expect(classes.length).toBeGreaterThan(1)
  await typeByKeys()
  for (const [at, dept_name] of classes.entries()) {
    if (at > 0) {
      await pick(page, '班级', dept_name)
      await page.getByTitle(dept_name, { exact: true }).first().waitFor()
    }
    await grid.waitFor()
    const rows = await grid.locator('tbody tr').count()
    const lines = Array.from({ length: rows }, (_, row) => (at === 0 && row === 0 ? '缺考\t零分' : at === 0 && row === 1
      ? '0\t150.5' : `${90 + (row * 7 + at) % 50}\t${85 + (row * 11 + at) % 60}`))
    await paste(lines.join('\n'))
    const preview = page.getByRole('dialog', { name: '粘贴预览' })
    if (at === 0) await preview.getByText('分数超出满分').first().waitFor()
    await preview.getByRole('button', { name: /^保存 \d+项$/u }).click()
    await preview.waitFor({ state: 'detached' })
    const saved = rows * 2 - (at === 0 ? 1 : 0)
    await expect.poll(() => grid.locator('td[data-state="saved"]').count(), { timeout: 60_000 }).toBe(saved)
    if (at === 0) {
      const wrong = grid.locator('input[data-cell="1-1"]')
      await wrong.fill('149.5')
      await wrong.press('Enter')
      await picture(page, 'exam-grid')
    }
    await expect.poll(() => grid.locator('td[data-state="saved"]').count(), { timeout: 60_000 }).toBe(rows * 2)
    for (const handed of [1, 2]) {
      await grid.getByRole('button', { name: '提交', exact: true }).first().click()
      await agree('提交')
      await expect.poll(() => grid.getByText('已提交', { exact: true }).count(), { timeout: 60_000 }).toBe(handed)
    }
  }
}, long_ms)

test('the scores are reviewed and published with the password typed again; the figures count who was there', async () => {
  await openAt(page, url, `/ExamResult?exam=${exam}`)
  await page.locator('[data-ready="result"]').waitFor()
  await part('审核发布')
  await press('审核通过')
  await agree('审核通过')
  await said(/^已审核/u)
  await press('发布成绩')
  const dialog = page.getByRole('dialog', { name: `发布成绩：${name}` })
  await dialog.getByText(/^家长看到的样子：/u).waitFor()
  await dialog.getByLabel('您的登录密码').fill('Demo@Pass26')
  await dialog.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByRole('cell', { name: 'v1', exact: true }).waitFor()
  await page.getByText('成绩已发布', { exact: true }).first().waitFor()
  await picture(page, 'exam-release')
  await part('分析')
  await said(/参加统计 \d+人，缺考或不全 1人/u)
  await picture(page, 'exam-analysis')
  await part('成绩')
  await page.getByRole('cell', { name: '缺考', exact: true }).first().waitFor()
  expect(faults).toEqual([])
}, long_ms)
