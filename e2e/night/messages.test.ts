import { inboxApi } from '@campus/messages/contract'
import type { InboxRow } from '@campus/messages/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { answer, trouble } from '../answers.ts'
import { calm, leaveByKey, openBrowser, openPage, picture, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const [first_password, new_password] = ['Demo@Pass26', 'Panda#2026x']
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext(calm)))
  page.setDefaultTimeout(20_000)
  await signIn(page, server.url, 'xinxiao01', first_password)
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const bell = () => page.getByRole('button', { name: /^消息/ })
const drawer = () => page.getByRole('dialog', { name: '消息' })
const lines = () => drawer().getByRole('listitem')

async function openMessages(): Promise<void> {
  await bell().press('Enter')
  await drawer().waitFor()
}

async function close(): Promise<void> {
  await leaveByKey(page, drawer())
}

async function looksRight(name: string): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  await picture(page, name)
  expect(await page.evaluate(`[...document.querySelectorAll('html, .ant-drawer-body')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.className)`)).toEqual([])
  expect(await axeFindings(page, '.ant-drawer')).toEqual([])
}

function line(serial: number, patch: Partial<InboxRow>): InboxRow {
  return { message_id: String(serial), at: '2026-11-20T00:41:00Z', source: 'people', title: '学生档案待补充', body: '高一（3）班还有2名学生缺少家长联系方式，请尽快补充。', link: '/ParentsRecord', level: 1, subject_user_id: null, is_read: false, ...patch }
}
const shows = (list: readonly InboxRow[], older: string | null = null) => answer(page, inboxApi.list, () => JSON.stringify({ code: 600, msg: '', data: { list, older } }))

test('an empty inbox says so, a slow one waits, a broken one is loaded again', async () => {
  await openMessages()
  await drawer().getByText('还没有消息，与您有关的提醒会显示在这里').waitFor()
  expect(await drawer().getByRole('button', { name: '全部已读' }).isDisabled()).toBe(true)
  await looksRight('messages-empty')
  await close()
  expect(await bell().evaluate(one => one === one.ownerDocument.activeElement)).toBe(true)
  const mend = await trouble(page, inboxApi.list, 'broken')
  await openMessages()
  await drawer().getByText('未读', { exact: true }).click()
  await drawer().getByText('消息加载失败').waitFor()
  await looksRight('messages-broken')
  await mend()
  await drawer().getByRole('button', { name: '重试' }).click()
  await drawer().getByText('没有未读消息').waitFor()
  await close()
  expect(faults.splice(0).filter(text => !text.includes('500'))).toEqual([])
})

test('a changed password comes as a line, is counted, read and gone from the bell', async () => {
  await page.getByRole('button', { name: /账号菜单/ }).click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  const dialog = page.getByRole('dialog', { name: '修改密码' })
  await dialog.getByLabel('旧密码').fill(first_password)
  await dialog.getByLabel('新密码', { exact: true }).fill(new_password)
  await dialog.getByLabel('确认密码', { exact: true }).fill(new_password)
  await dialog.getByRole('button', { name: /确\s*定/ }).click()
  await page.getByText('修改成功').first().waitFor()
  // Whoever comes back to the window sees it at once.
  await expect.poll(async () => {
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    return bell().getAttribute('aria-label')
  }).toBe('消息，1条未读')
  await openMessages()
  await lines().filter({ hasText: '您的登录密码已被修改' }).getByText('重要').waitFor()
  await looksRight('messages-line')
  await drawer().getByRole('button', { name: '全部已读' }).press('Enter')
  await page.getByRole('button', { name: '消息，0条未读' }).waitFor()
  await close()
})

test('lines of every kind stand in order, older ones are fetched, and one opens its page by key', async () => {
  const kinds = [line(9, { level: 3, source: 'audit', title: '日志完整性校验发现异常', link: '/SystemLog' }), line(8, { level: 2 }), line(7, { is_read: true, link: null, source: 'calendar' }), line(6, { title: '长'.repeat(60), body: '长'.repeat(300) })]
  const relief = await shows(kinds, '6')
  await openMessages()
  await expect.poll(() => lines().count()).toBe(4)
  await looksRight('messages-lines')
  await relief()
  await shows([line(1, { title: '更早的一条' })])
  await drawer().getByRole('button', { name: '查看更早的消息' }).click()
  await lines().filter({ hasText: '更早的一条' }).waitFor()
  await lines().first().getByRole('button').press('Enter')
  await page.waitForURL('**/SystemLog')
  await drawer().waitFor({ state: 'detached' })
})
