import { changeApi, deptApi, personApi, studentApi, studentFileApi } from '@campus/people/contract'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answer, lengthened, nothing, trouble } from '../answers.ts'
import { calm, openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { sharedServer } from '../server.ts'

const broken = '系统异常，请稍后重试'
const cut = '网络异常，内容已保留，请稍后重试'
const name_signs = 50
const reason_signs = 200
const long = lengthened({ user_name: name_signs, dept_name: 30, reason: reason_signs, to_where: 100, created_by: name_signs, updated_by: name_signs, work: 100 })

const server = sharedServer()
let browser: JourneyBrowser
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
  page = (await openPage(await browser.newContext(calm))).page
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.locator('[data-ready]').first().waitFor()
})
afterEach(() => page.unrouteAll({ behavior: 'ignoreErrors' }))
afterAll(async () => {
  await browser?.close()
})

const dialog = (name?: string) => page.getByRole('dialog', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
const focusedId = () => page.evaluate('document.activeElement.id')

/** The row of one pupil; every test has its own. */
async function openRow(student_no: string): Promise<void> {
  await page.goto(`${server.url}/ParentsRecord?keyword=${student_no}`)
  await page.locator('tbody .ant-table-row').first().waitFor()
}

async function openEditor(student_no: string): Promise<void> {
  await openRow(student_no)
  await button(/^编辑 /).click()
  await page.locator('#student-file_user_name:focus').waitFor()
}

/** What is wrong with the picture: findings of axe, parts wider than they may be in either size. */
async function findings(): Promise<string[]> {
  // A button under the mouse has another colour than the one that is looked at.
  await page.mouse.move(2, 2)
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
  const has_dialog = (await page.getByRole('dialog').count()) > 0
  const found = await axeFindings(page, has_dialog ? '.ant-drawer-open, .ant-modal' : 'main')
  for (const size of [{ width: 1920, height: 1080 }, { width: 1366, height: 768 }]) {
    await page.setViewportSize(size)
    const wide: string[] = await page.evaluate(`[...document.querySelectorAll('html, main, .app-page, .ant-modal-body, .ant-modal-footer, .ant-drawer-header, .ant-drawer-body, .file-scroll')]
      .filter(part => part.scrollWidth > part.clientWidth + 1).map(part => part.className || part.tagName)`)
    found.push(...wide.map(part => `${part} is too wide at ${size.width}`))
  }
  return found
}

const titleTop = async () => Math.round((await page.locator('.ant-drawer-title').boundingBox())?.y ?? 0)

describe.each([
  ['详情', /^详情 /, '学籍状态'],
  ['编辑', /^编辑 /, '基本信息'],
] as const)('a pupil’s file, %s', (_, opener, section) => {
  test('slow: its grey shape stands, and nothing moves when it comes', async () => {
    await openRow('202010101')
    const relieve = await trouble(page, personApi.detail, 'slow')
    await button(opener).click()
    await dialog().getByRole('status', { name: '加载中' }).waitFor()
    expect(await findings()).toEqual([])
    const top = await titleTop()
    await relieve()
    await page.getByRole('region', { name: section }).waitFor()
    expect(await titleTop()).toBe(top)
  })

  test.each([['broken', broken], ['cut', '网络异常，请稍后重试']] as const)('%s: says so; 重试 brings it and keeps the focus inside', async (kind, sentence) => {
    await openRow('202010101')
    const relieve = await trouble(page, personApi.detail, kind)
    await button(opener).click()
    const alert = dialog().getByRole('alert').filter({ hasText: sentence })
    await alert.waitFor()
    expect(kind === 'broken' ? await findings() : []).toEqual([])
    await relieve()
    await alert.getByRole('button', { name: '重试' }).press('Enter')
    await page.getByRole('region', { name: section }).waitFor()
    await expect.poll(() => page.evaluate(`document.activeElement.closest('.ant-drawer') !== null`)).toBe(true)
  })
})

describe('saving a file', () => {
  test('slow: the button turns, and however often it is pressed one edit is sent; it is saved once', async () => {
    await openEditor('202010102')
    const sent: string[] = []
    page.on('request', request => request.method() === 'PUT' && sent.push(request.url()))
    const relieve = await trouble(page, studentFileApi.update, 'slow')
    await page.getByLabel('备注', { exact: true }).fill('慢一点')
    for (let at = 0; at < 3; at += 1) await page.keyboard.press('Control+Enter')
    await page.locator('.file-footer .ant-btn-loading').waitFor()
    await page.locator('.file-footer .ant-btn-loading').press('Enter')
    expect(await findings()).toEqual([])
    await relieve()
    await page.getByText('保存成功').waitFor()
    expect(sent).toHaveLength(1)
  })

  test.each([['broken', broken], ['cut', cut]] as const)('%s: says so beside the button, everything typed stays, and the next try saves it', async (kind, sentence) => {
    await openEditor('202010103')
    const relieve = await trouble(page, studentFileApi.update, kind)
    const remark = page.getByLabel('备注', { exact: true })
    await remark.fill(`没有丢失 ${kind}`)
    await page.keyboard.press('Control+Enter')
    const alert = dialog().getByRole('alert').filter({ hasText: sentence })
    await alert.waitFor()
    expect(kind === 'broken' ? await findings() : []).toEqual([])
    expect(await remark.inputValue()).toBe(`没有丢失 ${kind}`)
    await relieve()
    await page.keyboard.press('Control+Enter')
    await page.getByText('保存成功').waitFor()
  })

  const wrong = [
    ['user_name', '王,小明', '不能包含逗号'],
    ['student_no', '学号一', '不能包含汉字'],
    ['id_no', '37020020200512', '身份证号格式不正确'],
    ['birthday', '20261301', '日期不存在：20261301'],
    ['school_roll_no', 'X123', '格式不正确'],
    ['enrol_month', '202613', '格式不正确'],
    ['tel', '12345', '手机号格式不正确'],
    ['email', 'abc', '邮箱格式不正确'],
    ['postcode', '12', '格式不正确'],
    ['distance_km', '很远', '格式不正确'],
    ['remark', '长'.repeat(201), '超过200个字'],
    ['parents_0_mobile', '123', '手机号格式不正确'],
    ['parents_0_user_name', '', '必填项不能为空'],
  ] as const

  test('wrong input in every kind of field: one exact sentence beside each, the first wrong one has the focus, nothing is sent', async () => {
    await openEditor('202010104')
    for (const [field, text] of wrong) await page.locator(`#student-file_${field}`).fill(text)
    await page.keyboard.press('Control+Enter')
    await expect.poll(focusedId).toBe('student-file_user_name')
    const said = await page.evaluate(`Object.fromEntries(${JSON.stringify(wrong.map(([field]) => field))}.map(field => [field, document.getElementById('student-file_' + field).closest('.ant-form-item').querySelector('.ant-form-item-explain')?.innerText]))`)
    expect(said).toEqual(Object.fromEntries(wrong.map(([field, , sentence]) => [field, sentence])))
    expect(await findings()).toEqual([])
  })

  test('a new file without anything: each demanded field says so, the name has the focus', async () => {
    await openRow('202010104')
    await button('新增学生').click()
    await page.locator('#student-file_user_name:focus').waitFor()
    await page.locator('#student-file_remark').focus()
    await page.keyboard.press('Control+Enter')
    await expect.poll(focusedId).toBe('student-file_user_name')
    await expect.poll(() => page.getByText('必填项不能为空').count()).toBe(7)
    await page.getByText('请选择班级').last().waitFor()
    expect(await findings()).toEqual([])
  })

  test('names as long as they may be and another’s edit beside one’s own fit their dialogs', async () => {
    await openRow('202010105')
    await answer(page, personApi.detail, long)
    await button(/^编辑 /).click()
    await page.locator('#student-file_user_name:focus').waitFor()
    expect(await findings()).toEqual([])
    await page.locator('#student-file_remark').fill('我'.repeat(reason_signs))
    await page.route(url => studentFileApi.update.paths.includes(url.pathname), route => route.fulfill({ status: 409, body: staleAnswer() }))
    await page.keyboard.press('Control+Enter')
    const stale = dialog('数据已被他人修改，请核对差异后再保存')
    await stale.getByRole('button', { name: '继续编辑' }).and(page.locator(':focus')).waitFor()
    expect(await findings()).toEqual([])
    await page.keyboard.press('Enter')
    await stale.waitFor({ state: 'detached' })
    expect(await page.locator('#student-file_remark').inputValue()).toBe('我'.repeat(reason_signs))
  })
})

describe('查看完整信息', () => {
  test('asks what and why, keeps both when it is slow or fails, and shows the value at last', async () => {
    await openRow('202010106')
    await button(/^详情 /).click()
    await button('查看完整信息').click()
    const asking = dialog('查看完整信息')
    const first = asking.getByRole('checkbox', { name: '身份证件号', exact: true })
    await first.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Control+Enter')
    await asking.getByText('请选择要查看的内容').waitFor()
    await asking.getByText('请填写原因').waitFor()
    await expect.poll(() => first.evaluate(box => box.matches(':focus'))).toBe(true)
    await page.keyboard.press('Space')
    await asking.getByLabel('查看原因').fill('核对学籍')
    for (const [kind, sentence] of [['broken', broken], ['cut', cut]] as const) {
      const relieve = await trouble(page, personApi.reveal, kind)
      await page.keyboard.press('Control+Enter')
      await asking.getByRole('alert').filter({ hasText: sentence }).waitFor()
      expect(kind === 'broken' ? await findings() : []).toEqual([])
      await relieve()
    }
    const relieve = await trouble(page, personApi.reveal, 'slow')
    await page.keyboard.press('Control+Enter')
    await asking.locator('.ant-btn-loading').waitFor()
    await relieve()
    await asking.waitFor({ state: 'detached' })
    await page.getByText('完整内容将在5分钟后恢复隐藏').waitFor()
  })
})

describe('a change and its receipt', () => {
  test('wrong, slow and broken: the field has the focus, nothing chosen is lost, the receipt comes at last', async () => {
    await openRow('202010107')
    await button(/^调班 /).click()
    const moving = dialog('调班')
    const next = moving.getByRole('button', { name: '下一步：查看影响' })
    await next.press('Enter')
    await moving.getByText('请选择班级').last().waitFor()
    await expect.poll(focusedId).toBe('to_dept_id')
    await page.keyboard.type('一年级2班')
    await page.locator('.ant-select-tree-title', { hasText: '一年级2班' }).first().waitFor()
    expect(await findings()).toEqual([])
    await page.locator('.ant-select-tree-title', { hasText: '一年级2班' }).first().click()
    const unbreak = await trouble(page, changeApi.preview, 'broken')
    await next.press('Enter')
    await moving.getByRole('alert').filter({ hasText: broken }).waitFor()
    await unbreak()
    await next.press('Enter')
    await moving.getByText('同时处理').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('上一步')
    await answer(page, changeApi.apply, long)
    const relieve = await trouble(page, changeApi.apply, 'cut')
    const apply = moving.getByRole('button', { name: '确认办理（1 人）' })
    await apply.press('Enter')
    await moving.getByRole('alert').filter({ hasText: cut }).waitFor()
    await relieve()
    await apply.press('Enter')
    await moving.getByText('已完成').waitFor()
    expect(await findings()).toEqual([])
  })

  test('the receipt in the change record: slow, broken, as long as it may be, and an undo that fails', async () => {
    await page.goto(`${server.url}/ChangeRecord?keyword=202010107`)
    await page.locator('tbody .ant-table-row').first().waitFor()
    const relieve = await trouble(page, changeApi.detail, 'slow')
    await button(/^查看回执/).click()
    await dialog('变更回执').getByRole('status', { name: '加载中' }).waitFor()
    expect(await findings()).toEqual([])
    await page.keyboard.press('Escape')
    await relieve()
    await page.goto(`${server.url}/ChangeRecord?keyword=202010107`)
    await page.locator('tbody .ant-table-row').first().waitFor()
    const unbreak = await trouble(page, changeApi.detail, 'broken')
    await button(/^查看回执/).click()
    const alert = dialog('变更回执').getByRole('alert').filter({ hasText: broken })
    await alert.waitFor()
    expect(await findings()).toEqual([])
    await unbreak()
    await answer(page, changeApi.detail, long)
    await alert.getByRole('button', { name: '重试' }).press('Enter')
    await button('撤销').press('Enter')
    await page.getByLabel('撤销原因').fill('录入错误')
    await trouble(page, changeApi.undo, 'cut')
    await button('确认撤销').press('Enter')
    await dialog('变更回执').getByRole('alert').filter({ hasText: cut }).waitFor()
    expect(await findings()).toEqual([])
    expect(await page.getByLabel('撤销原因').inputValue()).toBe('录入错误')
  })

  test('the change record, slow: grey rows under the heads, which stay where they are', async () => {
    const relieve = await trouble(page, changeApi.page, 'slow')
    await page.goto(`${server.url}/ChangeRecord`)
    await page.getByRole('main').getByRole('status', { name: '加载中' }).first().waitFor()
    expect(await findings()).toEqual([])
    const head = page.getByText('办理时间', { exact: true }).filter({ visible: true }).first()
    const middle = async () => {
      const box = await head.boundingBox()
      return (box?.y ?? 0) + (box?.height ?? 0) / 2
    }
    const before = await middle()
    await relieve()
    await page.locator('tbody .ant-table-row').first().waitFor()
    expect(Math.abs((await middle()) - before)).toBeLessThanOrEqual(1)
  })

  test('the change record with names as long as they may be: rows one line high', async () => {
    await answer(page, changeApi.page, said => long(said).replaceAll(/"subject_names":\["/g, `"subject_names":["${'长'.repeat(name_signs)}`))
    await page.goto(`${server.url}/ChangeRecord`)
    const row = page.locator('tbody .ant-table-row').first()
    await row.waitFor()
    expect((await row.boundingBox())?.height).toBeLessThan(40)
    expect(await findings()).toEqual([])
  })
})

test('whoever may not import reads in an empty roll what he can do instead', async () => {
  await page.route(/navigations/, async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replaceAll(/"people\.(student|parent)\.import"/g, '"none"') })
  })
  for (const call of [studentApi.list, deptApi.tree]) await answer(page, call, nothing)
  await page.goto(`${server.url}/ParentsRecord`)
  await page.getByText('还没有学生，可点击新增学生逐个录入，批量导入请联系学校管理员').waitFor()
  await page.getByRole('button', { name: '新增学生' }).waitFor()
  expect(await page.getByText('先下载模板导入').count()).toBe(0)
})

/** What the server says of an edit that came too late, as long as it may be. */
function staleAnswer(): string {
  const differences = [
    { field: 'remark', label: '备注', mine: '我'.repeat(reason_signs), theirs: '他'.repeat(reason_signs) },
    { field: 'email', label: '电子信箱', theirs: '' },
  ]
  const changed_by = { user_name: '长'.repeat(name_signs), at: '2026-11-20T03:00:00Z' }
  return JSON.stringify({ code: 409, msg: '数据已被他人修改，请核对差异后再保存', error_id: 'people.staleRow', data: { differences, changed_by } })
}
