import { domains } from '@apps/server/domains'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calm, openBrowser, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { crawl } from './crawl.ts'
import { buildPlantedConsole } from './planted-console.ts'
import type { PlantedConsole } from './planted-console.ts'
import { sharedServer } from './server.ts'

const paths = domains.flatMap(domain => domain.facts ?? []).filter(fact => fact.school_types.includes(1)).map(fact => fact.path)

/** A few routes a test, so that one slow page does not use up the time of all. */
const group_size = 12
const groups = Array.from({ length: Math.ceil(paths.length / group_size) }, (_, at) => paths.slice(at * group_size, (at + 1) * group_size))

const server = sharedServer()
let browser: JourneyBrowser
let planted: PlantedConsole

beforeAll(async () => {
  const [opened, built] = await Promise.all([openBrowser(), buildPlantedConsole()])
  browser = opened
  planted = built
})

afterAll(async () => {
  await browser?.close()
  await planted?.remove()
})

async function signedIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.setViewportSize({ width: 1366, height: 768 })
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
  return page
}

test('the crawl knows the routes', () => {
  expect(paths.length).toBeGreaterThanOrEqual(4)
})

test.each(groups)('every route of %s … stands without a fault: no error in the console, nothing refused, no serious finding of axe, nothing wider than the window', async (...group) => {
  const page = await signedIn(await browser.newContext(calm))
  expect(await crawl(page, server.url, group)).toEqual(group.map(path => ({ path, faults: [] })))
  await page.context().close()
})

describe('the crawl can fail', () => {
  let page: Page
  beforeAll(async () => {
    const context = await browser.newContext(calm)
    page = await signedIn(context)
    await planted.showIn(context)
  })

  test.each([
    ['/PlantedThrow', 'shows failed'],
    ['/PlantedWarn', 'console: planted'],
    ['/PlantedWide', 'wider than the window'],
    ['/PlantedMute', 'axe button-name'],
    ['/NoSuchPage', 'shows not-found'],
  ])('%s is found out: %s', async (path, fault) => {
    const [found] = await crawl(page, server.url, [path])
    expect(found?.faults.join('\n')).toContain(fault)
  })
})

test('a kept page comes back as it was left, an open dialog and all, and does not lock the others', async () => {
  const context = await browser.newContext(calm)
  const page = await signedIn(context)
  await planted.showIn(context)
  await page.goto(`${server.url}/PlantedKept`)
  await page.getByLabel('草稿').fill('写到一半')
  await page.getByRole('button', { name: '打开对话框' }).click()
  await page.getByText('对话框还开着').waitFor()
  await page.evaluate(`history.pushState(null, '', '/Dashboard')`)
  await page.locator('[data-ready="dashboard"]').waitFor()
  await page.getByText('对话框还开着').waitFor({ state: 'detached' })
  // Nothing of the hidden dialog lies over the page: a click reaches what it aims at.
  await page.getByRole('navigation', { name: '主菜单' }).getByText('档案管理').click({ timeout: 5000 })
  await page.goBack()
  await page.getByText('对话框还开着').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('对话框还开着').waitFor({ state: 'detached' })
  expect(await page.getByLabel('草稿').inputValue()).toBe('写到一半')
  await context.close()
})
