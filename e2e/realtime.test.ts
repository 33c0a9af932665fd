import { accountApi, roleApi } from '@campus/identity/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../apps/server/testing/request.ts'
import { calm, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { prepareServer } from './server.ts'
import type { ServerUnderTest } from './server.ts'

const password = 'Demo@Pass26'
const auditor = '审计员'
const strip = '实时连接不可用，已切换为定时刷新'
let server: ServerUnderTest
let browser: JourneyBrowser
let desk: Page
const faults: string[][] = []

async function visitor(): Promise<Page> {
  const opened = await openPage(await browser.newContext(calm))
  faults.push(opened.faults)
  opened.page.setDefaultTimeout(20_000)
  return opened.page
}

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
  desk = await visitor()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

/** What the administrator does meanwhile, elsewhere. */
async function elsewhere(act: (token: string, role: { role_id: string; perm_version: number }) => Promise<{ status: number }>): Promise<void> {
  const token = await desk.evaluate(() => localStorage.getItem('token') ?? '')
  const { list } = roleApi.list.details.reply.parse((await send(server.url, roleApi.list, {}, { token })).body.data)
  const [role] = list.filter(({ name }) => name === auditor)
  if (!role) throw new Error(`the demo has no role ${auditor}`)
  expect((await act(token, role)).status).toBe(200)
}

test('10-A10 10-R5 31-A20 a right that is taken away takes its button along; who is signed out elsewhere learns it; where no connection can stand the console asks instead', async () => {
  await desk.routeWebSocket(/\/mqtt/, socket => socket.close())
  await signIn(desk, server.url, 'admin01', password)
  await desk.locator('[data-ready]').first().waitFor()
  await desk.goto(`${server.url}/RoleMemberSet`)
  await desk.getByRole('button', { name: auditor }).click()
  await desk.getByRole('heading', { name: auditor }).waitFor()
  const member = desk.locator('tbody .ant-table-row').first()
  await member.waitFor()
  await desk.getByText(strip).waitFor()

  const page = await visitor()
  await signIn(page, server.url, 'shenji01', password)
  await page.getByRole('link', { name: '系统操作日志' }).first().waitFor()
  const ticket = page.waitForResponse(/realtime\/ticket/)
  await page.goto(`${server.url}/SystemLog`)
  const button = page.getByRole('button', { name: '导出' })
  await button.waitFor()
  await ticket
  await elsewhere((token, { role_id, perm_version }) => send(server.url, roleApi.saveMatrix, { role_id, version: perm_version, grant: [], revoke: ['audit.system.export'], scopes: {} }, { token }))
  await page.getByText('您的权限已更新').waitFor()
  await button.waitFor({ state: 'detached' })
  await picture(page, 'realtime-rights')
  await member.getByTitle('在线').waitFor()
  await picture(desk, 'realtime-online')

  const user_id = await page.evaluate(() => localStorage.getItem('user_id') ?? '')
  await elsewhere(token => send(server.url, accountApi.kick, { user_id }, { token }))
  await page.getByText('登录已失效，请重新登录').waitFor()
  await page.getByLabel('验证码', { exact: true }).waitFor()
  await member.getByTitle('在线').waitFor({ state: 'detached' })
  // What was on its way when the session ended is refused; anything else is a fault.
  expect(faults.flat().filter(fault => !fault.includes('401'))).toEqual([])
})
