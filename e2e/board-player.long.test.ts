import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAt, openBrowser, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const patience = { timeout: 60_000 }
let server: ServerUnderTest
let screens: JourneyBrowser

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  screens = await openBrowser()
})
afterAll(async () => {
  await screens?.close()
  await server?.stop()
  await server?.remove()
})

test('60-A22 a screen is paired by a code of the console and plays; the server is killed, it plays on and begins again without it; the console says so by its words alone', async () => {
  const { page, faults } = await openSignedIn(server.url)
  await openAt(page, server.url, '/ClassManage')
  const tile = page.locator('.brd-tile[role="group"]', { hasText: '未回执' }).first()
  const name = (await tile.getAttribute('aria-label', patience)) ?? ''
  await picture(page, 'class-manage')
  await page.getByRole('button', { name: `查看${name}`, exact: true }).click()
  await page.getByRole('tab', { name: '设置与配对' }).click()
  await page.getByRole('button', { name: '生成配对码' }).click()
  const code = await page.locator('.ant-drawer b', { hasText: /^\d+-[A-Z0-9]{8}$/ }).textContent(patience)

  const context = await screens.newContext({})
  const screen = await context.newPage()
  await screen.goto(`${server.url}/board/#${code ?? ''}`)
  await screen.getByRole('button', { name: '配对' }).click()
  await screen.locator('.screen .zone[data-zone="media"]').waitFor(patience)
  await screen.locator('.dot[data-link="synced"]').waitFor({ ...patience, state: 'attached' })
  await screen.locator('.screen [data-content] img[data-sha256]').first().waitFor(patience)

  const tagOf = async () => {
    await openAt(page, server.url, '/ClassManage')
    return page.getByRole('group', { name, exact: true }).locator('.ant-tag').textContent()
  }
  await expect.poll(tagOf, { timeout: 60_000, interval: 3000 }).toBe('最新')
  expect(faults).toEqual([])

  await server.kill()
  await screen.locator('.dot[data-link="offline"]').waitFor({ ...patience, state: 'attached' })
  expect(await screen.locator('.screen [data-content] img[data-sha256]').count()).toBeGreaterThan(0)
  await screen.reload()
  await screen.locator('.screen [data-content] img[data-sha256]').first().waitFor(patience)
  await server.start()
  await screen.locator('.dot[data-link="synced"]').waitFor({ ...patience, state: 'attached' })
})
