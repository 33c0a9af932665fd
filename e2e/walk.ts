import type { Locator, Page } from 'playwright-core'
import { walkTo } from './browser.ts'
import { listenToRequests } from './quiet.ts'
import type { Requests } from './quiet.ts'

/** Faults of a page, found by using it. */
export type Walked = { path: string; faults: string[] }
/** A page that is walked through, and how to wait until it rests. */
type Walk = Requests & { page: Page; url: string; path: string }
/** Buttons of one kind, and what must be pressed for them to be seen. */
type Buttons = { buttons: string; under?: string; most: number }

const ready_ms = 60_000
const press_ms = 5000
const key_ms = 3000
/** A question over a form over a list, and one key more for what a field has unfolded. */
const keys_to_leave = 6
const highest_row = 56
const fewest_rows = 10
const dialogs = '.ant-modal:visible, .ant-drawer-content-wrapper:visible'
const feet = ['.ant-modal-footer', '.ant-drawer-footer', '.kit-form-foot']
const confirms = feet.map(foot => `${foot} .ant-btn-primary:enabled:visible`).join(', ')
const sentences = '[role="alert"]:visible, .ant-form-item-explain-error:visible, .ant-message-notice:visible'
const is_noise = /Slow network is detected|was preloaded using link preload|Failed to load resource/
/** What a person is shown when the console or its server is at fault. */
const broken_sentences = /网络异常|系统异常|页面出错/
const is_chinese = /\p{Script=Han}/u
const opened_by_buttons: readonly Buttons[] = [
  { buttons: '.kit-page-actions button, .kit-toolbar-line button:not(.kit-more button)', most: 6 },
  { buttons: '.kit-more-panel button', under: '.kit-more > button', most: 8 },
  // A table that scrolls begins with a row that only measures.
  { buttons: 'main .ant-table-row:not(.ant-table-row ~ .ant-table-row) button', most: 4 },
]

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
 * Uses each page as one uses any: looks at its frame and its list, ticks a row, sorts, turns the page, opens each dialog of its head, its toolbar
 * (更多 too) and its first row, sends it empty and leaves it (design `screens.md`). What stands in the demo may change by it.
 */
export async function walk(page: Page, url: string, paths: readonly string[]): Promise<Walked[]> {
  const heard = listen(page)
  const requests = listenToRequests(page)
  const walked: Walked[] = []
  await page.goto(`${url}${paths[0]}`)
  for (const path of paths) {
    heard.length = 0
    if (walked.length > 0) await walkTo(page, path)
    const at = { page, url, path, ...requests }
    const faults = await goThrough(at).catch((error: unknown) => [`cannot be used: ${String(error).slice(0, 300)}`])
    walked.push({ path, faults: [...new Set([...faults, ...heard])] })
  }
  return walked
}

/** What the console of the page and the server's answers say against it, from now on. */
function listen(page: Page): string[] {
  const heard: string[] = []
  page.on('console', message => {
    if (['error', 'warning'].includes(message.type()) && !is_noise.test(message.text())) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => heard.push(`error: ${error.message}`))
  page.on('response', answer => {
    // A refused write is an answer to what was sent; a refused reading or a malformed body is the page's own fault.
    const is_fault = answer.status() >= 500 || answer.status() === 400 || (answer.status() > 400 && answer.request().method() === 'GET')
    if (is_fault) heard.push(`${answer.status()}: ${answer.request().method()} ${new URL(answer.url()).pathname}`)
  })
  // What opens a window of its own is walked in its own right.
  page.on('popup', popup => void popup.close())
  return heard
}

async function goThrough(at: Walk): Promise<string[]> {
  const { page } = at
  await settle(at)
  const faults = [...(await frameFaults(page)), ...(await listFaults(at))]
  faults.push(...(await press(at, page.locator('main th.ant-table-column-has-sorters:visible').first(), 'sorted')))
  const next = page.locator('main .ant-pagination-next:not(.ant-pagination-disabled) button:visible').first()
  faults.push(...(await press(at, next, 'the next page')))
  for (const buttons of opened_by_buttons) faults.push(...(await dialogFaults(at, buttons)))
  return faults
}

/** Waits until the page has said that it stands and nothing is on its way. */
async function settle({ page, quiet }: Walk): Promise<void> {
  await page.locator('[data-ready]').filter({ visible: true }).first().waitFor({ timeout: ready_ms })
  await quiet()
}

async function frameFaults(page: Page): Promise<string[]> {
  const { heads } = await page.evaluate<Measured>(measure)
  if (heads.length === 1 && heads[0]?.endsWith(' 18px') && !heads[0].startsWith(' ')) return []
  return [`one h1 of 18 px is asked for: ${heads.join(', ')}`]
}

async function listFaults({ page, quiet }: Walk): Promise<string[]> {
  const before = await page.evaluate<Measured>(measure)
  const faults = before.highest > highest_row ? [`a row of ${before.highest} px`] : []
  const is_plain = before.rows >= fewest_rows && before.highest <= 41
  if (is_plain && before.in_sight < fewest_rows) faults.push(`only ${before.in_sight} of ${before.rows} rows in sight`)
  const box = page.locator('main tbody .ant-table-row .ant-table-selection-column input:enabled').filter({ visible: true }).first()
  if ((await box.count()) === 0) return faults
  await box.click()
  await quiet()
  const { second } = await page.evaluate<Measured>(measure)
  if (second !== before.second) faults.push(`ticking a row moves the next one by ${second - before.second} px`)
  await box.click()
  return faults
}

/** Presses something that asks the server anew, if the page has it; the rows or the empty state must come back. */
async function press({ page, quiet }: Walk, part: Locator, name: string): Promise<string[]> {
  if ((await part.count()) === 0) return []
  await part.click()
  await quiet()
  return brokenFaults(page, name)
}

async function brokenFaults(page: Page, after: string): Promise<string[]> {
  const said = (await page.locator(sentences).allInnerTexts()).map(text => text.trim()).filter(text => text !== '')
  return said.filter(text => broken_sentences.test(text) || !is_chinese.test(text)).map(text => `${after}: ${text}`)
}

/** Opens what each of the buttons opens, sends it empty and leaves it; a button that leads to another page is followed back. */
async function dialogFaults(at: Walk, { buttons, under, most }: Buttons): Promise<string[]> {
  const { page, path } = at
  const faults: string[] = []
  const unfold = async () => {
    const folded = page.locator(`${under}[aria-expanded="false"]:visible`)
    if (under !== undefined && (await folded.count()) > 0) await folded.first().click({ timeout: press_ms })
  }
  await unfold()
  const names = (await page.locator(buttons).filter({ visible: true }).allInnerTexts()).map(text => text.trim())
  for (const [nth, name] of names.slice(0, most).entries()) {
    await unfold()
    const button = page.locator(buttons).filter({ visible: true }).nth(nth)
    // What was done before may have taken it away.
    if ((await button.count()) === 0 || !(await button.isEnabled())) continue
    const is_pressed = await button.click({ timeout: press_ms }).then(() => true, () => false)
    if (!is_pressed) faults.push(`${name}: something lies over it`)
    faults.push(...(await openedFaults(at, name)))
    if (new URL(page.url()).pathname !== path) await walkTo(page, path)
    await settle(at)
  }
  return faults
}

/** What was opened is sent empty and left, a confirmation of it too; a panel is closed. */
async function openedFaults(at: Walk, name: string): Promise<string[]> {
  const { page, quiet } = at
  await quiet()
  const faults = await brokenFaults(page, name)
  if ((await page.locator(dialogs).count()) > 0) return [...faults, ...(await sendEmpty(at, name)), ...(await leave(at, name))]
  await page.keyboard.press('Escape')
  return faults
}

/** A form that is sent empty stays and says what is missing, or does what it offers. */
async function sendEmpty({ page, asked, quiet }: Walk, name: string): Promise<string[]> {
  const dialog = page.locator(dialogs).last()
  const confirm = dialog.locator(confirms).last()
  if ((await confirm.count()) === 0) return []
  const looks = async () => `${asked()} ${await page.locator('body').innerText()}`
  const before = await looks()
  const is_sent = await confirm.click({ timeout: press_ms }).then(() => true, () => false)
  if (!is_sent) return [`${name}: its button cannot be pressed`]
  await quiet()
  const is_answered = (await looks()) !== before
  return [...(await brokenFaults(page, `${name}, sent empty`)), ...(is_answered ? [] : [`${name}: sent empty, it says nothing`])]
}

/** Esc closes what is uppermost, until nothing is open; where nothing was typed nothing is asked. A page that cannot be left is loaded anew. */
async function leave({ page, url, path }: Walk, name: string): Promise<string[]> {
  const open = page.locator(dialogs)
  const faults: string[] = []
  for (let keys = 0; keys < keys_to_leave; keys += 1) {
    const count = await open.count()
    if (count === 0) return faults
    const gone = open.nth(count - 1)
    await page.keyboard.press('Escape')
    await gone.waitFor({ state: 'hidden', timeout: key_ms }).catch(() => undefined)
    const discard = open.last().getByRole('button', { name: '放弃修改' })
    if ((await discard.count()) === 0) continue
    faults.push(`${name}: asks about changes though nothing was typed`)
    await discard.click({ timeout: press_ms })
  }
  if ((await open.count()) === 0) return faults
  await page.goto(`${url}${path}`)
  return [...faults, `${name}: the dialog cannot be left by Esc`]
}
