import { statisticsApi } from '@campus/insight/contract'
import { changeApi, deptApi, deptEditApi, parentApi, personApi, studentApi } from '@campus/people/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, lengthened, nothing, trouble } from './answers.ts'
import { openSignedIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const lists = [
  { name: '学生', path: '/ParentsRecord', call: studentApi.list, empty: '还没有学生，先下载模板导入', keyword: '李' },
  { name: '家长', path: '/ParentsRecord?tab=parent', call: parentApi.list, empty: '还没有家长，导入学生时会一并导入，也可以单独导入家长', keyword: '王' },
  { name: '变更记录', path: '/ChangeRecord', call: changeApi.page, empty: '还没有变更：在学生家长档案中办理调班、离校后，这里会留下回执', keyword: '李' },
] as const
const with_rows = lists.slice(0, 2)
const others = [
  { name: '组织架构', path: '/Organization', call: deptEditApi.treeByGrade, ready: '[data-ready="organization"]' },
  { name: '首页概览', path: '/Dashboard', call: statisticsApi.overview, ready: '.insight-card' },
] as const
const name_signs = 50
const dept_signs = 30

const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  ;({ browser, page } = await openSignedIn(server.url))
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
})

const row = () => page.locator('tbody .ant-table-row').first()
const go = (path: string) => page.goto(`${server.url}${path}`)

/** Left and top of the parts that must not move when the rows come; the heads of the table may shift by the width of a scrollbar. */
async function places(): Promise<{ parts: unknown; head: number }> {
  const parts = await page.evaluate(`['.kit-filters', '.kit-toolbar-actions', '.kit-pagination', '.kit-side'].map(part => {
    const box = document.querySelector(part).getBoundingClientRect()
    return [part, Math.round(box.top), Math.round(part === '.kit-toolbar-actions' ? box.right : box.left)]
  })`)
  const head = await page.getByText('姓名', { exact: true }).filter({ visible: true }).first().boundingBox()
  return { parts, head: (head?.y ?? 0) + (head?.height ?? 0) / 2 }
}

/** Parts wider than they may be, in both sizes of the window. */
async function tooWide(): Promise<string[]> {
  const found: string[] = []
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    const wide: string[] = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page, .ant-modal-body, .ant-drawer-body, .file-scroll, .kit-toolbar, .kit-side')]
      .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.className || part.tagName)`)
    found.push(...wide.map(part => `${part} at ${size.width}`))
  }
  return found
}

describe.each(with_rows)('$name while the answer is on its way', ({ path, call }) => {
  test('grey rows stand under the heads of the table, and nothing moves when the rows come', async () => {
    const relieve = await trouble(page, call, 'slow')
    await go(path)
    await page.getByRole('main').getByRole('status', { name: '加载中' }).first().waitFor()
    await page.getByRole('tree').waitFor()
    expect(await axeFindings(page)).toEqual([])
    const before = await places()
    await relieve()
    await row().waitFor()
    const after = await places()
    expect(after.parts).toEqual(before.parts)
    expect(Math.abs(after.head - before.head)).toBeLessThanOrEqual(1)
  })
})

describe.each(others)('$name while the answer is on its way', ({ path, call, ready }) => {
  test('its shape stands, and the answer takes its place', async () => {
    const relieve = await trouble(page, call, 'slow')
    await go(path)
    await page.getByRole('main').getByRole('status', { name: '加载中' }).first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await relieve()
    await page.locator(ready).first().waitFor()
  })
})

describe.each(lists)('$name that cannot be loaded', ({ path, call, keyword }) => {
  test.each([
    ['broken', '系统异常，请稍后重试'],
    ['cut', '网络异常，请检查网络'],
  ] as const)('%s: says so, keeps what was typed, and 重试 brings the rows', async (kind, sentence) => {
    await go(path)
    await page.locator('[data-ready="list"]').waitFor()
    const relieve = await trouble(page, call, kind)
    const search = page.getByRole('search').getByLabel('关键字')
    await search.fill(keyword)
    await page.keyboard.press('Enter')
    const alert = page.getByRole('main').getByRole('alert').filter({ hasText: sentence })
    await alert.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await relieve()
    await alert.getByRole('button', { name: '重试' }).click()
    await alert.waitFor({ state: 'detached' })
    await page.locator('[data-ready="list"]').waitFor()
    expect(await search.inputValue()).toBe(keyword)
    await page.getByTitle(`关键字：${keyword}`).waitFor()
  })
})

describe.each(others)('$name that cannot be loaded', ({ path, call, ready }) => {
  test.each(['broken', 'cut'] as const)('%s: says so, and 重试 brings it', async kind => {
    const relieve = await trouble(page, call, kind)
    await go(path)
    const again = page.getByRole('main').getByRole('button', { name: '重试' }).first()
    await again.waitFor()
    expect(await axeFindings(page)).toEqual([])
    await relieve()
    await again.click()
    await page.locator(ready).first().waitFor()
    await again.waitFor({ state: 'detached' })
  })
})

describe.each(lists)('$name without any row', ({ path, call, empty, keyword }) => {
  test('says what to do next; with a filter it offers to clear it', async () => {
    const relieve = await answer(page, call, nothing)
    await go(path)
    await page.getByText(empty).waitFor()
    expect(await axeFindings(page)).toEqual([])
    const answered = page.waitForResponse(response => response.url().includes('keyword='))
    const field = page.getByRole('search').getByLabel('关键字')
    await field.fill(keyword)
    await field.press('Enter')
    await answered
    await page.getByText(`没有符合“关键字：${keyword}”的数据`).waitFor()
    await relieve()
    await page.getByRole('button', { name: '清空条件' }).click()
    await page.getByTitle(`关键字：${keyword}`).waitFor({ state: 'detached' })
  })
})

test('a tree without departments names the page where they are made', async () => {
  await answer(page, deptApi.tree, nothing)
  await go('/ParentsRecord')
  await page.getByText('还没有部门，先在学生组织架构中新增年级和班级').waitFor()
})

describe('names as long as they may be', () => {
  const long = lengthened({ user_name: name_signs, dept_name: dept_signs, pt_node_path_name: 2 * dept_signs })

  test.each(with_rows)('$name: rows stay one line high, nothing grows wider, the whole name is told', async ({ path, call }) => {
    await answer(page, call, long)
    await answer(page, deptApi.tree, long)
    await go(`${path}${path.includes('?') ? '&' : '?'}keyword=${'长'.repeat(name_signs)}`)
    await page.getByText('清空条件').waitFor()
    expect(await tooWide()).toEqual([])
    await go(path)
    await row().waitFor()
    await page.getByRole('tree').waitFor()
    expect(await tooWide()).toEqual([])
    expect((await row().boundingBox())?.height).toBeLessThanOrEqual(41)
    expect([...((await row().locator('.people-name [title]').getAttribute('title')) ?? '')]).toHaveLength(name_signs)
    expect(await page.locator('.kit-tree-node').nth(1).getAttribute('title')).toContain('长')
  })

  test('the file, its form and 调班 hold them', async () => {
    await answer(page, studentApi.list, long)
    await answer(page, personApi.detail, long)
    await go('/ParentsRecord')
    await row().getByRole('button', { name: /^详情/ }).click()
    await page.getByRole('region', { name: '学籍状态' }).waitFor()
    expect(await tooWide()).toEqual([])
    await page.getByRole('button', { name: '编辑', exact: true }).click()
    await page.getByRole('dialog').getByLabel('姓名', { exact: true }).first().waitFor()
    expect(await tooWide()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row().getByRole('button', { name: /^调班/ }).click()
    await page.getByRole('dialog', { name: '调班' }).waitFor()
    expect(await tooWide()).toEqual([])
  })
})
