import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium_flags, findChromium } from '../tools/chromium.ts'

const shots = join(import.meta.dirname, 'shots')
/** Set by `npm test`: what pages showed is written there and counted by `npm run coverage`. */
const coverage_dir = process.env.CAMPUS_TEST_COVERAGE_DIR
const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
] as const

/** Runs in the page: hands over each new line and label of visible text soon after it appears, before a toast of two seconds is gone. */
const watch_text = `(() => {
  const known = new Set()
  let is_waiting = false
  const look = () => {
    is_waiting = false
    const lines = (document.body?.innerText ?? '').split(/[\\n\\t]+/)
    const leaves = [...document.querySelectorAll('body *:not(:has(*))')].filter(leaf => !known.has(leaf.textContent.trim()) && leaf.checkVisibility())
    const texts = [...lines, ...leaves.map(leaf => leaf.textContent)].map(text => text.trim())
    const fresh = [...new Set(texts)].filter(text => text !== '' && !known.has(text))
    for (const text of fresh) known.add(text)
    if (fresh.length > 0) window.campusSeen(fresh).catch(() => undefined)
  }
  const lookSoon = () => {
    if (!is_waiting) setTimeout(look, 100)
    is_waiting = true
  }
  new MutationObserver(lookSoon).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  addEventListener('pagehide', look)
})()`

/** Starts the machine's Chromium; `more` adds flags of one journey. */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('Chromium is missing: install the package chromium')
  return chromium.launch({ executablePath, args: [...chromium_flags, ...more] })
}

/** A fresh page; faults in the console of the page are collected, a journey asserts there are none. */
export async function openPage(context: BrowserContext): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage()
  if (coverage_dir !== undefined) await recordText(page, coverage_dir)
  await page.setViewportSize(sizes[0])
  const faults: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text())
  })
  page.on('pageerror', error => faults.push(String(error)))
  return { page, faults }
}

async function recordText(page: Page, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${process.pid}.jsonl`)
  await page.exposeFunction('campusSeen', (texts: string[]) => appendFile(file, texts.map(text => `${JSON.stringify({ on: 'page', text })}\n`).join('')))
  await page.addInitScript(watch_text)
}

/** Takes a picture of the page in both sizes, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  await mkdir(shots, { recursive: true })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(shots, `${name}-${size.width}.png`) })
  }
  await page.setViewportSize(sizes[0])
}

/** Signs in by the form, as a person does; the captcha of the test environment is fixed. */
export async function signIn(page: Page, url: string, account: string, password: string): Promise<void> {
  await page.goto(`${url}/`)
  await page.getByAltText('看不清？点击刷新').waitFor()
  await page.getByLabel('账号', { exact: true }).fill(account)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByLabel('验证码', { exact: true }).fill('2222')
  await page.getByRole('button', { name: '登录', exact: true }).click()
}
