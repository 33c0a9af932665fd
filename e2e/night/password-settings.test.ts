import { accountApi, CaptchaReply, loginApi, passwordSetApi } from '@campus/identity/contract'
import { encryptField } from '@kit/contract/sm2'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { trouble } from '../answers.ts'
import { calm, leaveByKey, openBrowser, openPage, picture, signIn } from '../browser.ts'
import type { JourneyBrowser } from '../browser.ts'
import { axeFindings } from '../crawl.ts'
import { prepareServer } from '../server.ts'
import type { ServerUnderTest } from '../server.ts'

const patience = { timeout: 20_000 }
const fixed_captcha = '2222'
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
  await signIn(page, server.url, 'admin01', 'Demo@Pass26')
  await page.waitForURL(url => url.pathname !== '/')
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await server?.remove()
})

const save = () => page.getByRole('button', { name: /保存$/ }).first().click()
const shortest = () => page.getByLabel('密码最小长度')
const gauge = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })

/** A wrong password for an account, as the login page would send it. */
async function guess(account: string): Promise<void> {
  const reply = await fetch(`${server.url}${loginApi.captcha.paths[0]}`)
  const { key, public_key, key_id } = z.object({ data: CaptchaReply }).parse(await reply.json()).data
  const sealed = (text: string) => encryptField(text, key, public_key, key_id)
  const body = JSON.stringify({ username: sealed(account), password: sealed('Wrong@Pass26'), cap_key: key, cap_value: fixed_captcha })
  await fetch(`${server.url}${loginApi.check.paths[0]}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}

test('the page waits, says that it cannot be read, and comes back by 重试', async () => {
  const slow = await trouble(page, passwordSetApi.detail, 'slow')
  await page.goto(`${server.url}/PwdConfig`)
  await gauge('默认密码未改').waitFor()
  expect(await shortest().count()).toBe(0)
  await slow()
  await shortest().waitFor()
  const relieve = await trouble(page, accountApi.gauges, 'broken')
  await page.reload()
  const failed = page.getByRole('complementary', { name: '需要处理的账号' }).getByRole('alert')
  await failed.waitFor()
  await relieve()
  await failed.getByRole('button', { name: '重试' }).click()
  await gauge('弱口令').waitFor()
})

test('wrong input stands beside its line; what a rule will do is told before it is saved', async () => {
  await shortest().fill('7')
  await page.getByLabel('有效期').fill('20')
  await page.getByRole('radio', { name: '前缀+手机号后6位' }).check()
  await save()
  await page.getByText('请输入8-64之间的整数').waitFor()
  await page.getByText('请输入0或30-365之间的整数').waitFor()
  await page.getByText('前缀须为2-8位字母、数字或符号，同时含大写和小写字母').waitFor()
  await page.getByLabel('前缀', { exact: true }).fill('Qm@')
  await page.getByText(/示例：Qm@123456/).waitFor()
  await shortest().fill('12')
  await page.getByLabel('有效期').fill('60')
  await page.getByText('已修改4项，尚未保存').waitFor()
  await picture(page, 'password-settings')
  expect(await axeFindings(page)).toEqual([])
  await save()
  const question = page.getByRole('dialog').filter({ hasText: '保存后会有以下影响' })
  await question.getByText(/人下次登录需修改密码/).waitFor()
  await picture(page, 'password-settings-effect')
  await leaveByKey(page, question)
  expect(await shortest().inputValue()).toBe('12')
})

test('a rule that cannot be saved stays as typed and is saved when the way is free', async () => {
  const relieve = await trouble(page, passwordSetApi.update, 'broken')
  await save()
  await page.getByRole('alert').filter({ hasText: '系统异常，请稍后重试' }).waitFor()
  await relieve()
  expect(await shortest().inputValue()).toBe('12')
  await save()
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByText('设置成功').first().waitFor()
  await page.reload()
  await expect.poll(() => shortest().inputValue(), patience).toBe('12')
})

test('a gauge opens its people by the keyboard; a password is reset and shown once', async () => {
  await gauge('默认密码未改').focus()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: '默认密码未改' })
  const reset = drawer.getByRole('row').filter({ hasText: 'moren01' }).getByRole('button', { name: /^重置密码/ })
  await reset.waitFor()
  await picture(page, 'password-settings-drawer')
  expect(await axeFindings(page)).toEqual([])
  await reset.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: '重置密码', exact: true }).press('Enter')
  const issued = page.getByRole('dialog', { name: '密码已重置' })
  const password = issued.locator('code')
  await password.waitFor()
  expect(await password.innerText()).toMatch(/^[A-Za-z0-9]{12}$/)
  await picture(page, 'password-settings-issued')
  expect(await axeFindings(page)).toEqual([])
  await issued.getByRole('button', { name: '我已记下' }).click()
  await issued.waitFor({ state: 'hidden' })
  await leaveByKey(page, drawer)
  await expect.poll(() => page.locator(':focus').innerText(), patience).toContain('默认密码未改')
  await gauge('弱口令').click()
  await page.getByText('须由超级管理员重置').waitFor()
  await leaveByKey(page, page.getByRole('dialog', { name: '弱口令' }))
})

test('20-A27 slips are printed for everybody of a gauge’s page; their file is fetched once', async () => {
  await gauge('默认密码未改').click()
  const drawer = page.getByRole('dialog', { name: '默认密码未改' })
  await drawer.getByRole('button', { name: /^为本页\d+人生成密码条$/ }).click()
  const slips = page.getByRole('dialog', { name: /^生成密码条/ })
  await slips.getByText('只能下载一次').waitFor()
  await picture(page, 'password-slips')
  expect(await axeFindings(page)).toEqual([])
  await slips.getByRole('button', { name: '生成密码条' }).click()
  const fetched = page.waitForEvent('download')
  await slips.getByRole('button', { name: '下载结果' }).click()
  expect((await fetched).suggestedFilename()).toMatch(/^密码条_\d{12}\.xlsx$/)
  await slips.getByRole('button', { name: '下载结果' }).click()
  await page.getByText('该文件只能下载一次，已被下载；如未保存，请重新生成').waitFor()
  await slips.getByRole('button', { name: '关闭', exact: true }).last().click()
  await slips.waitFor({ state: 'hidden' })
  await leaveByKey(page, drawer)
})

test('who is locked is found, unlocked, and gone from the list', async () => {
  for (let times = 0; times < 5; times += 1) await guess('guoqi01')
  await page.reload()
  await expect.poll(() => gauge('已锁定').innerText(), patience).toContain('1')
  await gauge('已锁定').click()
  const drawer = page.getByRole('dialog', { name: '已锁定' })
  await drawer.getByRole('row').filter({ hasText: 'guoqi01' }).getByRole('button', { name: /^解锁/ }).click()
  await page.getByText('已解锁').first().waitFor()
  await drawer.getByText('没有需要处理的账号').waitFor()
  expect(faults.filter(fault => !/status of (500|404)/.test(fault))).toEqual([])
})
