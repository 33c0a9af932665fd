import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const wait_ms = 15_000
const soon = { timeout: wait_ms }
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  page = (await openPage(await browser.newContext())).page
  page.setDefaultTimeout(wait_ms)
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const dialog = () => page.getByRole('dialog').last()
const press = (...keys: string[]) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

/** What has the focus, as a screen reader says it (roughly): its label, else its text. */
const focus = (): Promise<string> => page.evaluate(`(document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent).trim()`)

async function open(query = ''): Promise<void> {
  await page.goto(`${server.url}/Organization${query}`)
  await page.locator('[data-ready="organization"]').waitFor()
}

/** Tabs on until the control of this name has the focus. */
async function tabTo(name: RegExp): Promise<void> {
  for (let at = 0; at < 30 && !name.test(await focus()); at += 1) await press('Tab')
  expect(await focus()).toMatch(name)
}

/** A menu that was opened by key has the focus in it. */
async function choose(item: string): Promise<void> {
  await page.getByRole('menuitem', { name: item, exact: true }).waitFor()
  await expect.poll(async () => {
    const is_there = (await focus()) === item
    // The menu moves the focus a moment after the key.
    if (!is_there) await press('ArrowDown')
    return is_there
  }, { ...soon, interval: 100 }).toBe(true)
  await press('Enter')
}

async function closed(): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** A dialog on its way in has half its contrast. */
async function stands(title: string | RegExp): Promise<void> {
  await page.getByRole('dialog', { name: title }).waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement.closest('[role=dialog]') !== null`), soon).toBe(true)
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
}

test('the board by Tab: views, days, adders, cards in reading order, a ring on each', async () => {
  await open()
  await page.getByRole('main').focus()
  const seen: { name: string; ring: boolean }[] = []
  for (let at = 0; at < 22; at += 1) {
    await press('Tab')
    const ring: boolean = await page.evaluate(`(() => {
      const element = document.activeElement
      const drawn = (part, pseudo) => { const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part, pseudo); return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' }
      return drawn(element) || drawn(element, '::after') || drawn(element.closest('.ant-picker') ?? element)
    })()`)
    seen.push({ name: await focus(), ring })
  }
  const names = seen.map(({ name }) => name)
  const expected = ['看板', '新增', '查看日期', '上一次变动', '查看日期', '新增年级 小学部', '编辑 小学部', '新增班级 一年级', '批量新增 一年级', '编辑 一年级', '一年级1班', '更多 一年级1班', '一年级2班']
  const at = expected.map((name, index) => names.indexOf(name, index > 2 && name === '查看日期' ? names.indexOf('上一次变动') : 0))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(at).not.toContain(-1)
  expect(seen.filter(({ ring }) => !ring)).toEqual([])
})

test('dialogs of the board open with Enter, close with Esc, and the focus comes back', async () => {
  await open()
  for (const [button, title] of [['批量新增 一年级', /^批量新增班级/], ['编辑 一年级', /^编辑年级/], ['新增年级 小学部', '新增年级']] as const) {
    await page.getByRole('button', { name: button }).focus()
    await press('Enter')
    await stands(title)
    await press('Escape')
    await closed()
    await expect.poll(focus, soon).toBe(button)
  }
  await page.getByRole('button', { name: '新增', exact: true }).focus()
  await press('Enter')
  await choose('快速建校')
  await stands('快速建校')
  await press('Escape')
  await closed()
  await expect.poll(focus, soon).toBe('新增')
})

describe('the tree', () => {
  test('arrows, Home and End walk it, and fold it', async () => {
    await open('?view=tree')
    await page.getByRole('main').focus()
    await tabTo(/^启明实验学校/)
    await press('ArrowDown', 'ArrowDown')
    expect(await focus()).toMatch(/^一年级年级/)
    await press('ArrowRight', 'ArrowRight')
    expect(await focus()).toMatch(/^一年级1班/)
    await press('ArrowLeft')
    expect(await focus()).toMatch(/^一年级年级/)
    await press('ArrowLeft', 'End')
    expect(await focus()).toMatch(/^高三年级/)
    await press('Home')
    expect(await focus()).toMatch(/^启明实验学校/)
    expect(await page.getByRole('treeitem', { name: /^一年级1班/ }).count()).toBe(0)
  })

  test('a class is added, renamed, ordered, moved and removed without a mouse', async () => {
    await open('?view=tree')
    await page.getByRole('treeitem', { name: /^二年级 ?年级/ }).focus()
    await press('ArrowRight', 'ArrowRight')
    await expect.poll(focus, soon).toMatch(/^二年级1班/)
    await addSibling()
    await rename()
    await order()
    await move()
    await remove()
  })

  async function addSibling(): Promise<void> {
    await press('Insert')
    await stands('新增班级')
    await dialog().getByLabel('名称', { exact: true }).focus()
    await press('Control+a')
    await page.keyboard.type('二年级星星班')
    await press('Control+Enter')
    await page.getByText('已新增二年级星星班').waitFor()
    await closed()
    await expect.poll(focus, soon).toMatch(/^二年级1班/)
  }

  async function rename(): Promise<void> {
    await page.getByRole('treeitem', { name: /^二年级星星班/ }).waitFor()
    for (let at = 0; at < 8 && !(await focus()).startsWith('二年级星星班'); at += 1) await press('ArrowDown')
    await press('Enter')
    await page.keyboard.type('二/班')
    await press('Enter')
    await page.getByRole('alert').filter({ hasText: '不能包含特殊字符' }).waitFor()
    expect(await focus()).toBe('重命名 二年级星星班')
    await press('Escape')
    await expect.poll(focus, soon).toMatch(/^二年级星星班/)
    await press('F2')
    await page.keyboard.type('二年级月亮班')
    await press('Enter')
    await page.getByText('已改名为二年级月亮班，今天起生效').waitFor()
    await expect.poll(focus, soon).toMatch(/^二年级月亮班/)
  }

  async function order(): Promise<void> {
    const line = page.getByRole('treeitem', { name: /^二年级月亮班/ })
    expect(await line.getAttribute('aria-posinset')).toBe('7')
    await press('Alt+ArrowUp', 'Alt+ArrowUp')
    await expect.poll(() => line.getAttribute('aria-posinset'), soon).toBe('5')
    await expect.poll(focus, soon).toMatch(/^二年级月亮班/)
  }

  async function move(): Promise<void> {
    await tabTo(/^更多 二年级月亮班/)
    await press('Enter')
    await choose('移动到…')
    await stands(/^移动：二年级月亮班/)
    await press('Escape')
    await closed()
    await expect.poll(focus, soon).toBe('更多 二年级月亮班')
    await press('Enter')
    await choose('移动到…')
    await stands(/^移动：二年级月亮班/)
    await dialog().getByLabel('新的上级').focus()
    await page.keyboard.type('三年级')
    await page.getByTitle('小学部 / 三年级').waitFor()
    await press('Enter', 'Control+Enter')
    await page.getByText('已移动二年级月亮班').waitFor()
    await closed()
    expect(await page.getByRole('treeitem', { name: /^二年级月亮班/ }).count()).toBe(0)
  }

  async function remove(): Promise<void> {
    await page.getByRole('treeitem', { name: /^三年级 ?年级/ }).focus()
    await press('ArrowRight', 'ArrowRight')
    await expect.poll(focus, soon).toMatch(/^三年级1班/)
    await press('Delete')
    await dialog().getByText(/^还有 \d+ 名学生$/).waitFor()
    await press('Escape')
    await closed()
    await expect.poll(focus, soon).toMatch(/^三年级1班/)
    for (let at = 0; at < 8 && !(await focus()).startsWith('二年级月亮班'); at += 1) await press('ArrowDown')
    await press('Delete')
    await stands('删除 二年级月亮班')
    await dialog().getByRole('button', { name: '删除' }).focus()
    await press('Enter')
    await page.getByText('已删除二年级月亮班').waitFor()
    await closed()
    await expect.poll(() => page.evaluate(`document.activeElement.getAttribute('role')`), soon).toBe('treeitem')
  }
})
