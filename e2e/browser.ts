import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { vi } from 'vitest'
import { chromium_flags, findChromium } from '../tools/chromium.ts'

type Session = Awaited<ReturnType<BrowserContext['storageState']>>

const shots = join(import.meta.dirname, 'shots')
/** Set by `npm test`: what pages showed is written there and counted by `npm run coverage`. */
const coverage_dir = process.env.CAMPUS_TEST_COVERAGE_DIR
/** Its users' today begins eight hours before that of a machine in UTC. */
const school_zone = 'Asia/Shanghai'
/** The browser's storage of accounts that have signed in, by server and account. */
const sessions = new Map<string, Promise<Session>>()
const demo_password = 'Demo@Pass26'
const takes_pictures = process.env.CAMPUS_TEST_PICTURES === '1'
const sizes = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
] as const

/**
 * Runs in the page: hands over each new line and label of visible text. What was just added or rewritten is read at once, so that a
 * sentence which the next key replaces is seen too; what a class or a style has brought to light is read soon after.
 */
const watch_text = `(() => {
  const known = new Set()
  let is_waiting = false
  const hand = texts => {
    const fresh = [...new Set(texts.map(text => text.trim()))].filter(text => text !== '' && !known.has(text))
    for (const text of fresh) known.add(text)
    if (fresh.length > 0) window.campusSeen(fresh).catch(() => undefined)
  }
  const read = root => {
    if (!root.isConnected || !root.checkVisibility()) return
    const leaves = [root, ...root.querySelectorAll('*')].filter(one => one.childElementCount === 0 && !known.has(one.textContent.trim()) && one.checkVisibility())
    hand([...(root.innerText ?? '').split(/[\\n\\t]+/), ...leaves.map(leaf => leaf.textContent)])
  }
  const look = () => {
    is_waiting = false
    if (document.body) read(document.body)
  }
  const meet = records => {
    const changed = records.flatMap(({ type, target, addedNodes }) => (type === 'childList' ? [...addedNodes] : type === 'characterData' ? [target] : []))
    for (const root of new Set(changed.map(node => (node instanceof Element ? node : node.parentElement)))) if (root) read(root)
    if (!is_waiting) setTimeout(look, 400)
    is_waiting = true
  }
  new MutationObserver(meet).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  addEventListener('pagehide', look)
})()`

/** A context without motion: for journeys that ask what a page says and does, not how it gets there. */
export const calm = { reducedMotion: 'reduce' } as const

/** A browser as a journey has it. */
export type JourneyBrowser = Pick<Browser, 'newContext' | 'close'>

/** A journey's pages live for seconds: what the engine spends on optimizing their code, a quarter of their processor time, never comes back, nor does a process of its own that paints. */
const short_lived = ['--js-flags=--no-maglev --no-turbofan --always-sparkplug', '--in-process-gpu']

/** A browser of a worker and those of its contexts that nobody has at the moment. */
type Running = { browser: Browser; idle: BrowserContext[] }

/** The browsers of a worker, by their flags: a start takes seconds of processor time, a journey's own contexts take none. They end with the worker. */
const started = new Map<string, Promise<Running>>()
const nothing_stored = { cookies: [], origins: [] }

/**
 * The machine's Chromium, whose pages stand where the product's users sit; `more` adds flags of one journey. The journeys of a worker share it, each
 * with contexts of its own; `close` closes these.
 */
export async function openBrowser(more: readonly string[] = []): Promise<JourneyBrowser> {
  const key = more.join(' ')
  const known = await started.get(key)
  const starting = known?.browser.isConnected() ? Promise.resolve(known) : startChromium([...short_lived, ...more]).then(browser => ({ browser, idle: [] }))
  started.set(key, starting)
  const running = await starting
  const ends: (() => Promise<void>)[] = []
  const newContext: Browser['newContext'] = async options => {
    const context = options === calm ? await calmContext(running) : await running.browser.newContext({ timezoneId: school_zone, ...options })
    // A context that was closed and has gone to somebody else has another end by then.
    ends.push(context.close.bind(context))
    return context
  }
  const close = async () => void (await Promise.all(ends.map(end => end())))
  return { newContext, close }
}

/**
 * A context as `calm` asks for it, in which nothing is stored. Whoever closes it leaves it to the next one, with what the browser has fetched of the
 * product: a first load with an empty cache costs nearly twice as much. A journey that changes the context itself (its clock, its scripts) has
 * one of its own: `{ ...calm }`.
 */
async function calmContext({ browser, idle }: Running): Promise<BrowserContext> {
  const context = idle.pop() ?? (await browser.newContext({ timezoneId: school_zone, ...calm }))
  await context.setStorageState(nothing_stored)
  let is_open = true
  context.close = async () => {
    if (!is_open) return
    is_open = false
    context.removeAllListeners()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await Promise.all(context.pages().map(page => page.close()))
    await context.clearPermissions()
    idle.push(context)
  }
  return context
}

/** Starts the machine's Chromium as it is. */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
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
    if (message.type() === 'error' || message.type() === 'warning') faults.push(`${message.text()} ${message.location().url}`.trim())
  })
  page.on('pageerror', error => faults.push(String(error)))
  return { page, faults }
}

/**
 * A page on which an account of the demo has signed in; it shows nothing yet. An account signs in once in a worker, by the form, and its
 * journeys there go on with that session: a journey that ends or changes sessions signs in for itself.
 */
export async function openSignedIn(url: string, account = 'admin01', options: BrowserContextOptions = calm): Promise<{ browser: JourneyBrowser; page: Page; faults: string[] }> {
  const browser = await openBrowser()
  const of_account = `${url} ${account}`
  const session = sessions.get(of_account) ?? sessionOf(browser, url, account)
  sessions.set(of_account, session)
  const context = await browser.newContext(options)
  await context.setStorageState(await session)
  return { browser, ...(await openPage(context)) }
}

async function sessionOf(browser: JourneyBrowser, url: string, account: string): Promise<Session> {
  const context = await browser.newContext(calm)
  const { page } = await openPage(context)
  await signIn(page, url, account, demo_password)
  await page.waitForURL(landing)
  await page.locator('[data-ready]').first().waitFor()
  const session = await context.storageState()
  await context.close()
  return session
}

async function recordText(page: Page, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${process.pid}.jsonl`)
  await page.exposeFunction('campusSeen', (texts: string[]) => appendFile(file, texts.map(text => `${JSON.stringify({ on: 'page', text })}\n`).join('')))
  await page.addInitScript(watch_text)
}

/**
 * Opens a page of the console at its address: by a load, as whoever types it, and when the console stands already, anew but as by a link of it, which
 * costs a third.
 */
export async function openAt(page: Page, url: string, path: string): Promise<void> {
  const stands = page.url().startsWith(`${url}/`) && (await page.evaluate<boolean>(`document.querySelector('main [data-ready]') !== null`))
  if (!stands) return void (await page.goto(`${url}${path}`))
  // A page is made anew when another one stood between, if only the one that says there is none.
  if (new URL(page.url()).pathname === new URL(path, url).pathname) await walkTo(page, '/-')
  await walkTo(page, path)
}

/** Goes to another page of the console that stands, as a link of it does, and waits until it is there, ready or not; not from one address without a page to the next. */
export async function walkTo(page: Page, path: string): Promise<void> {
  // Every page sets the title when it comes.
  await page.evaluate(`document.title = ''; history.pushState(null, '', ${JSON.stringify(path)})`)
  await page.waitForFunction(`document.title !== ''`)
}

/** Takes a picture of the page in both sizes, for people to look at, when `CAMPUS_TEST_PICTURES=1` asks for it. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!takes_pictures) return
  await mkdir(shots, { recursive: true })
  for (const size of sizes) {
    await page.setViewportSize(size)
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(shots, `${name}-${size.width}.png`) })
  }
  await page.setViewportSize(sizes[0])
}

/**
 * Leaves a dialog by Esc. Of two dialogs the upper one is out of sight a moment before it stops taking Esc for itself: then the key is
 * pressed again, as a person would.
 */
export async function leaveByKey(page: Page, dialog: Locator): Promise<void> {
  const leave = async () => {
    if (await dialog.isVisible()) await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden', timeout: 3000 })
  }
  await vi.waitFor(leave, { timeout: 20_000 })
}

/** Where somebody who signed in lands: the first of the starting pages that his menu holds. */
export const landing = '**/IconMenu'

/** Goes from the landing to the figures of the day. */
export async function openDashboard(page: Page): Promise<void> {
  await page.waitForURL(landing)
  await page.getByRole('main').getByRole('link', { name: '首页概览' }).click()
  await page.locator('[data-ready="dashboard"]').waitFor()
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
