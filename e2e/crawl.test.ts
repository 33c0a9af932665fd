import { domains } from '@apps/server/domains'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSignedIn, walkTo } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { crawl } from './crawl.ts'
import type { Crawled } from './crawl.ts'
import { buildPlantedConsole } from './planted-console.ts'
import type { PlantedConsole } from './planted-console.ts'
import { sharedServer } from './server.ts'

const paths = domains.flatMap(domain => domain.facts ?? []).filter(fact => fact.school_types.includes(1)).map(fact => fact.path)

/** A few routes a test, so that one slow page does not use up the time of all. */
const group_size = 12
const groups = Array.from({ length: Math.ceil(paths.length / group_size) }, (_, at) => paths.slice(at * group_size, (at + 1) * group_size))

const server = sharedServer()
let browser: JourneyBrowser
let page: Page
let planted: PlantedConsole

beforeAll(async () => {
  const [opened, built] = await Promise.all([openSignedIn(server.url), buildPlantedConsole()])
  browser = opened.browser
  page = opened.page
  planted = built
})

afterAll(async () => {
  await browser?.close()
  await planted?.remove()
})

test('the crawl knows the routes', () => {
  expect(paths.length).toBeGreaterThanOrEqual(4)
})

test.each(groups)('every route of %s … stands without a fault: no error in the console, nothing refused, no serious finding of axe, nothing wider than the window', async (...group) => {
  expect(await crawl(page, server.url, group)).toEqual(group.map(path => ({ path, faults: [] })))
})

describe('the crawl can fail', () => {
  const faulty = [
    ['/PlantedThrow', 'shows failed'],
    ['/PlantedWarn', 'console: planted'],
    ['/PlantedWide', 'wider than the window'],
    ['/PlantedMute', 'axe button-name'],
    ['/PlantedPale', 'axe color-contrast'],
    ['/NoSuchPage', 'shows not-found'],
  ] as const
  let crawled: Crawled[]
  beforeAll(async () => {
    await planted.showIn(page)
    crawled = await crawl(page, server.url, faulty.map(([path]) => path))
  })

  test.each(faulty)('%s is found out: %s', (path, fault) => {
    expect(crawled.find(found => found.path === path)?.faults.join('\n')).toContain(fault)
  })

  test('and what was at fault on one page is not on the next', () => {
    expect(crawled.find(found => found.path === '/PlantedWide')?.faults).toHaveLength(1)
  })
})

test('a kept page comes back as it was left, an open dialog and all, and does not lock the others', async () => {
  await walkTo(page, '/PlantedKept')
  await page.getByLabel('草稿').fill('写到一半')
  await page.getByRole('button', { name: '打开对话框' }).click()
  await page.getByText('对话框还开着').waitFor()
  await walkTo(page, '/Dashboard')
  await page.locator('[data-ready="dashboard"]').waitFor()
  await page.getByText('对话框还开着').waitFor({ state: 'detached' })
  // Nothing of the hidden dialog lies over the page: a click reaches what it aims at.
  await page.getByRole('navigation', { name: '主菜单' }).getByText('档案管理').click({ timeout: 5000 })
  await page.goBack()
  await page.getByText('对话框还开着').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('对话框还开着').waitFor({ state: 'detached' })
  expect(await page.getByLabel('草稿').inputValue()).toBe('写到一半')
})
