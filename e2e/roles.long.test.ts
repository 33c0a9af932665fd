import { memberApi, roleApi, sessionApi } from '@campus/identity/contract'
import type { Call } from '@kit/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const wait_ms = 15_000
const new_role = '查档审计员'
const clerk = '成员专员'
let server: ServerUnderTest
let browser: JourneyBrowser
let admin: { page: Page; faults: string[] }

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  admin = await enter('admin01')
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** Somebody in a browser of his own; `role` is chosen where several are offered. */
async function enter(account: string, role?: string): Promise<{ page: Page; faults: string[] }> {
  const opened = await openPage(await browser.newContext(calm))
  opened.page.setDefaultTimeout(wait_ms)
  await signIn(opened.page, server.url, account, 'Demo@Pass26')
  if (role !== undefined) {
    await opened.page.getByRole('dialog').getByText(role).first().click()
    await opened.page.keyboard.press('Enter')
  }
  await opened.page.locator('[data-ready]').first().waitFor()
  return opened
}

/** A dialog on its way in has half its contrast. */
async function still(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations !== Infinity).map(one => one.finished))`)
}

async function openRoles(page: Page): Promise<void> {
  await page.goto(`${server.url}/RoleGroupSet`)
  await page.locator('[data-ready="list"]').waitFor()
}

const focusedBox = (page: Page) => page.evaluate(`document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`)

/** Walks down the first column of the matrix to a row, then along it. */
async function walkTo(page: Page, row: string, box: string): Promise<void> {
  await page.getByRole('table', { name: /^权限矩阵/ }).getByRole('checkbox').first().focus()
  for (const [key, name] of [['ArrowDown', row], ['ArrowRight', box]] as const) {
    for (let at = 0; at < 60 && !String(await focusedBox(page)).startsWith(name); at += 1) await page.keyboard.press(key)
    expect(await focusedBox(page)).toMatch(name)
  }
}

/** Turns one box by key and saves what the dialog shows. */
async function turnAndSave(page: Page, row: string, box: string): Promise<void> {
  await walkTo(page, row, box)
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).waitFor()
}

test('10-A31 a role is copied, changed by key in a matrix without a serious finding of axe, and given to somebody; 10-A10 what is taken away is gone at his next call', async () => {
  const { page, faults } = admin
  await openRoles(page)
  await picture(page, 'role-groups')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('textbox', { name: '查找角色组和角色' }).or(page.getByRole('searchbox', { name: '查找角色组和角色' })).fill('审计员')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '更多 审计员' }).click()
  await page.getByRole('menuitem', { name: '复制' }).click()
  await page.getByLabel('新角色名称').fill(new_role)
  await page.keyboard.press('Control+Enter')
  const web = page.getByRole('switch', { name: `${new_role}网页登录` })
  await web.click()
  await page.getByTitle('您无法在当前客户端登陆，请联系管理人员。').waitFor()
  await web.click()
  await page.getByTitle('您无法在当前客户端登陆，请联系管理人员。').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: `权限配置 ${new_role}` }).click()
  await page.locator('[data-ready="matrix"]').waitFor()
  expect(await axeFindings(page, 'main')).toEqual([])
  await turnAndSave(page, '学生档案整行', '学生档案 编辑')
  const dialog = page.getByRole('dialog')
  expect(await dialog.innerText()).toMatch(/授予 2项[\s\S]*学生档案 · 查看（一并授予）[\s\S]*学生档案 · 编辑/)
  await still(page)
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await picture(page, 'role-matrix')
  await page.keyboard.press('Control+Enter')
  await page.getByText('设置成功').waitFor()

  const auditor = await enter('shenji01')
  const name = await auditor.page.getByRole('button', { name: /账号菜单/ }).innerText()
  await auditor.page.context().close()
  await page.goto(`${server.url}/RoleMemberSet`)
  await page.getByRole('button', { name: new RegExp(`^${new_role}`) }).click()
  await page.getByRole('heading', { name: new_role }).waitFor()
  await page.getByRole('button', { name: '添加成员' }).click()
  await page.getByRole('combobox', { name: '人员' }).fill(name)
  await page.locator('.member-option').filter({ hasText: name }).first().click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: '添加', exact: true }).click()
  await page.getByText('已添加1人').waitFor()
  await page.getByRole('button', { name: `移除 ${name}` }).waitFor()
  await picture(page, 'role-members')
  expect(await axeFindings(page, 'main')).toEqual([])

  const holder = await enter('shenji01', new_role)
  await holder.page.goto(`${server.url}/ParentsRecord`)
  await holder.page.locator('[data-ready="list"]').waitFor()
  await openRoles(page)
  await page.getByRole('link', { name: `权限配置 ${new_role}` }).click()
  await turnAndSave(page, '学生档案整行', '学生档案 查看')
  expect(await dialog.innerText()).toMatch(/影响1人，其中1人在线[\s\S]*收回 2项/)
  await page.keyboard.press('Control+Enter')
  await page.getByText('设置成功').waitFor()
  // He is told, and what he may not do any more is gone without a reload.
  await holder.page.locator('[data-ready="forbidden"]').waitFor()
  await holder.page.context().close()
  expect(faults).toEqual([])
})

test('leaving with unsaved changes asks; a role that somebody else saved keeps what was chosen', async () => {
  const { page } = admin
  await openRoles(page)
  await page.getByRole('link', { name: '权限配置 校医' }).or(page.getByRole('link', { name: /^权限配置 .*医/ })).first().click()
  await page.locator('[data-ready="matrix"]').waitFor()
  await walkTo(page, '学生档案整行', '学生档案 编辑')
  await page.keyboard.press('Space')
  await page.getByRole('link', { name: '返回角色组设置' }).click()
  await page.getByRole('dialog', { name: /内容尚未保存/ }).getByRole('button', { name: '取消' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const other = await admin.page.context().newPage()
  other.setDefaultTimeout(wait_ms)
  await other.goto(page.url())
  await turnAndSave(other, '家长档案整行', '家长档案 导出')
  await other.keyboard.press('Control+Enter')
  await other.getByText('设置成功').waitFor()
  await other.close()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: '保存', exact: true }).click()
  await page.getByRole('button', { name: '重新读取' }).click()
  await page.getByText('已重新读取，您的选择已保留').waitFor()
  expect(await page.getByRole('checkbox', { name: '学生档案 编辑，将授予' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: '放弃修改' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '放弃修改' }).click()
  await page.getByText('没有未保存的修改').waitFor()
})

test('the last administrator stays, and whoever removes him is told why', async () => {
  const head = await enter('xinxiao01')
  const teacher = await enter('duo01', '年级主任')
  const user_id = String(await teacher.page.evaluate(`localStorage.getItem('user_id')`))
  await teacher.page.context().close()
  await makeClerk(head.page, user_id)
  await head.page.context().close()
  const { page } = await enter('duo01', clerk)
  await page.goto(`${server.url}/RoleMemberSet`)
  await page.getByRole('button', { name: /^校管理员/ }).click()
  await page.getByRole('checkbox', { name: '选择第1行' }).check()
  await page.getByRole('button', { name: '移除', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '移除', exact: true }).click()
  await dialog.getByText('至少保留一名管理员').waitFor()
})

/** A role that gives and takes roles but does not change them, given to somebody by the calls themselves. */
async function makeClerk(page: Page, user_id: string): Promise<void> {
  const { list } = sessionApi.roleGroups.details.reply.parse(await ask(page, sessionApi.roleGroups))
  const { role_id } = roleApi.add.details.reply.parse(await ask(page, roleApi.add, { name: clerk, role_group_id: list.find(group => group.code === 'SYS001')?.role_group_id }))
  await ask(page, roleApi.saveMatrix, { role_id, version: 1, grant: ['identity.role.view', 'identity.member.view', 'identity.member.edit'], scopes: { dept: { kind: 'all' } } })
  await ask(page, memberApi.add, { role_id, users: [{ user_id }] })
}

/** Data of a call made with the session of a page. */
async function ask(page: Page, { paths, method }: Call, body?: object): Promise<unknown> {
  const token = String(await page.evaluate(`localStorage.getItem('token')`))
  const answer = await page.request.fetch(`${server.url}${paths[0]}`, { method, headers: { authorization: token }, ...(body ? { data: body } : {}) })
  const said: { code: number; msg: string; data: unknown } = await answer.json()
  expect([said.code, said.msg]).toEqual([600, said.msg])
  return said.data
}
