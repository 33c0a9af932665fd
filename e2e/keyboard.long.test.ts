import { deptApi } from '@campus/people/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trouble } from './answers.ts'
import { openPage, openSignedIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

/** What has the focus: its name as a screen reader says it (roughly), and whether a ring shows it. */
type Focus = { name: string; ring: boolean; part: string }

const wait_ms = 15_000
const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  ;({ browser, page } = await openSignedIn(server.url, 'admin01', {}))
  page.setDefaultTimeout(wait_ms)
})
afterAll(async () => {
  await browser?.close()
})

/** The ring may be drawn by a box around the control, e.g. that of a select. */
function focus(): Promise<Focus> {
  return page.evaluate(`(() => {
    const element = document.activeElement
    const label = element.labels?.[0]?.textContent
    const name = (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim().slice(0, 30)
    const drawn = part => { const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(part); return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none' }
    const around = [element, element.parentElement, element.closest('.ant-select, .ant-checkbox, .ant-input-affix-wrapper, .ant-pagination-item'), element.querySelector('.ant-tree-treenode-active .ant-tree-node-content-wrapper'), element.nextElementSibling]
    return { name, part: element.tagName + '.' + element.className, ring: around.some(part => part && drawn(part)) || element.matches('.ant-table-body, main') }
  })()`)
}

/** Tabs on, so often. */
async function walk(times: number): Promise<Focus[]> {
  const seen: Focus[] = []
  for (let at = 0; at < times; at += 1) {
    await page.keyboard.press('Tab')
    seen.push(await focus())
  }
  return seen
}

/** A dialog on its way in has half its contrast. */
async function still(): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
}

/** With a filter there is little to look at, which axe does faster. */
async function openRoll(query = ''): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord${query}`)
  await page.locator('tbody .ant-table-row').first().waitFor()
  await page.getByRole('tree').waitFor()
}

test('10-A31 the roll by Tab: every control in reading order, what is folded left out, a ring on each, no trap', async () => {
  await openRoll()
  const seen = await walk(45)
  const names = seen.map(({ name }) => name)
  const expected = ['跳到内容', '收起菜单', '任务中心，0个任务进行中', '搜索部门', '搜索', '学生', '关键字', '状态', '性别', '查询', '重置', '展开', '新增学生', '导入学生', '导入家长', '导出', '更多', '列设置']
  const at = expected.map(name => names.indexOf(name))
  expect(at).toEqual(at.toSorted((a, b) => a - b))
  expect(expected.filter(name => !names.includes(name))).toEqual([])
  expect(names).not.toContain('缺失项')
  expect(names.some(name => name.startsWith('详情 '))).toBe(true)
  expect(seen.filter(({ ring }) => !ring)).toEqual([])
  expect(new Set(names).size).toBeGreaterThan(30)
})

describe('10-A31 dialogs open with Enter, are without a serious finding of axe, close with Esc, and give the focus back', () => {
  const dialogs: readonly { button: string | RegExp; title: string }[] = [
    { button: /^详情 /, title: '学生档案' },
    { button: /^编辑 /, title: '编辑学生档案' },
    { button: '新增学生', title: '新增学生' },
    { button: /^调班 /, title: '调班' },
    { button: '导出', title: '导出学生' },
    { button: '列设置', title: '列设置' },
    { button: '导入学生', title: '学生信息导入' },
    { button: /^任务中心/, title: '任务中心' },
  ]
  test('on the roll', async () => {
    await openRoll('?keyword=202010101')
    for (const { button, title } of dialogs) {
      const opener = page.getByRole('button', { name: button, exact: true }).first()
      await opener.focus()
      const { name } = await focus()
      await page.keyboard.press('Enter')
      await stands(title)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await expect.poll(async () => (await focus()).name, { message: title }).toBe(name)
    }
  })

  test.each(['修改密码', '登录设备', '关于'])('%s of the account menu', async item => {
    const opener = page.getByRole('button', { name: /账号菜单/ })
    await opener.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '修改密码' }).waitFor()
    await chooseByKey(item)
    await stands(item)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => (await focus()).name).toContain('账号菜单')
  })

  test('离校 behind 更多, with its preview', async () => {
    await openRoll('?keyword=202010101')
    const more = page.getByRole('button', { name: /^更多 / }).first()
    await more.focus()
    const { name } = await focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '离校', exact: true }).waitFor()
    await chooseByKey('离校')
    await page.getByRole('dialog', { name: '离校' }).waitFor()
    // The dialog takes the focus once it has come in.
    await expect.poll(async () => (await focus()).name).toBe('离校类型')
    await page.getByRole('dialog', { name: '离校' }).getByLabel('原因').fill('随父母搬迁')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await focus()).name).toBe('取消')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('同时处理').waitFor()
    await still()
    expect(await axeFindings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '放弃修改' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(async () => (await focus()).name).toBe(name)
  })

  /** A menu that was opened by key has the focus in it. */
  async function chooseByKey(item: string): Promise<void> {
    await expect.poll(async () => (await focus()).part).toContain('LI.')
    await expect.poll(async () => {
      const is_there = (await focus()).name === item
      // The menu moves the focus a moment after the key.
      if (!is_there) await page.keyboard.press('ArrowDown')
      return is_there
    }, { interval: 100 }).toBe(true)
    await page.keyboard.press('Enter')
  }

  async function stands(title: string): Promise<void> {
    await page.getByRole('dialog').getByText(title).first().waitFor()
    await page.locator('.ant-skeleton, .kit-loading').first().waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-drawer, .ant-modal, [role=dialog]') !== null`), { message: title }).toBe(true)
    await still()
    expect(await axeFindings(page, '.ant-drawer-open, .ant-modal'), title).toEqual([])
  }
})

test('10-A31 whoever types while the rest of the page still arrives keeps his place and his words, and Enter asks for them', async () => {
  const relieve = await trouble(page, deptApi.tree, 'slow')
  await page.goto(`${server.url}/ParentsRecord`)
  await page.locator('tbody .ant-table-row').first().waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('王')
  await relieve()
  await page.getByRole('tree').waitFor()
  await page.keyboard.type('子')
  await page.keyboard.press('Enter')
  await page.getByTitle('关键字：王子').waitFor()
})

test('a page that does not exist leads back by one Tab from the content', async () => {
  await page.goto(`${server.url}/NoSuchPage`)
  await page.locator('[data-ready="not-found"]').waitFor()
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('main').focus()
  await page.keyboard.press('Tab')
  expect((await focus()).name).toBe('返回首页')
  await page.keyboard.press('Enter')
  await page.locator('[data-ready="dashboard"]').waitFor()
})

test('10-A31 the whole login by keyboard: a pupil is signed in for, found, corrected and saved without a mouse', async () => {
  const own = (await openPage(await browser.newContext())).page
  await own.goto(server.url)
  await own.getByAltText('看不清？点击刷新').waitFor()
  await own.keyboard.type('admin01')
  await own.keyboard.press('Tab')
  await own.keyboard.type('Demo@Pass26')
  for (let at = 0; at < 4 && !(await own.getByLabel('验证码', { exact: true }).evaluate(field => field.matches(':focus'))); at += 1) await own.keyboard.press('Tab')
  await own.keyboard.type('2222')
  await own.keyboard.press('Enter')
  await own.locator('[data-ready]').first().waitFor()
  // The way to the content, the search, the menu.
  for (let at = 0; at < 3; at += 1) await own.keyboard.press('Tab')
  await walkMenu('档案管理')
  await walkMenu('学生家长档案')
  await own.locator('tbody .ant-table-row').first().waitFor()
  const name = (await own.locator('.people-name [title]').first().getAttribute('title')) ?? ''
  await own.keyboard.press('/')
  await own.keyboard.type(name)
  await own.keyboard.press('Enter')
  await own.getByTitle(`关键字：${name}`).waitFor()
  await reach(own, `编辑 ${name}`)
  await own.keyboard.press('Enter')
  await own.locator('#student-file_user_name:focus').waitFor()
  await own.keyboard.press('End')
  await own.keyboard.type('甲')
  await own.keyboard.press('Control+Enter')
  await own.getByText('保存成功').waitFor()
  await own.getByRole('button', { name: `编辑 ${name}甲` }).first().waitFor()
  await own.context().close()

  async function walkMenu(entry: string): Promise<void> {
    await expect.poll(async () => {
      const is_there = await own.evaluate(`document.activeElement.textContent === ${JSON.stringify(entry)}`)
      if (is_there !== true) await own.keyboard.press('ArrowDown')
      return is_there
    }, { interval: 100 }).toBe(true)
    await own.keyboard.press('Enter')
  }

  async function reach(on: Page, label: string): Promise<void> {
    const is_there = () => on.evaluate(`(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim() === ${JSON.stringify(label)}`)
    for (let at = 0; at < 60 && !(await is_there()); at += 1) await on.keyboard.press('Tab')
    expect(await is_there(), label).toBe(true)
  }
})
