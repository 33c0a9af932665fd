import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { signIn, startChromium } from '../../e2e/browser.ts'
import { send } from '../client.ts'
import { atMost, kibibytes, reported } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { startProduct } from '../product.ts'
import { install } from '../school.ts'

const demo_password = 'Demo@Pass26'
const kib = 1024
/** Far away, so that what is asked for after the paint cannot arrive before it. */
const slow_network = { offline: false, latency: 300, downloadThroughput: 1_000_000, uploadThroughput: 1_000_000 }

/** How much JavaScript a browser fetches before somebody can work. */
export const consoleWeight: Figure = {
  name: 'console-weight',
  title: 'JavaScript of the first pages',
  how: 'Scripts that Chromium asked for, each file gzipped. First paint: arrived before first-contentful-paint over a network with 300 ms of latency. In all: the login page with its dialogs, by signing in with a default password (new password) and with several identities (choice). First list: 学生家长档案 opened at its address with an empty cache, until its first row stands.',
  run,
}

type Scripts = { painted: string[]; all: string[] }

async function run(bench: Bench): Promise<Line[]> {
  const { app, settings } = await install('postgres', bench)
  await app.running.close()
  const product = await startProduct({ ...settings, CAMPUS_PROFILE: 'demo' })
  const browser = await startChromium()
  try {
    const first = await loginPage(browser, product.url)
    const dialogs = [await withDialog(browser, product.url, 'moren01'), await withDialog(browser, product.url, 'duo01')]
    const list = await firstList(browser, product.url)
    const in_all = [...new Set([...first.all, ...dialogs.flat()])]
    return [
      atMost('login page, to first paint', await weigh(first.painted), 70 * kib, kibibytes),
      atMost('login page, in all', await weigh(in_all), 95 * kib, kibibytes),
      atMost('first list page', await weigh(list), 390 * kib, kibibytes),
      reported('files: first paint, login in all, list', `${first.painted.length}, ${in_all.length}, ${list.length}`),
      reported('heaviest to first paint', await heaviest(first.painted)),
      reported('heaviest of the list', await heaviest(list)),
    ]
  } finally {
    await browser.close()
    await product.stop()
  }
}

async function loginPage(browser: Browser, url: string): Promise<Scripts> {
  const page = await (await browser.newContext()).newPage()
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', slow_network)
  await page.goto(`${url}/`)
  await page.getByAltText('看不清？点击刷新').waitFor()
  await page.waitForLoadState('networkidle')
  return scriptsOf(page)
}

/** Signs in with an account whose way in leads through a dialog of the login page. */
async function withDialog(browser: Browser, url: string, account: string): Promise<string[]> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, url, account, demo_password)
  await page.getByRole('dialog').waitFor()
  await page.waitForLoadState('networkidle')
  return (await scriptsOf(page)).all
}

/** The session is taken along, the cache is not. */
async function firstList(browser: Browser, url: string): Promise<string[]> {
  const entrance = await browser.newContext()
  const login = await entrance.newPage()
  await signIn(login, url, 'admin01', demo_password)
  await login.getByRole('link', { name: '学生家长档案' }).first().waitFor()
  const page = await (await browser.newContext({ storageState: await entrance.storageState() })).newPage()
  await page.goto(`${url}/ParentsRecord`)
  await page.getByText(/共\s*[\d,]+\s*条/).first().waitFor()
  return (await scriptsOf(page)).all
}

async function scriptsOf(page: Page): Promise<Scripts> {
  const { painted_at, scripts } = await page.evaluate(() => ({
    painted_at: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.POSITIVE_INFINITY,
    scripts: performance.getEntriesByType('resource').flatMap(entry => (entry.name.endsWith('.js') && 'responseEnd' in entry ? [{ name: entry.name, arrived_at: Number(entry.responseEnd) }] : [])),
  }))
  if (scripts.length === 0) throw new Error(`${page.url()} loaded no script: is the console built?`)
  return { painted: scripts.filter(({ arrived_at }) => arrived_at < painted_at).map(({ name }) => name), all: scripts.map(({ name }) => name) }
}

async function weigh(urls: readonly string[]): Promise<number> {
  const sizes = await Promise.all(urls.map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function heaviest(urls: readonly string[]): Promise<string> {
  const sized = await Promise.all(urls.map(async url => ({ file: url.split('/').at(-1) ?? '', size: await sizeOf(url) })))
  return sized.toSorted((a, b) => b.size - a.size).slice(0, 4).map(({ file, size }) => `${file} ${kibibytes(size)}`).join(', ')
}

async function sizeOf(url: string): Promise<number> {
  const { status, text } = await send(url)
  if (status !== 200) throw new Error(`${url}: ${status}`)
  return gzipSync(text).length
}
