import { loginApi } from '@campus/identity/contract'
import { schoolApi } from '@campus/school/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { answer, lengthened, trouble } from '../answers.ts'
import { calm, landing, openBrowser, openPage, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'
import { desks, expectFocus, expectSound, phone, press } from '../sound.ts'

const password = 'Demo@Pass26'
const wait_ms = 15_000
const new_password = 'Rabbit#2026x'
const broken = '系统异常，请稍后重试'
const offline = '网络异常，请检查网络'
const name_signs = { school_name: 60 } as const

let server: ServerUnderTest
let browser: JourneyBrowser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  server = await prepareServer()
  await server.start()
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const captcha = () => page.getByAltText('看不清？点击刷新')
const field = (label: string) => page.getByLabel(label, { exact: true })
const said = (sentence: string) => page.getByText(sentence).first().waitFor()

async function openLogin(path = '/'): Promise<void> {
  await page.goto(`${server.url}${path}`)
  await captcha().waitFor()
}

beforeEach(async () => {
  context = await browser.newContext(calm)
  page = (await openPage(context)).page
  page.setDefaultTimeout(wait_ms)
})
afterEach(() => context.close())

test('school and captcha on their way: nothing moves when they come, a name of sixty signs included', async () => {
  const school = await trouble(page, schoolApi.face, 'slow')
  const picture = await trouble(page, loginApi.captcha, 'slow')
  await page.goto(`${server.url}/900001`)
  await page.getByRole('button', { name: '验证码加载中' }).waitFor()
  await expectFocus(field('账号'))
  await expectSound(page, desks[0])
  const before = await field('账号').boundingBox()
  await picture()
  await school()
  await page.getByRole('heading', { name: '启明实验学校' }).waitFor()
  await captcha().waitFor()
  expect(await field('账号').boundingBox()).toEqual(before)
  await answer(page, schoolApi.face, lengthened(name_signs))
  await openLogin('/900001')
  await page.getByRole('heading', { name: /长{40}/ }).waitFor()
  await expectSound(page, phone, ...desks)
})

test.each([['broken', broken], ['cut', offline]] as const)('a captcha that is %s is fetched again by key', async (kind, sentence) => {
  const relieve = await trouble(page, loginApi.captcha, kind)
  await page.goto(server.url)
  const again = page.getByRole('button', { name: '加载失败，点击重试' })
  await again.waitFor()
  await said(sentence)
  await expectSound(page, desks[0])
  await relieve()
  await again.focus()
  await press(page, 'Enter')
  await captcha().waitFor()
  await expectFocus(field('账号'))
})

test('10-A1 10-A31 every local check by Enter: its sentence, the cursor in its field, nothing sent', async () => {
  const sent: string[] = []
  page.on('request', request => void (request.method() === 'POST' && sent.push(request.url())))
  await openLogin()
  await refused('用户名不能为空', '账号')
  await page.keyboard.type('ab-1')
  await refused('账号格式不正确,只能由5-30位字母、数字和下划线组成', '账号')
  await page.keyboard.type('_admin01long')
  expect(await field('账号').inputValue()).toHaveLength(11)
  await field('账号').fill('admin01')
  await refused('密码不能为空', '密码')
  await page.keyboard.type('12345')
  await refused('请输入验证码', '验证码')
  await page.keyboard.type('2222')
  await refused('密码格式不正确,请输入6-20位字母、数字组合、特殊符号', '密码')
  await expectSound(page, desks[0])
  await openLogin('/900001')
  await page.getByRole('heading', { name: '启明实验学校' }).waitFor()
  await field('账号').fill('admin01')
  await field('密码').fill('abcdefgh')
  await field('验证码').fill('2222')
  await refused('密码格式不正确,请输入8-16位字母（大小写）、数字组合', '密码')
  expect(sent).toEqual([])
})

test('caps lock is told while it is on, at 320 wide too', async () => {
  await openLogin()
  await field('密码').focus()
  await field('密码').dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await said('大写锁定已打开')
  await expectSound(page, phone)
  await field('密码').dispatchEvent('keyup', { key: 'a', modifierCapsLock: false })
  await page.getByText('大写锁定已打开').waitFor({ state: 'detached' })
})

test('the button spins and sends once; offline and a broken server keep what was typed', async () => {
  const sent: string[] = []
  page.on('request', request => void (request.method() === 'POST' && sent.push(request.url())))
  const slow = await trouble(page, loginApi.check, 'slow')
  const fresh = page.locator('.captcha-picture[data-state=ready]')
  await signIn(page, server.url, 'admin01', password)
  const busy = page.getByRole('button', { name: '正在登录' })
  await busy.waitFor()
  expect(await busy.isDisabled()).toBe(true)
  await field('验证码').focus()
  await press(page, 'Enter', 'Enter')
  await expectSound(page, desks[0])
  expect(sent).toHaveLength(1)
  await context.setOffline(true)
  await slow()
  await said(offline)
  await page.getByRole('button', { name: '加载失败，点击重试' }).waitFor()
  await context.setOffline(false)
  await page.getByRole('button', { name: '加载失败，点击重试' }).click()
  await fresh.waitFor()
  await expectFocus(field('验证码'))
  const relieve = await trouble(page, loginApi.check, 'broken')
  await page.keyboard.type('2222')
  await press(page, 'Enter')
  await said(broken)
  await relieve()
  // A second after every attempt another picture comes.
  await expect.poll(() => field('验证码').inputValue(), { timeout: wait_ms }).toBe('')
  await fresh.waitFor()
  await expectFocus(field('验证码'))
  await page.keyboard.type('2222')
  await press(page, 'Enter')
  await page.waitForURL(landing)
})

test('10-A9 10-A31 many identities by key: search, blocked ones with their sentence, nobody out of sight is entered', async () => {
  await answer(page, loginApi.check, manyIdentities)
  await signIn(page, server.url, 'duo01', password)
  const dialog = page.getByRole('dialog', { name: '选择您要登录的身份角色' })
  await expectFocus(dialog.getByLabel('搜索身份'))
  await expectSound(page, phone, ...desks)
  expect((await dialog.boundingBox())?.width).toBe(500)
  expect((await dialog.locator('.identity-list').boundingBox())?.height).toBeLessThanOrEqual(500)
  expect(await dialog.getByRole('radio', { disabled: true }).count()).toBe(2)
  await dialog.getByText('您无法在当前客户端登陆，请联系管理人员。').first().waitFor()
  await page.keyboard.type('任课')
  await press(page, 'ArrowDown')
  await expectFocus(dialog.getByRole('radio', { name: /任课教师/, checked: true }))
  await dialog.getByLabel('搜索身份').fill('没有这个')
  await said('没有符合“没有这个”的身份')
  await press(page, 'Enter')
  await said('请选择角色')
  await dialog.getByLabel('搜索身份').fill('班主任')
  await press(page, 'ArrowDown')
  const slow = await trouble(page, loginApi.token, 'slow')
  await press(page, 'Enter')
  await dialog.getByRole('button', { name: '确定', disabled: true }).waitFor()
  await press(page, 'Escape')
  expect(await dialog.isVisible()).toBe(true)
  await slow()
  await page.waitForURL(landing)
  await page.getByText('班主任 · 启明实验学校').waitFor()
})

test('an identity that cannot be entered: the network asks again, a refusal leads back to the form', async () => {
  const cut = await trouble(page, loginApi.token, 'cut')
  await signIn(page, server.url, 'duo01', password)
  const dialog = page.getByRole('dialog', { name: '选择您要登录的身份角色' })
  await dialog.waitFor()
  await press(page, 'ArrowDown', 'Enter')
  await said(offline)
  await expectFocus(dialog.getByRole('radio', { checked: true }))
  await cut()
  await trouble(page, loginApi.token, 'broken')
  await press(page, 'Enter')
  await said(broken)
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(field('验证码'))
})

test('10-A31 the forced password by key: the cursor in the first wrong field, refusals shown, a dead ticket leads back', async () => {
  await signIn(page, server.url, 'guoqi01', password)
  const dialog = page.getByRole('dialog', { name: '修改密码' })
  await expectFocus(dialog.getByLabel('新密码', { exact: true }))
  await page.keyboard.type(new_password)
  await press(page, 'Enter')
  await said('输入内容有误，请重新输入！')
  await expectFocus(dialog.getByLabel('确认密码', { exact: true }))
  await page.keyboard.type('Rabbit#2026y')
  await press(page, 'Enter')
  await said('新密码与确认密码不一致')
  await expectSound(page, phone, ...desks)
  await dialog.getByLabel('新密码', { exact: true }).fill('Admin@123456')
  await dialog.getByLabel('确认密码', { exact: true }).fill('Admin@123456')
  await press(page, 'Enter')
  await said('密码过于简单，请更换')
  await trouble(page, loginApi.captcha, 'cut')
  await press(page, 'Enter')
  await said(offline)
  await page.unrouteAll()
  await page.route('**/account/modifyDefaultPassword', route => route.fulfill({ status: 401, json: { code: 401, msg: '登录已失效，请重新登录', data: null } }))
  await press(page, 'Enter')
  await said('登录已失效，请重新登录')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(field('密码'))
})

async function refused(sentence: string, label: string): Promise<void> {
  await press(page, 'Enter')
  await page.getByRole('alert').getByText(sentence).waitFor()
  await expectFocus(field(label))
}

/** The identities of an account and nine more as long as they may be, two of them blocked on the web. */
function manyIdentities(answered: string): string {
  const reply: { data: { role_list: object[] } } = JSON.parse(answered)
  reply.data.role_list.push(...invented(reply.data.role_list[0]))
  return JSON.stringify(reply)
}

function invented(first: object | undefined): object[] {
  return Array.from({ length: 9 }, (_, at) => ({
    ...first, id: String(900_000 + at), name: '长'.repeat(20), school_name: '长'.repeat(60), user_dep_name: '长'.repeat(60),
    allow_login_web: at < 2 ? 1 : 0, allow_login_web_text: at === 0 ? '请使用手机端登录' : null,
  }))
}
