import { Desk, JdevTerminal, openFace, real_clock, Vf105Terminal } from '@apps/terminal'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { deptRuleApi, ruleApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { hashPassword, issueAccount } from '@campus/identity/server'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf } from '../apps/server/testing/request.ts'
import { buildClassAndGates } from '../domains/access/server/builders.ts'
import { calm, landing, openBrowser, openPage, picture, signIn } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings } from './crawl.ts'

const { a: school_id } = test_schools
const [class_size, day, password] = [52, '2026-11-20', 'Demo@Pass26'] as const
const [passed, not_now] = [1, 3] as const
const [six, nine, three, five] = [360, 540, 900, 1020] as const
const journey_ms = 300_000
let app: TestApp
let me: TestUser
let browser: JourneyBrowser
let page: Page
let wall: Page
let screen: Page
let faults: string[]
let pupils: string[]
let gate = ''
let lane: JdevTerminal
let turnstile: Vf105Terminal
let closeScreen: () => Promise<void> = () => Promise.resolve()

const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)
const as = () => ({ token: me.token })
const card = (user_id: string) => `CARD${user_id}`
const opens = (user_id: string) => {
  const before = turnstile.device.counters.opened
  turnstile.device.present('200', card(user_id))
  return turnstile.device.counters.opened > before
}

/** Server, terminals and browsers read the same clock. */
async function setTime(time: string): Promise<void> {
  app.clock.setTo(`${day}T${time}:00+08:00`)
  const ahead = app.clock.now().getTime() - Date.now()
  for (const one of [lane, turnstile.device]) one.faults.clock_offset_ms = ahead
  for (const one of [page, wall]) await one.clock.setFixedTime(app.clock.now())
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo(`${day}T15:50:00+08:00`)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const password_hash = await hashPassword(password)
  const made = await app.running.database.tenant(school_id, async (db: Parameters<typeof buildClassAndGates>[0]) => {
    await issueAccount(db, { user_id: me.user_id, username: 'gate01', password_hash, pwd_state: 1, pwd_set_at: app.clock.now() })
    return buildClassAndGates(db, app.running.app, school_id, { size: class_size, prefix: 'XC' })
  })
  ;({ pupils, gate } = made)
  await openTerminals()
  await goByRule(made.class_id)
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext({ ...calm })))
  wall = await page.context().newPage()
  screen = await (await browser.newContext({ ...calm })).newPage()
  await setTime('15:58')
  const face = await openFace(new Desk(lane, real_clock), { port: 0 })
  closeScreen = face.close
  await screen.goto(face.url)
}, journey_ms)
afterAll(async () => {
  await browser?.close()
  await closeScreen()
  await Promise.all([lane?.stop(), turnstile?.stop()])
  await app?.close()
})

/** One terminal of each protocol at the gate, with the cards of the class. */
async function openTerminals(): Promise<void> {
  const port = await app.running.listenToDevices()
  const wayOf = async (sn: string, model_code: string) => {
    const draft = { device_sn: sn, device_name: `终端${sn}`, device_type: '01' as const, model_code, place_id: gate, direction: 2 as const }
    const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as()))
    await tenant(db =>
      sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id},
        'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db),
    )
    return { url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' }
  }
  lane = new JdevTerminal(await wayOf('XCOUT', 'JD-F10'))
  turnstile = new Vf105Terminal(await wayOf('XCTURN', 'VF105'))
  const ahead = app.clock.now().getTime() - Date.now()
  for (const one of [lane, turnstile.device]) one.faults.clock_offset_ms = ahead
  await Promise.all([lane.start(), turnstile.start()])
  const cards = pupils.map(user_id => ({
    user_id,
    cred_kind: 'card' as const,
    code: card(user_id),
    usable: true,
    source: 'cards',
    source_ref: `card ${user_id}`,
    version: 1,
  }))
  await tenant(db => declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, cards))
}

/** The class goes home from three to five since the beginning of term; on the Wednesday of last week somebody went at twenty past four. */
async function goByRule(class_id: string): Promise<void> {
  const period = (direction: 1 | 2, begin_min: number, end_min: number) => ({ direction, day_match: 5, week_flags: null, begin_min, end_min })
  const week = { scene: 1, rule_name: '走读', periods: [period(1, six, nine), period(2, three, five)] }
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, week, as()))
  const rule_id = rule?.rule_id ?? ''
  const draft = { scene: 1, dept_ids: [class_id], rule_id, in_place_ids: [], out_place_ids: [gate], valid_from: day }
  const { plan } = dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, preview: true }, as()))
  dataOf(deptRuleApi.add, await app.call(deptRuleApi.add, { ...draft, plan_hash: plan.plan_hash }, as()))
  const since = '2026-09-01T00:00:00+08:00'
  await tenant(db => sql`update dept_rule set valid_from = ${since}::timestamptz where school_id = ${school_id}`.execute(db))
  await tenant(db => sql`update access_rule_version set valid_from = ${since}::timestamptz where school_id = ${school_id}`.execute(db))
  const at = new Date('2026-11-18T16:20:00+08:00')
  await tenant(db =>
    sql`insert into pass_event (school_id, event_date, device_id, device_seq, place_id, direction, user_id, person_kind, verify_mode,
        pass_state, device_time, received_at, event_time, time_state, body_hash)
      select ${school_id}, '2026-11-18'::date, d.device_id, 'last week', ${gate}, 2, ${pupils[0]}, 1, 2, 1, ${at}, ${at}, ${at}, 0, ${'0'.repeat(16)}
      from device d where d.school_id = ${school_id} and d.device_sn = 'XCOUT' on conflict do nothing`.execute(db),
  )
}

test('35-A5 a rule’s end moves: planned, saved, acknowledged; a swipe at 16:05 is refused on the screen, the wall, the timeline and the report; a right ends without a line', async () => {
  const [first = '', second = ''] = pupils
  await signIn(page, app.url, 'gate01', password)
  await page.waitForURL(landing)
  await expect.poll(() => [lane.present('card', card(first)).result, opens(first)], { interval: 300 }).toEqual([passed, true])
  await moveTheEnd()
  await openWall()
  await setTime('16:05')
  await refusedOnScreen('学生0')
  expect(opens(first)).toBe(false)
  await seenEverywhere(first)
  await letOut('学生1')
  await expect.poll(() => [lane.present('card', card(second)).result, opens(second)], { interval: 300 }).toEqual([passed, true])
  // The line to the gate is cut: what the terminals hold is all they have.
  await Promise.all([lane.stop(), turnstile.stop()])
  await setTime('16:20')
  expect([lane.present('card', card(second)).result, opens(second)]).toEqual([passed, true])
  await setTime('16:36')
  await refusedOnScreen('学生1')
  expect([lane.present('card', card(second)).result, opens(second)]).toEqual([not_now, false])
  await screen.getByText('离线').waitFor()
  expect(faults).toEqual([])
}, journey_ms)

/** From the rule to both terminals: what it does to whom is read before it is saved, and saved by the plan that was read. */
async function moveTheEnd(): Promise<void> {
  await page.goto(`${app.url}/StuRuleTime`)
  await page.getByRole('button', { name: '编辑时段' }).click()
  const dialog = page.getByRole('dialog', { name: '编辑时段：走读' })
  const end = dialog.getByRole('textbox', { name: '结束' }).nth(1)
  await end.fill('16:00')
  await end.press('Enter')
  await dialog.getByRole('button', { name: '预演' }).click()
  const plan = dialog.getByRole('region', { name: '预演结果' })
  await plan.getByText(`影响 ${class_size} 人、2 台设备`, { exact: false }).waitFor()
  expect(await plan.textContent()).toContain('新增拒绝 1 次，新增放行 0 次')
  expect(await axeFindings(page, '.ant-modal')).toEqual([])
  await picture(page, 'access-plan')
  const saved = page.waitForRequest(request => request.url().includes('/rule/update'))
  await dialog.getByRole('button', { name: '确认发布' }).click()
  expect((await saved).postDataJSON()).toMatchObject({ preview: false, plan_hash: expect.stringMatching(/^[0-9a-f]{8,}/u) })
  await dialog.waitFor({ state: 'detached' })
  const held = () => [lane.store.held('permission'), turnstile.store.permissions].map(rows => JSON.stringify([...rows.values()]))
  // The turnstile's periods end with their last minute.
  await expect.poll(() => held().map((text, at) => text.includes(at === 0 ? '15:00-16:00' : '15:00-15:59'))).toEqual([true, true])
  const waiting = sql<{ n: number }>`select count(*)::int as n from sync_person_v where school_id = ${school_id} and state <> 'applied'`
  await expect.poll(() => tenant(async db => (await waiting.execute(db)).rows)).toEqual([{ n: 0 }])
}

async function openWall(): Promise<void> {
  await wall.goto(`${app.url}/SchoolEnterExit`)
  await wall.locator('[data-ready="wall"]').waitFor()
}

/** Somebody holds his card to the terminal, as a person who stands before it. */
async function refusedOnScreen(name: string): Promise<void> {
  await screen.getByRole('button', { name: /刷卡$/u }).click()
  await screen.getByRole('searchbox').fill(name)
  await screen.getByRole('dialog').getByRole('button', { name: new RegExp(`^${name} ?XC`, 'u') }).click()
  const shown = screen.getByRole('status')
  await shown.getByText(name, { exact: true }).waitFor()
  expect(await shown.innerText()).toMatch(/不在时段[\s\S]*不在允许的时段/u)
  await picture(screen, 'access-screen')
}

/** The refusal on the wall, among the days of the pupil, and in the report with the pass behind it. */
async function seenEverywhere(user_id: string): Promise<void> {
  await wall.getByRole('region', { name: '通行记录' }).getByRole('button', { name: /学生0.*三年级1班.*不在时段/u }).first().waitFor()
  await picture(wall, 'access-wall')
  await page.goto(`${app.url}/PersonDetail?user_id=${user_id}`)
  await page.getByText('出校被拒：不在时段 · 南门').first().waitFor()
  await picture(page, 'access-days')
  await page.goto(`${app.url}/StudentsTurnover?tab=page&from=${day}&to=${day}&result=${not_now}`)
  await page.getByRole('row').filter({ hasText: '学生0' }).filter({ hasText: '不在时段' }).first().waitFor()
  await picture(page, 'access-report')
  await page.getByRole('button', { name: '查看 学生0 的通行' }).first().click()
  await page.getByRole('dialog', { name: '通行详情' }).getByText('不在时段').first().waitFor()
}

/** A one-off right of half an hour from now on. */
async function letOut(name: string): Promise<void> {
  await page.goto(`${app.url}/TemporaryRuleStudent`)
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '新增临时规则' })
  await dialog.getByRole('combobox', { name: '人员' }).fill(name)
  await page.locator('.person-option').filter({ hasText: `${name} XC` }).first().click()
  await dialog.getByRole('button', { name: '30分钟' }).click()
  await dialog.getByRole('textbox', { name: '原因' }).fill('外出就医')
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: name }).getByText('生效中').waitFor()
}
