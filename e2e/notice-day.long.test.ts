import { menuApi } from '@campus/canteen/contract'
import { deptApi } from '@campus/people/contract'
import { noticeApi } from '@campus/publishing/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from '../apps/server/testing/request.ts'
import { calm, openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

/** Pupils on the roll of the demo, each counted once and each with a family (chapter 60 §9, 1). */
const units = 7812
const phone_size = { width: 390, height: 844 }
const title = '冬季安全与元旦放假告知书'
const text = '请家长和孩子一起阅读，阅读后点确认。'
/** A server of its own starts on a copy of the demo. */
const start_ms = 300_000
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let phone: Page
let faults: string[]
let id: string

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  ;({ browser, page, faults } = await openSignedIn(server.url))
}, start_ms)
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const as = async () => ({ token: await page.evaluate(() => localStorage.getItem('token') ?? '') })
const report = async () => dataOf(noticeApi.report, await send(server.url, noticeApi.report, { notice_id: id }, await as()))
const row = async () =>
  dataOf(noticeApi.list, await send(server.url, noticeApi.list, { keyword: title }, await as())).list.find(one => one.id === id)

test('60-A1 a draft goes to every pupil and family of the school at one click: the number of the preview, never a smaller one', async () => {
  await openAt(page, server.url, '/CustomNotice')
  const me = await as()
  const { list: roots } = dataOf(deptApi.tree, await send(server.url, deptApi.tree, { tree: 'student' }, me))
  const audience = roots.map(root => ({ mode: 1 as const, target_type: 1 as const, target_id: root.id }))
  const draft = { scene: 1, kind: '10' as const, title, content_html: `<p>${text}</p>`, audience, reply_kind: 1 }
  id = dataOf(noticeApi.add, await send(server.url, noticeApi.add, draft, me)).id
  expect((await row())?.state).toBe('0')
  const asked = { scene: 1, kind: '10', audience }
  const preview = dataOf(noticeApi.preview, await send(server.url, noticeApi.preview, asked, me))
  expect(preview.total).toBe(units)
  const seen = new Set<number>()
  const watch = { is_over: false }
  const looking = (async () => {
    while (!watch.is_over) {
      const { expected = null } = (await row()) ?? {}
      if (expected !== null) seen.add(expected)
      await page.waitForTimeout(50)
    }
  })()
  const sent = dataOf(noticeApi.publish, await send(server.url, noticeApi.publish, { id, audience_hash: preview.audience_hash }, me))
  watch.is_over = true
  await looking
  expect([sent.state, sent.expected]).toEqual(['2', units])
  expect([...seen].filter(expected => expected !== 0 && expected !== units)).toEqual([])
  const told = await report()
  const sum = (of: (dept: (typeof told.by_dept)[number]) => number) => told.by_dept.reduce((all, dept) => all + of(dept), 0)
  expect([told.expected, told.read, sum(dept => dept.expected), sum(dept => dept.unreachable)]).toEqual([units, 0, units, told.unreachable])
})

test('a parent reads it on the phone and confirms; the console counts one family of one class, and both sides of every number add up', async () => {
  const own = await browser.newContext({ ...calm, viewport: phone_size })
  phone = await own.newPage()
  await phone.goto(`${server.url}/mini/hall/900001`)
  await phone.getByLabel('账号').fill('jiazhang01')
  await phone.getByLabel('密码', { exact: true }).fill('Demo@Pass26')
  await phone.getByLabel('验证码', { exact: true }).fill('2222')
  await phone.getByAltText('验证码').waitFor()
  await phone.getByRole('button', { name: '登录', exact: true }).click()
  await phone.getByRole('button', { name: '消息推送' }).click()
  await phone.locator('[data-ready="push-message"]').waitFor()
  const line = phone.getByRole('button', { name: new RegExp(title, 'u') }).first()
  await line.waitFor()
  await picture(phone, 'push-inbox')
  // A list is no reading.
  expect((await report()).read).toBe(0)
  await line.click()
  await phone.locator('.push-text', { hasText: text }).waitFor()
  expect(await axeFindings(phone)).toEqual([])
  expect(await phone.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
  await expect.poll(async () => (await report()).read).toBeGreaterThan(0)
  await phone.getByRole('button', { name: '我已阅读并确认' }).click()
  await phone.getByText('已确认').first().waitFor()

  const told = await report()
  const sum = (of: (dept: (typeof told.by_dept)[number]) => number) => told.by_dept.reduce((all, dept) => all + of(dept), 0)
  expect([sum(dept => dept.read), sum(dept => dept.submitted), sum(dept => dept.expected)]).toEqual([told.read, told.submitted, units])
  expect(told.submitted).toBe(told.read)
  expect(await row()).toMatchObject({ expected: units, read: told.read, submitted: told.submitted })
  const asked = { notice_id: id }
  const read = dataOf(noticeApi.read, await send(server.url, noticeApi.read, asked, await as()))
  const unread = dataOf(noticeApi.unread, await send(server.url, noticeApi.unread, asked, await as()))
  expect(read.list.every(one => one.read_at !== null)).toBe(true)
  expect(read.total + unread.total).toBeGreaterThanOrEqual(units)
  expect(unread.total).toBeGreaterThan(read.total)
  await openAt(page, server.url, `/CustomDetail?id=${id}`)
  await page.getByText(String(units)).first().waitFor()
  await picture(page, 'notice-receipts')
  expect(faults).toEqual([])
})

test('a family that has not read is marked 已电话告知: the receipts show it, and it has still not read', async () => {
  const { read } = await report()
  await openAt(page, server.url, `/CustomDetail?id=${id}`)
  await page.getByRole('button', { name: /^已电话告知 /u }).first().click()
  await page.getByText('已记录电话告知').waitFor()
  await page.locator('.ant-tag', { hasText: '已电话告知' }).first().waitFor()
  expect(await report()).toMatchObject({ phoned: 1, read })
})

test('60-A9 recalled, it has no text on the phone any more; its receipts stay', async () => {
  const before = await report()
  dataOf(noticeApi.recall, await send(server.url, noticeApi.recall, { id, reason: '放假日期有误' }, await as()))
  await phone.getByRole('navigation', { name: '消息推送' }).getByRole('button', { name: /收件箱/u }).click()
  const line = phone.getByRole('button', { name: /通知已撤回/u }).first()
  await line.click()
  await phone.getByText('该通知已撤回').first().waitFor()
  expect(await phone.getByText(text).count()).toBe(0)
  const after = await report()
  expect([after.expected, after.read, after.submitted]).toEqual([before.expected, before.read, before.submitted])
})

test('a week menu is copied, looked at and published in the browser; a flag that nobody was given in a week is 空缺', async () => {
  const me = await as()
  const { list } = dataOf(menuApi.list, await send(server.url, menuApi.list, {}, me))
  const from = list.find(menu => menu.state === '1')
  const next = new Date(Date.now() + 8 * 86_400_000)
  const week_start = new Date(next.getTime() - ((next.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10)
  const { id: menu_id } = dataOf(menuApi.copy, await send(server.url, menuApi.copy, { from_id: from?.id ?? '', week_start }, me))
  const menu = async (type: number) => dataOf(menuApi.detail, await send(server.url, menuApi.detail, { id: menu_id, type }, me))
  expect((await menu(2)).state).toBe('0')
  await openAt(page, server.url, `/CookWeekMenuDetail?id=${menu_id}`)
  await page.getByText('红烧鸡腿').first().waitFor()
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await page.getByText('已发布').first().waitFor()
  await picture(page, 'week-menu')
  await expect.poll(async () => (await menu(1)).state).toBe('1')
  const [published, working] = [await menu(1), await menu(2)]
  expect(published.items.length).toBeGreaterThan(0)
  expect(published.items).toEqual(working.items)

  await openAt(page, server.url, '/ClassHonour?view=board')
  await page.locator('.ant-tag', { hasText: '空缺' }).first().waitFor()
  await picture(page, 'honour-flags')
  expect(faults).toEqual([])
})
