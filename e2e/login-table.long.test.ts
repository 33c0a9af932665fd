import { loginApi } from '@campus/identity/contract'
import type { Call } from '@kit/contract'
import type { BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { vectorRows } from '../apps/server/testing/vectors.ts'
import { answer, trouble } from './answers.ts'
import { calm, openBrowser, openPage } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { sharedServer } from './server.ts'
import { expectFocus, press } from './sound.ts'

const opened_at = new Date('2026-11-20T07:00:00+08:00')
/** The clock of the page stands still from here on and moves when the journey says so. */
const still_at = new Date('2026-11-20T07:01:00+08:00')
const message_ms = 2000
const table = vectorRows('validation')
const server = sharedServer()
const wrong_password = '用户名或密码错误，连续输错5次将锁定10分钟'

let browser: JourneyBrowser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser?.close())
beforeEach(async () => {
  context = await browser.newContext({ ...calm })
  page = (await openPage(context)).page
  await page.clock.install({ time: opened_at })
})
afterEach(() => context.close())

const field = (label: string) => page.getByLabel(label, { exact: true })
const rowsOf = (rule: string, mode = '') => table.filter(row => row.rule === rule && row.mode === mode)
const toast = () => page.locator('.toast')

async function openLogin(path: string): Promise<void> {
  await page.goto(`${server.url}${path}`)
  if (path !== '/') await page.getByRole('heading', { name: '启明实验学校' }).waitFor()
  await page.locator('.captcha-picture[data-state=ready]').waitFor()
  await page.clock.pauseAt(still_at)
}

/** Answers a call of the page with a refusal in place of the server; the bodies that left the page. */
async function refuse(call: Call, reply: object): Promise<string[]> {
  const left: string[] = []
  await page.route(`**${call.paths[0]}`, (route: Route) => {
    left.push(route.request().postData() ?? '')
    return route.fulfill({ status: 422, json: { code: 422, msg: '', data: null, ...reply } })
  })
  return left
}

/** Keys put no more than eleven signs into the field; what fills a form by itself may put more. */
async function putAccount(account: string): Promise<void> {
  await field('账号').fill('')
  await page.evaluate(`(() => {
    const input = document.getElementById('account')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, ${JSON.stringify(account)})
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
  await field('账号').focus()
}

type Typed = { account?: string; password?: string; captcha?: string }
/** Fills the form, presses Enter and reads what it says; then the message's time is over. */
async function said({ account = 'admin01', password = '', captcha = '2222' }: Typed): Promise<string> {
  await putAccount(account)
  await field('密码').fill(password)
  await field('验证码').fill(captcha)
  await press(page, 'Enter')
  await toast().waitFor()
  const text = (await toast().innerText()).replace(/^[!✓]\s*/, '')
  await page.clock.runFor(message_ms)
  await toast().waitFor({ state: 'detached' })
  return text
}

test('10-A1 accounts, captchas and wrong passwords of the table: each row its sentence in the form, and nothing leaves the page', async () => {
  const left = await refuse(loginApi.check, { msg: wrong_password })
  await openLogin('/')
  for (const { input = '', message, expected } of rowsOf('login.account')) {
    expect([input, await said({ account: input, captcha: '' })]).toEqual([input, expected === 'valid' ? '密码不能为空' : message])
  }
  const bad_form = rowsOf('login.password', 'normal').find(row => row.expected === 'invalid' && row.input !== '')?.message
  for (const { input = '', message, expected } of rowsOf('login.captcha')) {
    expect([input, await said({ password: 'x', captcha: input })]).toEqual([input, expected === 'valid' ? bad_form : message])
  }
  for (const { input = '', message } of rowsOf('login.password', 'normal').filter(row => row.expected === 'invalid')) {
    expect([input, await said({ password: input })]).toEqual([input, message])
  }
  expect(left).toEqual([])
})

test('10-A1 wrong passwords at the address of a strong school: each row its sentence, and nothing leaves the page', async () => {
  const left = await refuse(loginApi.check, { msg: wrong_password })
  await openLogin('/900001')
  for (const { input = '', message } of rowsOf('login.password', 'strong').filter(row => row.expected === 'invalid')) {
    expect([input, await said({ password: input })]).toEqual([input, message])
  }
  expect(left).toEqual([])
})

test.each([['normal', '/'], ['strong', '/900001']])('10-A1 passwords that are good in %s form leave the page, once each and unreadable', async (mode, path) => {
  const left = await refuse(loginApi.check, { msg: wrong_password })
  await openLogin(path)
  const good = rowsOf('login.password', mode).filter(row => row.expected === 'valid')
  for (const { input = '' } of good) {
    expect([input, await said({ password: input })]).toEqual([input, wrong_password])
    await expect.poll(() => field('验证码').inputValue()).toBe('')
    await page.locator('.captcha-picture[data-state=ready]').waitFor()
  }
  expect(left).toHaveLength(good.length)
  expect(left.filter((body, at) => body.includes(good[at]?.input ?? ''))).toEqual([])
})

test.each(['8', '10', '12'])('10-A1 new passwords where at least %s signs are asked for: each row its sentence in the forced dialog', async min => {
  await answer(page, loginApi.passwordSet, text => text.replace(/"pwd_count":\d+/, `"pwd_count":${min}`))
  await refuse(loginApi.check, { code: 6005, data: { have_more_school: 0, token: 'ticket' } })
  const left = await refuse(loginApi.forcedPassword, { msg: '密码过于简单，请更换' })
  await openLogin('/')
  await field('账号').fill('admin01')
  await field('密码').fill('Abc123')
  await field('验证码').fill('2222')
  await press(page, 'Enter')
  const dialog = page.getByRole('dialog', { name: '修改密码' })
  const [password, confirm] = [dialog.getByLabel('新密码', { exact: true }), dialog.getByLabel('确认密码', { exact: true })]
  await password.waitFor()
  const rows = rowsOf('default_pwd.new', `min=${min}`)
  expect(rows.length).toBeGreaterThan(0)
  for (const { input = '', message = '', expected } of rows) {
    await password.fill(input)
    await confirm.fill(input)
    const before = left.length
    await press(page, 'Enter')
    const verdict = async () => [input, await dialog.locator('#new_password_error').innerText(), left.length - before]
    await expect.poll(verdict).toEqual(expected === 'valid' ? [input, '', 1] : [input, message, 0])
    if (expected === 'valid') await toast().waitFor()
    await page.clock.runFor(message_ms)
    await toast().waitFor({ state: 'detached' })
  }
  expect(left).toHaveLength(rows.filter(row => row.expected === 'valid').length)
})

test('10-A3 the picture changes a second after an attempt, the field emptied under the cursor, and at a click; clicks while it is on its way ask for no other', async () => {
  const pictures: string[] = []
  page.on('request', request => void (request.url().includes(loginApi.captcha.paths[0] ?? '-') && pictures.push(request.url())))
  await refuse(loginApi.check, { msg: wrong_password })
  await openLogin('/')
  await field('账号').fill('admin01')
  await field('密码').fill('Abc123')
  await field('验证码').fill('3333')
  await press(page, 'Enter')
  await page.getByText(wrong_password).waitFor()
  await page.clock.runFor(999)
  expect([pictures.length, await field('验证码').inputValue()]).toEqual([1, '3333'])
  await page.clock.runFor(1)
  await expect.poll(() => [pictures.length]).toEqual([2])
  await expect.poll(() => field('验证码').inputValue()).toBe('')
  await expectFocus(field('验证码'))
  const picture = page.locator('.captcha-picture')
  await page.locator('.captcha-picture[data-state=ready]').waitFor()
  const relieve = await trouble(page, loginApi.captcha, 'slow')
  for (let click = 0; click < 3; click += 1) await picture.click({ force: true })
  await relieve()
  await page.locator('.captcha-picture[data-state=ready]').waitFor()
  expect(pictures).toHaveLength(3)
})
