import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { calm, landing, leaveByKey, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
const own_password = 'Hn5$kLw9zX'
const login_ms = 10_000
let server: ServerUnderTest
let browser: JourneyBrowser
let page: Page
let faults: string[]

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  const opened = await openPage(await browser.newContext(calm))
  page = opened.page
  faults = opened.faults
  await signIn(page, server.url, 'super', password)
  await page.getByRole('radio', { name: /启明实验学校/ }).first().click()
  await page.getByLabel('进入原因').fill('日常巡检')
  await page.getByRole('button', { name: '确定' }).click()
  await page.waitForURL(landing)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const row = (name: string) => page.getByRole('row').filter({ hasText: name })

test('a super account adds a school, its administrator comes in, and with the school suspended the next click leads to the login page', async () => {
  await page.getByRole('status').filter({ hasText: '正在以超级管理员身份查看「启明实验学校」' }).waitFor()
  await page.goto(`${server.url}/SchoolRecord?tab=schools`)
  await row('启明智造有限公司').waitFor()
  await picture(page, 'schools')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: '新增学校' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('学校名称').fill('启明第四小学')
  await dialog.getByLabel('首位管理员姓名').fill('王新校')
  await dialog.getByLabel('管理员登录账号').fill('newadm01')
  await dialog.getByLabel('您的登录密码').fill('not-my-one')
  await dialog.getByRole('button', { name: '新增' }).click()
  await dialog.getByText('密码错误').waitFor()
  await dialog.getByLabel('您的登录密码').fill(password)
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: '新增' }).click()
  await dialog.getByText('密码只显示这一次，首次登录须修改').waitFor()
  const issued = (await dialog.locator('code').innerText()).trim()
  const address = (await dialog.locator('dd').first().innerText()).trim()
  await picture(page, 'schools-added')
  await dialog.getByRole('button', { name: '我已记下' }).click()
  await row('启明第四小学').waitFor()

  const other = await openPage(await browser.newContext(calm))
  await signIn(other.page, address, 'newadm01', issued)
  const forced = other.page.getByRole('dialog', { name: '修改密码' })
  await forced.getByLabel('新密码', { exact: true }).fill(own_password)
  await forced.getByLabel('确认密码').fill(own_password)
  await forced.getByRole('button', { name: '确定' }).click()
  await forced.waitFor({ state: 'hidden' })
  await signIn(other.page, address, 'newadm01', own_password)
  await other.page.waitForURL(landing)

  await page.getByRole('button', { name: '停用启明第四小学' }).click()
  await dialog.getByText(/正在使用的1人立即退出/).waitFor()
  await dialog.getByLabel('原因').fill('合同到期')
  await dialog.getByLabel('您的登录密码').fill(password)
  await picture(page, 'schools-suspend')
  expect(await axeFindings(page)).toEqual([])
  await dialog.getByRole('button', { name: '停用' }).click()
  await row('启明第四小学').getByText('已停用').waitFor()
  await other.page.getByRole('menuitem').filter({ hasText: '角色' }).first().click()
  await other.page.getByRole('menuitem').filter({ hasText: '角色组设置' }).click()
  await other.page.getByLabel('验证码', { exact: true }).waitFor({ timeout: login_ms })
  expect(faults.filter(fault => !fault.includes('status of 422'))).toEqual([])
}, 60_000)

test('a school is closed by its name; its progress says what has stopped, until when its data stays and what becomes of its files', async () => {
  const dialog = page.getByRole('dialog')
  const footer = dialog.locator('.ant-modal-footer')
  const progress = async (...effects: string[]) => {
    await page.getByRole('button', { name: '进度启明第四小学' }).click()
    await page.getByRole('dialog', { name: '处理进度：启明第四小学' }).waitFor()
    for (const effect of effects) await dialog.getByText(effect, { exact: true }).waitFor()
    expect(await axeFindings(page, '.ant-modal')).toEqual([])
  }
  await progress('登录会话', '后台任务')
  expect(await dialog.getByText('资料保存', { exact: true }).count()).toBe(0)
  await footer.getByRole('button', { name: '关闭' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: '关闭启明第四小学' }).click()
  await dialog.getByLabel('原因').fill('并入其他学校')
  await dialog.getByLabel(/请输入学校名称/).fill('启明小学')
  await dialog.getByLabel('您的登录密码').fill(password)
  await footer.getByRole('button', { name: '关闭' }).click()
  await dialog.getByText('输入的学校名称不一致，请重新输入').waitFor()
  await dialog.getByLabel(/请输入学校名称/).fill('启明第四小学')
  await footer.getByRole('button', { name: '关闭' }).click()
  await row('启明第四小学').getByText('已关闭').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await progress('资料保存', '文件删除')
  await dialog.getByRole('progressbar', { name: '文件删除进度' }).waitFor()
  await picture(page, 'schools-closing')
  await leaveByKey(page, dialog)
  expect(await page.getByRole('button', { name: '启用启明第四小学' }).count()).toBe(0)
})

test('a super account goes to another school with a reason, from the account menu or from the list', async () => {
  await page.getByRole('button', { name: /账号菜单/ }).click()
  await page.getByRole('menuitem', { name: '切换身份' }).click()
  const choice = page.getByRole('dialog', { name: '选择您要登录的身份角色' })
  expect(await choice.getByLabel(/进入原因/).count()).toBe(0)
  await choice.getByText('启明第二实验学校').first().click()
  await choice.getByRole('button', { name: '确定' }).click()
  await page.getByText('请填写进入该学校的原因').waitFor()
  await choice.getByLabel(/进入原因/).fill('协助新学期排课')
  await picture(page, 'schools-switch')
  expect(await axeFindings(page)).toEqual([])
  await leaveByKey(page, choice)
  await page.getByRole('button', { name: '进入启明智造有限公司' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '进入' }).click()
  await dialog.getByText('必填项不能为空').waitFor()
  await dialog.getByLabel('进入原因').fill('协助核对员工档案')
  await picture(page, 'schools-enter')
  await dialog.getByRole('button', { name: '进入' }).click()
  await page.getByRole('status').filter({ hasText: '正在以超级管理员身份查看「启明智造有限公司」' }).waitFor()
})
