import { classBoardApi, contentApi, educationApi, resourceApi } from '@campus/publishing/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { openAt, openBrowser, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const patience = { timeout: 60_000 }
const polling = { timeout: 90_000, interval: 2000 }
/** Each step may take its whole patience where the machine is busy; a journey that goes on after its time would end the server of the next one. */
const journey = { timeout: 400_000 }
const file_call = /\/iot\/api\/player\/file\//
/** A server of its own starts on a copy of the demo. */
const start_ms = 300_000
let server: ServerUnderTest
let screens: JourneyBrowser
let page: Page
let faults: string[]
let context: BrowserContext
let screen: Page
let name: string

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  screens = await openBrowser()
  ;({ page, faults } = await openSignedIn(server.url))
}, start_ms)
afterAll(async () => {
  await screens?.close()
  await server?.stop()
  await server?.remove()
})

const as = async () => ({ token: await page.evaluate(() => localStorage.getItem('token') ?? '') })
const board = async () => {
  const { list } = dataOf(classBoardApi.list, await send(server.url, classBoardApi.list, { page_size: 300 }, await as()))
  const found = list.find(one => one.device_name === name)
  if (!found) throw new Error(`the board ${name} is gone`)
  return found
}
const stateOf = async (title: string) => {
  const asked = { id: (await board()).device_id, page_size: 300 }
  const { list } = dataOf(classBoardApi.deliveries, await send(server.url, classBoardApi.deliveries, asked, await as()))
  return list.find(one => one.title === title)?.state
}

/** Publishes a picture or document of the library to the room of the board. */
async function publish(keyword: string, type = 1): Promise<void> {
  const { list } = dataOf(resourceApi.list, await send(server.url, resourceApi.list, { type, keyword }, await as()))
  const resource_ids = list.map(one => one.id)
  if (type === 1) dataOf(educationApi.isPicture, await send(server.url, educationApi.isPicture, { resource_ids, is_picture: 1 }, await as()))
  const asked = { resource_id: resource_ids, place_id: [(await board()).place_id ?? ''], publish_teacher: [] }
  dataOf(educationApi.publish, await send(server.url, educationApi.publish, asked, await as()))
}

/** The clock of the screen goes on by hand: files that failed are asked for again after a while. */
let screen_time = 0
async function later(minutes: number): Promise<void> {
  screen_time += minutes * 60_000
  await screen.clock.setFixedTime(screen_time)
}
const shown = () => screen.locator('.screen [data-content] img[data-sha256]')

test('60-A22 a screen is paired by a code of the console and plays; the server is killed, it plays on and begins again without it; the console says so by its words alone', journey, async () => {
  await openAt(page, server.url, '/ClassManage')
  const tile = page.locator('.brd-tile[role="group"]', { hasText: '未回执' }).first()
  name = (await tile.getAttribute('aria-label', patience)) ?? ''
  await picture(page, 'class-manage')
  await page.getByTitle(`查看${name}`, { exact: true }).click()
  await page.getByRole('tab', { name: '设置与配对' }).click()
  await page.getByRole('button', { name: '生成配对码' }).click()
  const code = await page.locator('.ant-drawer b', { hasText: /^\d+-[A-Z0-9]{8}$/ }).textContent(patience)

  context = await screens.newContext({})
  screen = await context.newPage()
  await screen.goto(`${server.url}/board/#${code ?? ''}`)
  await screen.getByRole('button', { name: '配对' }).click()
  await screen.locator('.screen .zone[data-zone="media"]').waitFor(patience)
  await screen.locator('.dot[data-link="synced"]').waitFor({ ...patience, state: 'attached' })
  await shown().first().waitFor(patience)

  const tagOf = async () => {
    await openAt(page, server.url, '/ClassManage')
    return page.getByRole('group', { name, exact: true }).locator('.ant-tag').textContent()
  }
  await expect.poll(tagOf, { timeout: 60_000, interval: 3000 }).toBe('最新')
  expect(faults).toEqual([])

  await server.kill()
  await screen.locator('.dot[data-link="offline"]').waitFor({ ...patience, state: 'attached' })
  expect(await shown().count()).toBeGreaterThan(0)
  await screen.reload()
  await shown().first().waitFor(patience)
  await server.start()
  await screen.locator('.dot[data-link="synced"]').waitFor({ ...patience, state: 'attached' })
})

test('60-A21 a file that is held back leaves the old plan on the screen, as 下载中; an urgent text does not wait for it; after half an hour the rest is switched and its content is 故障, until the file comes', journey, async () => {
  const waiting: (() => void)[] = []
  await context.route(file_call, async route => {
    await new Promise<void>(resolve => waiting.push(resolve))
    await route.continue().catch(() => undefined)
  })
  await publish('跳远')
  await screen.locator('.dot[data-link="staged"]').waitFor({ ...patience, state: 'attached' })
  await expect.poll(() => stateOf('跳远'), polling).toBe(2)
  expect(await shown().count()).toBeGreaterThan(0)

  const device_ids = [(await board()).device_id]
  const urgent = { device_ids, text: '台风停课', minutes: 5, reason: '台风' }
  dataOf(classBoardApi.urgent, await send(server.url, classBoardApi.urgent, urgent, await as()))
  await screen.getByText('台风停课').waitFor(patience)
  dataOf(classBoardApi.urgent_stop, await send(server.url, classBoardApi.urgent_stop, { device_ids, reason: '解除' }, await as()))
  await screen.getByText('台风停课').waitFor({ ...patience, state: 'detached' })

  screen_time = await screen.evaluate(() => Date.now())
  await later(31)
  await expect.poll(() => stateOf('跳远'), polling).toBe(6)
  await context.unroute(file_call)
  for (const go of waiting) go()
  await later(2)
  await expect.poll(() => stateOf('跳远'), polling).toBe(4)
})

test('60-A27 a screen without room says 空间不足 and plays the old plan; with room it takes the new one by itself', journey, async () => {
  const line = await context.newCDPSession(screen)
  const origin = new URL(server.url).origin
  await line.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 })
  await publish('拔河')
  await expect.poll(() => stateOf('拔河'), polling).toBe(5)
  expect((await board()).fault_text).toBe('空间不足')
  expect(await shown().count()).toBeGreaterThan(0)
  await line.send('Storage.overrideQuotaForOrigin', { origin })
  const asked_again = async () => {
    await later(1)
    return stateOf('拔河')
  }
  await expect.poll(asked_again, polling).toBe(4)
  expect((await board()).fault_text).toBeNull()
})

test('a PDF of the library is shown on the screen page by page', journey, async () => {
  await publish('期末复习安排', 3)
  const asked_again = async () => {
    await later(0.2)
    return screen.locator('.screen canvas.document[data-page]').count()
  }
  await expect.poll(asked_again, polling).toBeGreaterThan(0)
  await expect.poll(() => stateOf('期末复习安排'), polling).toBe(4)
  await picture(screen, 'board-document')
})

test('60-A23 a picture set goes to every classroom of the school and is taken down again: the screen plays it and says that it is gone; no other board plays or has stopped without its own word', journey, async () => {
  const me = await as()
  const { list: boards } = dataOf(classBoardApi.list, await send(server.url, classBoardApi.list, { page_size: 300 }, me))
  const place_id = [...new Set(boards.flatMap(one => one.place_id ?? []))]
  expect(place_id.length).toBeGreaterThanOrEqual(90)
  const titles = ['图书馆', '银杏大道']
  const resource_id: string[] = []
  for (const keyword of titles) {
    const { list } = dataOf(resourceApi.list, await send(server.url, resourceApi.list, { type: 1, keyword }, me))
    resource_id.push(...list.map(one => one.id))
  }
  dataOf(educationApi.isPicture, await send(server.url, educationApi.isPicture, { resource_ids: resource_id, is_picture: 1 }, me))
  const asked = { resource_id, place_id, publish_teacher: [] }
  const { added, existed } = dataOf(educationApi.publish, await send(server.url, educationApi.publish, asked, me))
  expect(added + existed).toBe(resource_id.length * place_id.length)

  const own = (await board()).device_id
  const contentOf = async (title: string) => {
    const { list } = dataOf(contentApi.list, await send(server.url, contentApi.list, { keyword: title }, me))
    return list.find(one => one.title === title)?.id ?? ''
  }
  const contents = await Promise.all(titles.map(contentOf))
  /** The state on the screen, and how many other boards are in which. */
  const statesOf = async (id: string) => {
    const { list } = dataOf(contentApi.delivery, await send(server.url, contentApi.delivery, { id, page_size: 300 }, me))
    const others = Object.fromEntries([...Map.groupBy(list.filter(one => one.device_id !== own), one => one.state)].map(([state, rows]) => [state, rows.length]))
    return { own: list.find(one => one.device_id === own)?.state, others }
  }
  const everywhere = async () => {
    await later(0.2)
    return Promise.all(contents.map(statesOf))
  }
  const all = (state: number, other: number) => contents.map(() => ({ own: state, others: { [other]: expect.any(Number) } }))
  await expect.poll(everywhere, polling).toEqual(all(4, 1))
  const before = await everywhere()
  expect(before.every(({ others }) => (others[1] ?? 0) >= 89)).toBe(true)

  const withdrawal = { resource_id, place_id, teachers: [] }
  const { stopping } = dataOf(educationApi.unpublish, await send(server.url, educationApi.unpublish, withdrawal, me))
  expect(stopping).toBe(before.reduce((sum, { others }) => sum + (others[1] ?? 0) + 1, 0))
  await expect.poll(everywhere, polling).toEqual(all(9, 7))
  for (const id of contents) expect(await screen.locator(`.screen [data-content="${id}"]`).count()).toBe(0)
})
