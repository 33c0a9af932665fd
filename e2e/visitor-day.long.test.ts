import { JdevTerminal } from '@apps/terminal'
import { visitApi, visitorSettingApi } from '@campus/access/contract'
import { hireStaff } from '@campus/people/server'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf } from '../apps/server/testing/request.ts'
import { buildClassAndGates } from '../domains/access/server/builders.ts'
import { calm, openBrowser, openPage, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'
import { startGateDay } from './gate-day.ts'
import type { GateDay } from './gate-day.ts'

const day = '2026-11-20'
const passed = 1
const phone_size = { width: 390, height: 844 }
const [journey_ms, patience_ms] = [400_000, 90_000] as const
let gate_day: GateDay
let browser: JourneyBrowser
let page: Page
let wall: Page
let phone: Page
let faults: string[]
let entry: JdevTerminal
let exit: JdevTerminal
let office = ''

const as = () => ({ token: gate_day.me.token })
const setTime = (time: string) =>
  gate_day.setTime(`${day}T${time}:00+08:00`, [entry, exit], [page, wall, phone].filter(one => !one.isClosed()))

beforeAll(async () => {
  gate_day = await startGateDay(`${day}T08:50:00+08:00`, (app, school_id) =>
    app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
      buildClassAndGates(db, app.running.app, school_id, { size: 1, prefix: 'FK' }),
    ),
  )
  const { app } = gate_day
  await app.running.database.tenant(gate_day.me.school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const { school_id } = gate_day.me
    const root = await db.selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', school_id).orderBy('id').executeTakeFirstOrThrow()
    office = root.dept_name
    const depts = [{ dept_id: root.id, is_primary: true }]
    const draft = { user_name: '李老师', teacher_no: 'T900', sex: '1', kind: '11', join_month: '202609', depts, from: '2026-09-01' }
    await hireStaff(db, app.running.app.secrets, school_id, [draft])
  })
  const { row_version, link_key: _none, ...setting } = dataOf(visitorSettingApi.read, await app.call(visitorSettingApi.read, {}, as()))
  dataOf(visitorSettingApi.write, await app.call(visitorSettingApi.write, { ...setting, row_version, place_ids: [gate_day.gate] }, as()))
  entry = new JdevTerminal(await gate_day.wayOf('FKIN', 'JD-F10', 1))
  exit = new JdevTerminal(await gate_day.wayOf('FKOUT', 'JD-F10', 2))
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext({ ...calm })))
  wall = await page.context().newPage()
  phone = await (await browser.newContext({ ...calm, viewport: phone_size })).newPage()
  for (const one of [page, wall, phone]) one.setDefaultTimeout(patience_ms)
  await setTime('08:55')
  await Promise.all([entry.start(), exit.start()])
}, journey_ms)
afterAll(async () => {
  await browser?.close()
  await Promise.all([entry?.stop(), exit?.stop()])
  await gate_day?.app.close()
})

test('35-A21 35-A23 a visitor books by phone, is let in by the QR of his own page, found overdue, and left by the gate without anybody pressing a key', async () => {
  await gate_day.signIn(page)
  await book()
  await agree()
  const qr = await qrOfHisPage()
  await wall.goto(`${gate_day.app.url}/VisitorEnterExit`)
  const column = (name: string) => wall.getByRole('region', { name })
  await column('待到访').getByText('赵访客').waitFor()
  await expect.poll(() => entry.present('qr', qr).result, { interval: 500, timeout: patience_ms }).toBe(passed)
  await column('在校').getByText('赵访客').waitFor()
  await picture(wall, 'visitor-wall')
  await phone.reload()
  await phone.getByText('您已到校', { exact: false }).waitFor()
  expect(faults).toEqual([])
  // A console that sleeps while the clock jumps would have to sign in anew.
  await page.close()
  // The visit ends at half past nine, and its time after that at ten.
  for (const time of ['09:25', '09:50', '10:05']) {
    await setTime(time)
    await wall.reload()
  }
  await column('超时未离').getByText('赵访客').waitFor()
  await wall.getByRole('link', { name: /^访客超时未离 1 条待处理$/u }).waitFor()
  await picture(wall, 'visitor-overdue')
  expect(entry.present('qr', qr).result).not.toBe(passed)
  await expect.poll(() => exit.present('qr', qr).result, { interval: 500, timeout: patience_ms }).toBe(passed)
  await column('已离校').getByText('赵访客').waitFor()
  await expect.poll(() => [entry, exit].map(one => one.store.held('person').size), { timeout: patience_ms }).toEqual([0, 0])
}, journey_ms)

/** On his phone, by the link of the school: what is missing is said at its field, then the booking stands on his own page. */
async function book(): Promise<void> {
  const { link_key } = dataOf(visitorSettingApi.read, await gate_day.app.call(visitorSettingApi.read, {}, as()))
  await phone.goto(`${gate_day.app.url}/VisitorBook?key=${link_key}`)
  await phone.getByRole('button', { name: '提交预约' }).click()
  await phone.getByRole('alert').waitFor()
  await picture(phone, 'visitor-form')
  expect(await axeFindings(phone)).toEqual([])
  await phone.getByLabel('您的姓名').fill('赵访客')
  await phone.getByLabel('手机号').fill('13900000001')
  await phone.getByLabel('单位').fill('晨光文具')
  await phone.getByLabel('被访人姓名').fill('李老师')
  await phone.getByLabel('被访人部门').fill(office)
  await phone.getByLabel('来访事由').selectOption({ index: 1 })
  await phone.getByLabel('来访日期').fill(day)
  await phone.getByLabel('到校时间').fill('09:00')
  await phone.getByLabel('离校时间').fill('09:30')
  await phone.getByLabel('验证码', { exact: false }).first().fill('2222')
  await phone.getByRole('button', { name: '提交预约' }).click()
  await phone.getByText('已提交，等待被访人同意', { exact: false }).waitFor()
}

async function agree(): Promise<void> {
  await page.goto(`${gate_day.app.url}/VisitorPass`)
  await page.getByRole('button', { name: '同意 赵访客' }).click()
  await page.getByText('已同意').first().waitFor()
  await picture(page, 'visitor-audit')
}

/** His own page has code and QR now; what the QR says is read from the visit, as a camera would. */
async function qrOfHisPage(): Promise<string> {
  await phone.reload()
  await phone.getByText('通行码', { exact: false }).first().waitFor()
  await picture(phone, 'visitor-pass')
  const { list } = dataOf(visitApi.page, await gate_day.app.call(visitApi.page, { keyword: '赵访客' }, as()))
  return dataOf(visitApi.slip, await gate_day.app.call(visitApi.slip, { apply_id: list[0]?.apply_id ?? '' }, as())).qr
}
