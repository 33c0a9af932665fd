import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const wait_ms = 15_000
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  page = (await openPage(await browser.newContext({ reducedMotion: 'reduce' }))).page
  page.setDefaultTimeout(wait_ms)
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** The name of what has the focus, roughly as a screen reader says it. */
const focused = (): Promise<string> =>
  page.evaluate(`(() => {
    const { activeElement: held } = document
    return (held.getAttribute('aria-label') ?? held.labels?.[0]?.textContent ?? held.textContent ?? '').trim().slice(0, 30)
  })()`)

async function holds(name: string): Promise<void> {
  await expect.poll(focused, { message: name }).toBe(name)
}

async function open(path: string): Promise<void> {
  await page.goto(`${server.url}${path}`)
  await page.locator('tbody .ant-table-row').first().waitFor()
}

/** Tabs on until the named control has the focus, at most so far. */
async function tabTo(name: string, most = 12): Promise<void> {
  for (let at = 0; at < most && (await focused()) !== name; at += 1) await page.keyboard.press('Tab')
  expect(await focused()).toBe(name)
}

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

const gone = () => page.getByRole('dialog').waitFor({ state: 'detached' })

async function clean(): Promise<void> {
  // A dialog on its way in has half its contrast.
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  expect(await axeFindings(page, '.ant-drawer-open, .ant-modal')).toEqual([])
}

/** Focuses a button of the first row, whose name begins so. @returns its whole name */
async function startAt(button: RegExp): Promise<string> {
  await page.getByRole('button', { name: button }).first().focus()
  return focused()
}

describe('a command from the row to the receipt and back, without a mouse', () => {
  test('调班: class, effects, receipt, undo; the row has the focus again', async () => {
    await open('/ParentsRecord?keyword=202010108')
    const opener = await startAt(/^调班 /)
    await press('Enter')
    await holds('调入班级')
    await page.keyboard.type('一年级3班')
    await page.locator('.ant-select-tree-title', { hasText: '一年级3班' }).first().waitFor()
    await press('ArrowDown')
    await chooseClass('一年级3班')
    await tabTo('下一步：查看影响')
    await press('Enter')
    await holds('上一步')
    await clean()
    await press('Enter')
    await holds('调入班级')
    await tabTo('下一步：查看影响')
    await press('Enter')
    await holds('上一步')
    await press('Tab', 'Enter')
    await holds('关闭')
    await clean()
    await press('Shift+Tab')
    await holds('撤销')
    await press('Enter')
    await holds('撤销原因')
    await page.keyboard.type('录入错误')
    await tabTo('确认撤销', 2)
    await press('Enter')
    await page.getByRole('dialog').getByText('已撤销').first().waitFor()
    await tabTo('关闭', 4)
    await press('Enter')
    await gone()
    await holds(opener)
  })

  /** The tree of classes is walked by arrows; Enter takes a class. */
  async function chooseClass(name: string): Promise<void> {
    const active = page.locator('.ant-select-tree-treenode-active')
    await expect.poll(async () => {
      const is_there = (await active.textContent({ timeout: 500 }).catch(() => ''))?.includes(name) ?? false
      if (!is_there) await press('ArrowDown')
      return is_there
    }, { interval: 100 }).toBe(true)
    await press('Enter')
    await page.locator('.ant-select-content', { hasText: name }).waitFor()
  }

  test('离校: kind, reason, effects, receipt; his row is gone, the content has the focus', async () => {
    await open('/ParentsRecord?keyword=202010109')
    await startAt(/^更多 /)
    await press('Enter')
    await page.getByRole('menuitem', { name: '离校', exact: true }).waitFor()
    await expect.poll(async () => {
      const is_there = (await focused()) === '离校'
      if (!is_there) await press('ArrowDown')
      return is_there
    }, { interval: 100 }).toBe(true)
    await press('Enter')
    await holds('离校类型')
    await clean()
    await tabTo('下一步：查看影响')
    await press('Enter')
    await page.getByText('请填写原因').waitFor()
    await holds('原因')
    await page.keyboard.type('随父母搬迁')
    await tabTo('下一步：查看影响')
    await press('Enter')
    await holds('上一步')
    await press('Tab', 'Enter')
    await holds('关闭')
    await press('Enter')
    await gone()
    await expect.poll(() => page.evaluate(`document.activeElement.closest('main') !== null`)).toBe(true)
  })
})

test('a file that was changed is not thrown away by Esc: the question has the focus on 取消, which leads back to the field', async () => {
  await open('/ParentsRecord?keyword=202010110')
  const opener = await startAt(/^编辑 /)
  await press('Enter')
  await holds('姓名')
  await press('End')
  await page.keyboard.type('甲')
  await press('Escape')
  await holds('取消')
  await clean()
  await press('Enter')
  await page.getByRole('dialog', { name: '内容尚未保存，确定关闭吗？' }).waitFor({ state: 'detached' })
  await holds('姓名')
  await press('Escape')
  await holds('取消')
  await tabTo('放弃修改', 1)
  await press('Enter')
  await gone()
  await holds(opener)
})

test('the change record by Tab: filters, 回执, columns; Enter opens a receipt, Esc closes it, the button has the focus again', async () => {
  await open('/ChangeRecord')
  await page.getByRole('main').focus()
  const seen: string[] = []
  for (let at = 0; at < 14; at += 1) {
    await press('Tab')
    seen.push(await focused())
  }
  const expected = ['关键字', '类型', '状态', '查询', '重置', '列设置']
  expect(seen.filter(name => expected.includes(name)).slice(0, expected.length)).toEqual(expected)
  // A picker of days that is passed in no time takes the focus once more.
  await open('/ChangeRecord')
  const opener = await startAt(/^查看回执/)
  await press('Enter')
  const receipt = page.getByRole('dialog', { name: '变更回执' })
  await receipt.getByText('办理人').waitFor()
  await clean()
  await press('Tab')
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-drawer') !== null`)).toBe(true)
  await press('Escape')
  await gone()
  await holds(opener)
})

test('家长: the tab by arrow, the search by /, everything in reading order, and back', async () => {
  await open('/ParentsRecord?keyword=202010111')
  await page.getByRole('tab', { name: '学生' }).focus()
  await press('ArrowRight')
  await page.getByText('手机号', { exact: true }).filter({ visible: true }).first().waitFor()
  await holds('家长')
  await page.locator('tbody .ant-table-row').first().waitFor()
  const seen: string[] = []
  for (let at = 0; at < 12; at += 1) {
    await press('Tab')
    seen.push(await focused())
  }
  const expected = ['关键字', '监护人', '查询', '重置', '导出', '导入学生', '导入家长']
  expect(seen.filter(name => expected.includes(name))).toEqual(expected)
  await press('/')
  await holds('关键字')
  await page.keyboard.type('白静')
  await press('Enter')
  await page.getByTitle('关键字：白静').waitFor()
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('tab', { name: '家长' }).focus()
  await press('ArrowLeft')
  await holds('学生')
})
