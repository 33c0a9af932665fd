import { deptApi, deptEditApi, pickerApi } from '@campus/people/contract'
import type { Call } from '@kit/contract'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, lengthened, nothing, trouble } from '../answers.ts'
import { calm, openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { sharedServer } from '../server.ts'

const wait_ms = 15_000
const long = lengthened({ user_name: 50, dept_name: 30, pname: 30, label: 31, pt_node_path_name: 90 })
const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
  page.setDefaultTimeout(wait_ms)
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
})

const dialog = () => page.getByRole('dialog').last()
/** The button that sends; while it spins its icon has a word of its own. */
const pressed = (text: string | RegExp) => dialog().locator('.ant-modal-footer button').filter({ hasText: text }).last()
const line = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name} ?(年级|班级|学部|学校)`) })

async function open(view: 'board' | 'tree' = 'board'): Promise<void> {
  await page.goto(`${server.url}/Organization${view === 'tree' ? '?view=tree' : ''}`)
  await page.locator('[data-ready="organization"]').waitFor()
}

async function choose(button: Locator, item: string): Promise<void> {
  await button.click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** A dialog on its way in has half its contrast. */
async function still(): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
}

/** Parts wider than they may be, in both sizes of the window. */
async function tooWide(): Promise<string[]> {
  const found: string[] = []
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    const wide: string[] = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page, .org, .org-head, .org-body, .org-grade, .org-card, .org-line, .ant-modal-body')]
      .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.className || part.tagName)`)
    found.push(...wide.map(part => `${part} at ${size.width}`))
  }
  return found
}

/** Sentences under the fields of the dialog, in their order, and the label of the field that has the focus. */
async function wrongs(): Promise<{ sentences: string[]; focus: string }> {
  await dialog().locator('.ant-form-item-explain-error').first().waitFor()
  await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-form-item') !== null`), { timeout: wait_ms }).toBe(true)
  const sentences = await dialog().locator('.ant-form-item-explain-error').allInnerTexts()
  return { sentences, focus: await page.evaluate(`document.activeElement.closest('.ant-form-item').querySelector('label').textContent`) }
}

describe('names as long as they may be', () => {
  test('stay in the board, the tree and every dialog, and the whole name is told', async () => {
    for (const call of [deptEditApi.treeByGrade, deptApi.tree, deptEditApi.detail, pickerApi.teacher]) await answer(page, call, long)
    await open()
    expect(await tooWide()).toEqual([])
    expect(await page.locator('.org-leader').first().getAttribute('title')).toHaveLength(50)
    await choose(page.getByRole('button', { name: /^更多 一年级1班/ }), '编辑')
    await dialog().getByText('历史名称').waitFor()
    expect(await tooWide()).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^批量新增 一年级/ }).click()
    await dialog().getByLabel('结束班号').fill('99')
    await dialog().getByText('将新增 93 个班级').waitFor()
    await still()
    expect(await tooWide()).toEqual([])
    expect(await axeFindings(page, '.ant-modal')).toEqual([])
    await open('tree')
    await page.getByRole('treeitem').nth(2).press('F2')
    await page.getByRole('textbox', { name: /^重命名/ }).waitFor()
    expect(await tooWide()).toEqual([])
    await page.keyboard.press('Escape')
    await choose(page.getByRole('button', { name: /^更多 一年级/ }), '移动到…')
    await dialog().getByLabel('新的上级').waitFor()
    expect(await tooWide()).toEqual([])
  })
})

/** A dialog of the page: how it is opened and filled, what its button is called, what it sends, and what it says then. */
type Asked = { title: string; open: () => Promise<void>; kept: () => Promise<string>; button: RegExp; call: Call; said: RegExp }
const asked: readonly Asked[] = [
  {
    title: '新增班级',
    open: async () => {
      await open()
      await page.getByRole('button', { name: '新增班级 一年级' }).click()
      await dialog().getByLabel('名称', { exact: true }).fill('一年级星星班')
    },
    kept: () => dialog().getByLabel('名称', { exact: true }).inputValue(),
    button: /^保存$/,
    call: deptEditApi.add,
    said: /^已新增一年级星星班$/,
  },
  {
    title: '批量新增',
    open: async () => {
      await open()
      await page.getByRole('button', { name: '批量新增 二年级' }).click()
      await dialog().getByLabel('人数上限').fill('41')
    },
    kept: () => dialog().getByLabel('人数上限').inputValue(),
    button: /^新增 1 个班级$/,
    call: deptEditApi.batchAdd,
    said: /^已新增 1 个班级$/,
  },
  {
    title: '编辑',
    open: async () => {
      await open()
      await choose(page.getByRole('button', { name: '更多 一年级1班' }), '编辑')
      await dialog().getByLabel('编码').fill('X-1')
    },
    kept: () => dialog().getByLabel('编码').inputValue(),
    button: /^保存$/,
    call: deptEditApi.update,
    said: /^保存成功$/,
  },
  {
    title: '移动',
    open: async () => {
      await open('tree')
      await choose(line('高三').getByRole('button'), '移动到…')
      await dialog().getByLabel('新的上级').click()
      await page.getByTitle('启明实验学校（学校）').click()
    },
    kept: () => dialog().locator('.ant-select').first().innerText(),
    button: /^移动$/,
    call: deptEditApi.update,
    said: /^已移动高三$/,
  },
]

describe.each(asked)('$title that the server does not answer', ({ open: openIt, kept, button, call, said }) => {
  test('broken: says so and keeps what was typed; slow: the button spins and sends once', async () => {
    await openIt()
    const typed = await kept()
    const broken = await trouble(page, call, 'broken')
    await pressed(button).click()
    await dialog().getByText('系统异常，请稍后重试').waitFor()
    expect(await kept()).toBe(typed)
    await still()
    expect(await axeFindings(page, '.ant-modal')).toEqual([])
    await broken()
    const slow = await trouble(page, call, 'slow')
    const sent: string[] = []
    page.on('request', request => request.method() !== 'GET' && request.url().includes('/dept/') && sent.push(request.url()))
    await pressed(button).click()
    await dialog().locator('.ant-btn-loading').waitFor()
    await page.keyboard.press('Control+Enter')
    await pressed(button).click({ force: true })
    await slow()
    await page.getByText(said).first().waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(sent).toHaveLength(1)
    page.removeAllListeners('request')
  })
})

describe('what a dialog reads first', () => {
  test('the form: lines while it is slow, 重试 when it is broken', async () => {
    await open('tree')
    const broken = await trouble(page, deptEditApi.detail, 'broken')
    await choose(line('一年级').getByRole('button'), '编辑')
    await dialog().getByText('系统异常，请稍后重试').waitFor()
    await still()
    expect(await axeFindings(page, '.ant-modal')).toEqual([])
    const slow = await trouble(page, deptEditApi.detail, 'slow')
    await broken()
    await dialog().getByRole('button', { name: '重试' }).click()
    await slow()
    await dialog().getByLabel('名称', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('moving: the button spins until it can be pressed, and 重试 leads on', async () => {
    await open('tree')
    const broken = await trouble(page, deptEditApi.detail, 'broken')
    await choose(line('一年级').getByRole('button'), '移动到…')
    await dialog().getByText('系统异常，请稍后重试').waitFor()
    expect(await pressed('移动').isDisabled()).toBe(true)
    await broken()
    const slow = await trouble(page, deptEditApi.detail, 'slow')
    await dialog().getByRole('button', { name: '重试' }).click()
    await slow()
    await pressed('移动').click()
    expect(await wrongs()).toEqual({ sentences: ['请选择新的上级'], focus: '新的上级' })
  })

  test('closing: nothing can be pressed before the answer, and one that is to close already is told', async () => {
    await open()
    const broken = await trouble(page, deptEditApi.remove, 'broken')
    await choose(page.getByRole('button', { name: '更多 三年级1班' }), '关闭班级')
    await dialog().getByText('系统异常，请稍后重试').waitFor()
    expect(await pressed('删除或关闭').isDisabled()).toBe(true)
    await broken()
    await dialog().getByRole('button', { name: '重试' }).click()
    await dialog().getByText(/^还有 \d+ 名学生$/).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await answer(page, deptEditApi.detail, said => said.replace('"closed_on":null', '"closed_on":"2026-12-01"'))
    await choose(page.getByRole('button', { name: '更多 三年级1班' }), '关闭班级')
    await dialog().getByText('三年级1班已安排自 2026-12-01 起关闭').waitFor()
    expect(await pressed('删除或关闭').isDisabled()).toBe(true)
  })

  test('head teachers that cannot be read are not said to be missing', async () => {
    await open()
    const broken = await trouble(page, pickerApi.teacher, 'broken')
    await page.getByRole('button', { name: '新增班级 一年级' }).click()
    await dialog().getByLabel('班主任', { exact: true }).click()
    await page.getByText('查找失败，重新输入或再次展开可重试').first().waitFor()
    await broken()
    await page.keyboard.press('Escape')
    await dialog().getByLabel('班主任', { exact: true }).click()
    await page.locator('.ant-select-item-option').nth(3).waitFor()
  })
})

describe('wrong input', () => {
  test('a class: every sentence beside its field, the focus in the first', async () => {
    await open()
    await page.getByRole('button', { name: '新增班级 一年级' }).click()
    await dialog().getByLabel('班号').fill('100')
    await dialog().getByLabel('名称', { exact: true }).fill('一班/二班')
    await dialog().getByLabel('人数上限').fill('201')
    await dialog().getByLabel('编码').fill('x'.repeat(51))
    await pressed('保存').click()
    expect(await wrongs()).toEqual({ sentences: ['班号为1至99', '不能包含特殊字符', '人数上限为1至200', '超过50个字'], focus: '班号' })
    await dialog().getByLabel('班号').fill('7')
    await dialog().getByLabel('名称', { exact: true }).fill('一年级1班')
    await dialog().getByLabel('人数上限').fill('45')
    await dialog().getByLabel('编码').fill('')
    await pressed('保存').click()
    await expect.poll(wrongs, { timeout: wait_ms }).toEqual({ sentences: ['同级下已存在同名部门'], focus: '名称' })
  })

  test.each([
    ['新增学部', [], { sentences: ['请选择学段', '请填写部门名称'], focus: '学段' }],
    ['新增年级', [['入学年份', '1900'], ['名称', '一'.repeat(31)]], { sentences: ['请选择年级', '入学年份为1970至2100', '超过30个字'], focus: '年级' }],
  ] as const)('%s', async (item, typed, expected) => {
    await open()
    await choose(page.getByRole('button', { name: '新增', exact: true }), item)
    for (const [label, text] of typed) await dialog().getByLabel(label).fill(text)
    await pressed('保存').click()
    expect(await wrongs()).toEqual(expected)
  })

  test('several classes: numbers that stand already are struck out, and nothing can be sent', async () => {
    await open()
    await page.getByRole('button', { name: '批量新增 一年级' }).click()
    await dialog().getByLabel('起始班号').fill('5')
    await dialog().getByText('一年级5班、一年级6班已存在，请调整班号').waitFor()
    expect(await pressed(/^新增/).isDisabled()).toBe(true)
    await dialog().getByLabel('结束班号').fill('100')
    await dialog().getByText('班号为1至99', { exact: true }).waitFor()
    await dialog().getByText('结束班号不能小于起始班号，班号为1至99').waitFor()
  })
})

test('a school without any department says what to do first, as a board and as a tree', async () => {
  await answer(page, deptEditApi.treeByGrade, nothing)
  await answer(page, deptApi.tree, said => JSON.stringify(JSON.parse(said), (name, value: unknown) => (name === 'children' ? [] : value)))
  for (const view of ['board', 'tree'] as const) {
    await open(view)
    await page.getByText('还没有年级，先新增年级').waitFor()
    await page.getByRole('button', { name: '新增年级' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
  }
  await page.getByRole('button', { name: '快速建校' }).click()
  await dialog().getByText('小学', { exact: true }).click()
  const broken = await trouble(page, deptEditApi.batchAdd, 'broken')
  await pressed(/^建立 \d+ 个部门$/).click()
  await dialog().getByText('系统异常，请稍后重试（已建立的部门会保留，修改后可继续）').waitFor()
  expect(await dialog().getByRole('checkbox', { name: '小学' }).isChecked()).toBe(true)
  await broken()
  await trouble(page, deptEditApi.batchAdd, 'slow')
  await pressed(/^建立 \d+ 个部门$/).click()
  await dialog().locator('.ant-btn-loading').waitFor()
  await dialog().getByRole('progressbar', { name: '建立进度' }).waitFor()
  expect(await dialog().getByRole('checkbox', { name: '小学' }).isDisabled()).toBe(true)
})

test('the bars of a class stand in high contrast too', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  await open()
  const drawn: { border: string; colours: string[] } = await page.evaluate(`(() => {
    const colour = part => getComputedStyle(document.querySelector(part)).backgroundColor
    return { border: getComputedStyle(document.querySelector('.org-track')).borderTopWidth, colours: [colour('.org-card'), colour('.org-boys'), colour('.org-girls')] }
  })()`)
  expect(drawn.border).toBe('1px')
  expect(new Set(drawn.colours).size).toBe(3)
  await page.emulateMedia({ forcedColors: 'none' })
})
