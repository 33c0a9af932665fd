// 信息采集: the school sees how far its task is; an answer is decided field by field; a family confirms or corrects, and what is typed stays.
import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveByKey, openSignedIn, picture } from './browser.ts'
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

test('the administrator sees how far each class is; the form of a new task tells what is missing', async () => {
  await page.goto(`${url}/CollectInformation?tab=tasks`)
  const old = page.getByRole('article', { name: '开学信息核对', exact: true })
  await old.getByText(/^已填写 /).waitFor()
  await old.getByText('82%', { exact: true }).waitFor()
  await old.getByRole('button', { name: '按班级查看' }).click()
  await expect.poll(() => old.getByRole('list', { name: '各班进度' }).getByRole('listitem').count()).toBeGreaterThan(50)
  await picture(page, 'collect-tasks')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '新建采集任务' }).click()
  const editor = page.getByRole('dialog', { name: '新建采集任务' })
  await editor.getByText('现住址', { exact: true }).waitFor()
  await editor.getByLabel('标题').fill('住址核对')
  await editor.getByRole('button', { name: /^保\s?存$/ }).click()
  await editor.getByText('请选择班级', { exact: true }).waitFor()
  await editor.getByText('请选择截止时间', { exact: true }).waitFor()
  await picture(page, 'collect-editor')
  await leaveByKey(page, editor)
})

test('an answer that waits shows what it changes; a field is left out, the rest is taken', async () => {
  await page.goto(`${url}/CollectInformation?tab=review`)
  const answers = page.getByRole('region', { name: '采集答复列表' })
  const heading = answers.getByRole('heading', { name: /^采集答复（\d+）$/ })
  const before = Number((await heading.textContent())?.replace(/\D/g, ''))
  await answers.locator('tbody .register-name').first().click()
  const drawer = page.getByRole('dialog', { name: / · 开学信息核对$/ })
  await drawer.getByRole('button', { name: '采用所选（2）' }).waitFor()
  await drawer.getByRole('checkbox', { name: '电子信箱' }).uncheck()
  await picture(page, 'collect-answer')
  expect(await axeFindings(page, '[role=dialog]')).toEqual([])
  await drawer.getByRole('button', { name: '采用所选（1）' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await answers.getByRole('heading', { name: `采集答复（${before - 1}）` }).waitFor()
  expect(faults).toEqual([])
})

const asked = { task_id: '1', user_id: '2', title: '开学信息核对', user_name: '王子涵', close_at: '2030-01-01T00:00:00Z', state: 'seen', reason: null }
const fields = [
  { field_code: 'postcode', label: '邮政编码', options: null, value: '266071', is_masked: false, note: '' },
  { field_code: 'tel', label: '联系电话', options: null, value: '169****0001', is_masked: true, note: '' },
]
const reply = (route: Route, data: unknown) => route.fulfill({ json: { code: 600, msg: '操作成功', data } })

test('a family finds what is asked, confirms in one click; what is typed survives a reload and is sent as the change alone', async () => {
  const sent: unknown[] = []
  await page.route('**/collect/mine', route => reply(route, { list: [asked] }))
  await page.route('**/collect/form', route => reply(route, { ...asked, review_mode: 'review', fields }))
  await page.route('**/collect/answer', route => {
    sent.push(route.request().postDataJSON())
    return reply(route, { state: 'answered' })
  })
  await page.goto(`${url}/InformationDialog`)
  const fill = page.getByRole('button', { name: /^填\s?写$/ })
  await fill.click()
  await page.getByRole('button', { name: '信息无误' }).waitFor()
  await page.getByLabel('邮政编码').fill('266072')
  await page.getByRole('button', { name: '提交修改' }).waitFor()
  await page.reload()
  await fill.click()
  await expect.poll(() => page.getByLabel('邮政编码').inputValue()).toBe('266072')
  await picture(page, 'collect-form')
  expect(await axeFindings(page, 'main')).toEqual([])
  await page.getByRole('button', { name: '提交修改' }).click()
  await fill.click()
  await page.getByRole('button', { name: '信息无误' }).click()
  await expect.poll(() => sent.length).toBe(2)
  expect(sent).toEqual([
    { task_id: '1', user_id: '2', values: { postcode: '266072' }, accept_warnings: [] },
    { task_id: '1', user_id: '2', values: {}, accept_warnings: [] },
  ])
})
