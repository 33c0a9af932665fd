import type { Locator, Page } from 'playwright-core'
import { leaveByKey, walkTo } from './browser.ts'

/** Faults of a page, found by using it. */
export type Walked = { path: string; faults: string[] }

const ready_ms = 20_000
const dialog_ms = 3000
const buttons_a_page = 6
const buttons_a_row = 3
const highest_row = 56
const fewest_rows = 10
const dialogs = '.ant-modal:visible, .ant-drawer-content-wrapper:visible'
const is_noise = /Slow network is detected|was preloaded using link preload|Failed to load resource/
/** What a person is shown when the console or its server is at fault. */
const broken_sentences = /网络异常|系统异常|页面出错/

/** Runs in the page: how its head and its first table lie. Positions in pixels. */
const measure = `(() => {
  const seen = one => one.checkVisibility() && one.getBoundingClientRect().height > 0
  const heads = [...document.querySelectorAll('h1')].filter(seen)
  const table = [...document.querySelectorAll('main .ant-table')].find(seen)
  const rows = table ? [...table.querySelectorAll('tbody .ant-table-row')].filter(seen) : []
  const foot = document.querySelector('main .kit-pagination')
  const bottom = Math.min(innerHeight, foot && seen(foot) ? foot.getBoundingClientRect().top : innerHeight)
  return {
    heads: heads.map(one => [one.textContent.trim(), getComputedStyle(one).fontSize].join(' ')),
    rows: rows.length,
    highest: Math.max(0, ...rows.map(one => Math.round(one.getBoundingClientRect().height))),
    in_sight: rows.filter(one => one.getBoundingClientRect().top >= 0 && one.getBoundingClientRect().bottom <= bottom + 1).length,
    second: rows[1] ? Math.round(rows[1].getBoundingClientRect().top) : 0,
  }
})()`
type Measured = { heads: string[]; rows: number; highest: number; in_sight: number; second: number }

/**
 * Uses each page as one uses any: looks at its frame and its list, ticks a row, sorts, turns the page, opens each dialog of its head, its toolbar and its
 * first row, sends it empty and leaves it (design `screens.md`). What stands in the demo may change by it.
 */
export async function walk(page: Page, url: string, paths: readonly string[]): Promise<Walked[]> {
  const heard: string[] = []
  page.on('console', message => {
    if ((message.type() === 'error' || message.type() === 'warning') && !is_noise.test(message.text())) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => heard.push(`error: ${error.message}`))
  page.on('response', answer => {
    if (answer.status() >= 500) heard.push(`${answer.status()}: ${new URL(answer.url()).pathname}`)
  })
  const walked: Walked[] = []
  for (const path of paths) {
    heard.length = 0
    if (walked.length === 0) await page.goto(`${url}${path}`)
    else await walkTo(page, path)
    const faults = await goThrough(page, path).catch((error: unknown) => [`cannot be used: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`])
    walked.push({ path, faults: [...new Set([...faults, ...heard])] })
  }
  return walked
}

async function goThrough(page: Page, path: string): Promise<string[]> {
  await settle(page)
  const faults = [...(await frameFaults(page)), ...(await listFaults(page))]
  faults.push(...(await press(page, page.locator('main th.ant-table-column-has-sorters:visible').first(), 'sorted')))
  faults.push(...(await press(page, page.locator('main .ant-pagination-next:not(.ant-pagination-disabled) button:visible').first(), 'the next page')))
  faults.push(...(await dialogFaults(page, path, '.kit-page-actions button, .kit-toolbar-line button', buttons_a_page)))
  faults.push(...(await dialogFaults(page, path, 'main tbody .ant-table-row:first-child button', buttons_a_row)))
  return faults
}

/** Waits until the page has said that it stands and nothing is on its way. */
async function settle(page: Page): Promise<void> {
  await page.locator('[data-ready]').filter({ visible: true }).first().waitFor({ timeout: ready_ms })
  await page.waitForLoadState('networkidle')
}

async function frameFaults(page: Page): Promise<string[]> {
  const { heads } = await page.evaluate<Measured>(measure)
  if (heads.length === 1 && heads[0]?.endsWith(' 18px') && !heads[0].startsWith(' ')) return []
  return [`one h1 of 18 px is asked for: ${heads.join(', ')}`]
}

async function listFaults(page: Page): Promise<string[]> {
  const before = await page.evaluate<Measured>(measure)
  const faults = before.highest > highest_row ? [`a row of ${before.highest} px`] : []
  if (before.rows >= fewest_rows && before.highest <= 41 && before.in_sight < fewest_rows) faults.push(`only ${before.in_sight} of ${before.rows} rows in sight`)
  const box = page.locator('main tbody .ant-table-row .ant-table-selection-column input:enabled').filter({ visible: true }).first()
  if ((await box.count()) === 0) return faults
  await box.click()
  const { second } = await page.evaluate<Measured>(measure)
  if (second !== before.second) faults.push(`ticking a row moves the next one by ${second - before.second} px`)
  await box.click()
  return faults
}

/** Presses something that asks the server anew, if the page has it; the rows or the empty state must come back. */
async function press(page: Page, part: Locator, name: string): Promise<string[]> {
  if ((await part.count()) === 0) return []
  await part.click()
  await page.waitForLoadState('networkidle')
  return brokenFaults(page, name)
}

async function brokenFaults(page: Page, after: string): Promise<string[]> {
  const said = await page.locator('[role="alert"]:visible, .ant-message-notice:visible').allInnerTexts()
  return said.filter(text => broken_sentences.test(text)).map(text => `${after}: ${text}`)
}

/** Opens what each of the buttons opens, sends it empty and leaves it; a button that leads to another page is followed back. */
async function dialogFaults(page: Page, path: string, buttons: string, most: number): Promise<string[]> {
  const faults: string[] = []
  const names = (await page.locator(buttons).filter({ visible: true }).allInnerTexts()).map(text => text.trim())
  for (const [at, name] of names.slice(0, most).entries()) {
    const button = page.locator(buttons).filter({ visible: true }).nth(at)
    if (!(await button.isEnabled({ timeout: dialog_ms }).catch(() => false))) continue
    const is_pressed = await button.click({ timeout: dialog_ms }).then(() => true, () => false)
    if (!is_pressed) faults.push(`${name}: something lies over it`)
    faults.push(...(await openedFaults(page, name)))
    if (new URL(page.url()).pathname !== path) await walkTo(page, path)
    await settle(page)
  }
  return faults
}

/** What was opened is sent empty and left, a confirmation of it too; a panel is closed. */
async function openedFaults(page: Page, name: string): Promise<string[]> {
  const dialog = page.locator(dialogs).last()
  const is_open = await dialog.waitFor({ timeout: dialog_ms / 2 }).then(() => true, () => false)
  await page.waitForLoadState('networkidle')
  const faults = await brokenFaults(page, name)
  if (is_open) return [...faults, ...(await sendEmpty(page, dialog, name))]
  await page.keyboard.press('Escape')
  return faults
}

/** A form that is sent empty stays and says what is missing, or does what it offers; either way it can be left. */
async function sendEmpty(page: Page, dialog: Locator, name: string): Promise<string[]> {
  const confirm = dialog.locator('.ant-modal-footer .ant-btn-primary:enabled, .ant-drawer-footer .ant-btn-primary:enabled, .kit-form-foot .ant-btn-primary:enabled').last()
  if ((await confirm.count()) === 0) return leave(page, dialog, name)
  await confirm.click({ timeout: dialog_ms })
  await page.waitForLoadState('networkidle')
  const faults = await brokenFaults(page, `${name}, sent empty`)
  return [...faults, ...(await leave(page, dialog, name))]
}

async function leave(page: Page, dialog: Locator, name: string): Promise<string[]> {
  const is_left = await leaveByKey(page, dialog).then(() => true, () => false)
  return is_left ? [] : [`${name}: the dialog cannot be left by Esc`]
}
