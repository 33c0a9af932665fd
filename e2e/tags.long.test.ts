// 标签管理: a rule is counted before it is saved; a tag is given in the roll, found by, seen in its drawer and taken away.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openAt, openSignedIn, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { sharedServer } from './server.ts'

const { url } = sharedServer()
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  ;({ browser, page, faults } = await openSignedIn(url))
})
afterAll(() => browser?.close())

const dialog = (name: string | RegExp) => page.getByRole('dialog', { name })
const card = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

test('a rule tells whom it finds before it is saved; without a condition it is not saved', async () => {
  await openAt(page, url, '/TagManage')
  await card('特长生').waitFor()
  await picture(page, 'tags')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '新增标签' }).click()
  const form = dialog('新增标签')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请填写标签名称').waitFor()
  await form.getByLabel('名称', { exact: true }).fill('住校女生')
  await form.getByText('按规则自动匹配').click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请至少选择一个条件').waitFor()
  await form.getByLabel('就读方式').click()
  await page.locator('.ant-select-item-option', { hasText: '住校' }).click()
  const found = form.getByText(/^今天有 [\d,]+ 名学生符合$/)
  const boarders = await found.innerText()
  await form.getByLabel('性别').click()
  await page.locator('.ant-select-item-option', { hasText: '女' }).click()
  await found.and(form.getByText(boarders)).waitFor({ state: 'detached' })
  const count = /[\d,]+/.exec(await found.innerText())?.[0] ?? ''
  await picture(page, 'tag-rule')
  expect(await axeFindings(page)).toEqual([])
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  expect(await card('住校女生').innerText()).toContain(count)
})

test('pupils chosen in the roll are given a tag, found by it, and one loses it in the drawer', async () => {
  await openAt(page, url, '/TagManage')
  await page.getByRole('button', { name: '新增标签' }).click()
  await dialog('新增标签').getByLabel('名称', { exact: true }).fill('合唱团')
  await dialog('新增标签').getByRole('button', { name: '保存' }).click()
  await card('合唱团').waitFor()
  await openAt(page, url, '/ParentsRecord')
  const rows = page.locator('tbody .ant-table-row')
  await rows.nth(1).waitFor()
  for (const row of [0, 1]) await rows.nth(row).getByRole('checkbox').check()
  await page.getByRole('button', { name: '打标签' }).click()
  const give = dialog('打标签')
  await give.getByLabel('标签', { exact: true }).click()
  await page.locator('.ant-select-item-option', { hasText: '合唱团' }).click()
  await picture(page, 'tag-give')
  await give.getByRole('button', { name: '确定' }).click()
  await give.waitFor({ state: 'hidden' })
  await openAt(page, url, '/TagManage')
  await card('合唱团').click()
  const drawer = dialog('标签：合唱团')
  await drawer.getByText('今天共 2 人').waitFor()
  await picture(page, 'tag-members')
  expect(await axeFindings(page)).toEqual([])
  await drawer.getByRole('button', { name: /^移除 / }).first().click()
  await drawer.getByText('今天共 1 人').waitFor()
  await drawer.getByRole('button', { name: '按班级选择' }).click()
  const tree = dialog('按班级选择')
  const node = (name: RegExp) => tree.locator('.ant-tree-treenode').filter({ hasText: name })
  for (const name of [/^启明/, /^小学部/, /^一年级/]) await node(name).first().locator('.ant-tree-switcher').click()
  await node(/^一年级1班/).getByRole('checkbox').click()
  await tree.getByRole('button', { name: /^选择（\d+人）$/ }).waitFor()
  await picture(page, 'tag-tree')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await tree.getByRole('button', { name: /^选择（\d+人）$/ }).click()
  await drawer.getByText(/今天共 [2-9]\d 人/).waitFor()
  await leaveByKey(page, drawer)
  await page.getByRole('button', { name: /^合唱团 [2-9]\d 人/ }).waitFor()
  expect(faults).toEqual([])
})
