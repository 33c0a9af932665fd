import { domains } from '@apps/server/domains'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openAt, openSignedIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings, crawl } from './crawl.ts'
import { sharedServer } from './server.ts'

const names = ['attendance', 'exams', 'evaluation'] as const
const own = domains.filter(domain => names.some(name => name === domain.name))
const facts = own.flatMap(domain => domain.facts ?? [])
const paths = facts.map(fact => fact.path)
const patterns = own
  .flatMap(domain => domain.routes.filter(({ call }) => call.method === 'GET').flatMap(({ call }) => call.paths))
  .map(path => new RegExp(`^${path.replaceAll(/:\w+/gu, '[^/]+')}$`, 'u'))
const isOwn = (url: URL) => patterns.some(pattern => pattern.test(url.pathname))
const [group_size, group_ms, wait_ms] = [8, 300_000, 30_000] as const
const groups = Array.from({ length: Math.ceil(paths.length / group_size) }, (_, at) => paths.slice(at * group_size, (at + 1) * group_size))

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  ;({ browser, page } = await openSignedIn(url))
  page.setDefaultTimeout(wait_ms)
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(() => browser?.close())

/** Every list without rows and every sum nothing, as a school has it on its first day. */
async function emptied(route: Route): Promise<void> {
  const response = await route.fetch().catch(() => undefined)
  if (!response) return
  const said = await response.text()
  const body = JSON.stringify(JSON.parse(said), (name, value: unknown) => (name === 'list' && Array.isArray(value) ? [] : name === 'total' ? 0 : value))
  await route.fulfill({ response, body }).catch(() => undefined)
}
const broken = (route: Route): Promise<void> => route.fulfill({ status: 500, body: 'upstream' })

test('the 31 routes of the chapter are known', () => expect(paths).toHaveLength(31))

describe.each(groups)('%s …', (...group) => {
  test('55-A34 stand with their rows: nothing refused, no serious finding of axe', async () => {
    expect(await crawl(page, url, group)).toEqual(group.map(path => ({ path, faults: [] })))
  }, group_ms)

  test('55-A34 stand without any row, and say something', async () => {
    await page.route(isOwn, emptied)
    expect(await crawl(page, url, group)).toEqual(group.map(path => ({ path, faults: [] })))
  }, group_ms)

  test('55-A34 say that they cannot be loaded, and offer to try again', async () => {
    await page.route(isOwn, broken)
    for (const path of group) {
      // A page that was seen with its rows would show them still.
      await page.goto(`${url}${path}`)
      await page.getByRole('main').getByRole('button', { name: '重试' }).filter({ visible: true }).first().waitFor()
      expect([path, await axeFindings(page)]).toEqual([path, []])
    }
  }, group_ms)
})

test('55-A34 a page of teachers lights the entry of pupils in the menu', async () => {
  const teachers = facts.filter(fact => fact.active_menu !== undefined)
  expect(teachers).toHaveLength(11)
  for (const { path, active_menu } of teachers) {
    await openAt(page, url, path)
    const lit = page.locator('.ant-menu-item-selected').filter({ visible: true })
    await lit.first().waitFor()
    const name = facts.find(fact => fact.path === active_menu)?.family?.name ?? ''
    expect([path, await lit.allInnerTexts()]).toEqual([path, [expect.stringContaining(name)]])
  }
}, group_ms)

test('55-A34 stars are given by keys alone: the type by its number, the pupil by Tab and space, Enter gives', async () => {
  await openAt(page, url, '/StartRecord')
  await page.locator('[data-ready="list"]').waitFor()
  await page.getByRole('button', { name: '评星', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '评星' })
  await dialog.locator('[data-pupil]').first().waitFor()
  await page.keyboard.press('1')
  const isPupil = () => page.evaluate<boolean>(`document.activeElement?.closest('[data-pupil]') !== null && document.activeElement !== null`)
  for (let presses = 0; presses < 60 && !(await isPupil()); presses += 1) await page.keyboard.press('Tab')
  expect(await isPupil()).toBe(true)
  await page.keyboard.press('Space')
  await dialog.getByRole('button', { name: '评定（1）', exact: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText(/^已评定 1个/u).first().waitFor()
}, group_ms)
