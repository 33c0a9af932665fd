import { Desk, JdevTerminal, openFace, real_clock, Vf105Terminal } from '@apps/terminal'
import { accessRoutes, deptRuleApi, ruleApi } from '@campus/access/contract'
import { declareCredentials } from '@campus/devices/server'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf } from '../apps/server/testing/request.ts'
import { buildClassAndGates } from '../domains/access/server/builders.ts'
import { calm, openBrowser, openPage, picture } from './browser.ts'
import type { JourneyBrowser } from './browser.ts'
import { axeFindings, crawl } from './crawl.ts'
import { startGateDay } from './gate-day.ts'
import type { GateDay } from './gate-day.ts'

const [class_size, day] = [52, '2026-11-20'] as const
const [passed, not_now] = [1, 3] as const
const [six, nine, three, five] = [360, 540, 900, 1020] as const
const [journey_ms, patience_ms] = [400_000, 90_000] as const
const patiently = { interval: 300, timeout: patience_ms }
let gate_day: GateDay
let browser: JourneyBrowser
let page: Page
let wall: Page
let screen: Page
let faults: string[]
let lane: JdevTerminal
let turnstile: Vf105Terminal
let closeScreen: () => Promise<void> = () => Promise.resolve()

const as = () => ({ token: gate_day.me.token })
const card = (user_id: string) => `CARD${user_id}`
const setTime = (time: string) => gate_day.setTime(`${day}T${time}:00+08:00`, [lane, turnstile.device], [page, wall])
const opens = (user_id: string) => {
  const before = turnstile.device.counters.opened
  turnstile.device.present('200', card(user_id))
  return turnstile.device.counters.opened > before
}
/** What the terminals of both protocols make of his card. */
const passes = (user_id: string) => [lane.present('card', card(user_id)).result, opens(user_id)]

beforeAll(async () => {
  gate_day = await startGateDay(`${day}T15:50:00+08:00`, (app, school_id) =>
    app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
      buildClassAndGates(db, app.running.app, school_id, { size: class_size, prefix: 'XC' }),
    ),
  )
  browser = await openBrowser()
  ;({ page, faults } = await openPage(await browser.newContext({ ...calm })))
  wall = await page.context().newPage()
  screen = await (await browser.newContext({ ...calm })).newPage()
  for (const one of [page, wall, screen]) one.setDefaultTimeout(patience_ms)
  await openTerminals()
  await goByRule()
  await setTime('15:58')
  const face = await openFace(new Desk(lane, real_clock), { port: 0 })
  closeScreen = face.close
  await screen.goto(face.url)
}, journey_ms)
afterAll(async () => {
  await browser?.close()
  await closeScreen()
  await Promise.all([lane?.stop(), turnstile?.stop()])
  await gate_day?.app.close()
})

/** One terminal of each protocol at the gate, with the cards of the class. */
async function openTerminals(): Promise<void> {
  const { app, me, pupils, tenant, wayOf } = gate_day
  lane = new JdevTerminal(await wayOf('XCOUT', 'JD-F10', 2))
  turnstile = new Vf105Terminal(await wayOf('XCTURN', 'VF105', 2))
  await setTime('15:50')
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
  await tenant(db => declareCredentials({ app: app.running.app, db, school_id: me.school_id, now: app.clock.now() }, cards))
}

/** The class goes home from three to five since the beginning of term; on the Wednesday of last week somebody went at twenty past four. */
async function goByRule(): Promise<void> {
  const { app, me, class_id, gate, pupils, tenant } = gate_day
  const { school_id } = me
  const every_day = { day_match: 5, week_flags: null }
  const period = (direction: 1 | 2, begin_min: number, end_min: number) => ({ direction, ...every_day, begin_min, end_min })
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
      select ${school_id}, '2026-11-18'::date, d.device_id, 'last week', ${gate}, 2, ${pupils[0]}, 1, 2, 1,
        ${at}, ${at}, ${at}, 0, ${'0'.repeat(16)}
      from device d where d.school_id = ${school_id} and d.device_sn = 'XCOUT' on conflict do nothing`.execute(db),
  )
}

test('a rule’s end moves, planned and acknowledged; at 16:05 a swipe is refused, seen everywhere; a right ends without a line', async () => {
  const [first = '', second = ''] = gate_day.pupils
  await gate_day.signIn(page)
  await expect.poll(() => passes(first), patiently).toEqual([passed, true])
  await moveTheEnd()
  await openWall()
  await setTime('16:05')
  await refusedOnScreen('学生0')
  expect(opens(first)).toBe(false)
  await seenEverywhere(first)
  await letOut('学生1')
  await expect.poll(() => passes(second), patiently).toEqual([passed, true])
  // From here on the clock jumps, and a console that slept through it is let in anew.
  expect(faults).toEqual([])
  // The line to the gate is cut: what the terminals hold is all they have.
  await Promise.all([lane.stop(), turnstile.stop()])
  await setTime('16:20')
  expect(passes(second)).toEqual([passed, true])
  await setTime('16:36')
  await refusedOnScreen('学生1')
  expect(passes(second)).toEqual([not_now, false])
  await screen.getByText('离线').waitFor()
}, journey_ms)

/** From the rule to both terminals: what it does to whom is read before it is saved, and saved by the plan that was read. */
async function moveTheEnd(): Promise<void> {
  await page.goto(`${gate_day.app.url}/StuRuleTime`)
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
  const has_new_end = () => held().map((text, at) => text.includes(at === 0 ? '15:00-16:00' : '15:00-15:59'))
  await expect.poll(has_new_end, { timeout: patience_ms }).toEqual([true, true])
  const finished = async () => {
    await page.goto(`${gate_day.app.url}/StuRuleTime`)
    await page.getByRole('tab', { name: '送达' }).click()
    const receipts = page.getByRole('region', { name: '送达情况' })
    await receipts.waitFor()
    return receipts.getByText('完成', { exact: true }).count()
  }
  await expect.poll(finished, { timeout: patience_ms }).toBe(2)
  await picture(page, 'access-receipts')
}

async function openWall(): Promise<void> {
  await wall.goto(`${gate_day.app.url}/SchoolEnterExit`)
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
  await page.goto(`${gate_day.app.url}/PersonDetail?user_id=${user_id}`)
  await page.getByText('出校被拒：不在时段 · 南门').first().waitFor()
  await picture(page, 'access-days')
  await page.goto(`${gate_day.app.url}/StudentsTurnover?tab=page&from=${day}&to=${day}&result=${not_now}`)
  await page.getByRole('row').filter({ hasText: '学生0' }).filter({ hasText: '不在时段' }).first().waitFor()
  await picture(page, 'access-report')
  await page.getByRole('button', { name: '查看 学生0 的通行' }).first().click()
  await page.getByRole('dialog', { name: '通行详情' }).getByText('不在时段').first().waitFor()
}

/** A one-off right of half an hour from now on. */
async function letOut(name: string): Promise<void> {
  await page.goto(`${gate_day.app.url}/TemporaryRuleStudent`)
  await page.getByRole('button', { name: '新增', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '新增临时规则' })
  await dialog.getByRole('button', { name: '30分钟' }).click()
  await dialog.getByRole('textbox', { name: '原因' }).fill('外出就医')
  await dialog.getByRole('combobox', { name: '人员' }).fill(name)
  await page.locator('.person-option').filter({ hasText: `${name} XC` }).first().click()
  // Several may be chosen: the list of people stays open until one goes on.
  await dialog.getByText('新增临时规则', { exact: true }).click()
  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row').filter({ hasText: name }).getByText('生效中').waitFor()
}

test('35-A36 every page of access is clean for axe, a rule is edited by keys alone, and the wall fits both sizes', async () => {
  const paths = accessRoutes.map(route => route.path)
  expect(paths).toHaveLength(19)
  expect(await crawl(page, gate_day.app.url, paths)).toEqual(paths.map(path => ({ path, faults: [] })))
  await editByKeys()
  for (const size of [{ width: 1366, height: 768 }, { width: 1920, height: 1080 }]) {
    await wall.setViewportSize(size)
    expect(await wall.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    // A refusal is told by sign and word, not by its colour alone.
    await wall.getByRole('region', { name: '通行记录' }).getByText(/✕ 不在时段/u).first().waitFor()
  }
}, journey_ms)

/** Tab, Enter and typing are enough from the list of rules to the published plan. */
async function editByKeys(): Promise<void> {
  await page.goto(`${gate_day.app.url}/StuRuleTime`)
  await page.getByRole('button', { name: '编辑时段' }).waitFor()
  await tabTo('编辑时段')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '编辑时段：走读' })
  await dialog.waitFor()
  for (let ends = 0; ends < 2; ends += 1) await tabTo('结束')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('16:30')
  await page.keyboard.press('Enter')
  await tabTo('预演')
  await page.keyboard.press('Enter')
  await dialog.getByText(`影响 ${class_size} 人`, { exact: false }).waitFor()
  await tabTo('确认发布')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('出 15:00–16:30 每天').first().waitFor()
}

/** Goes on by Tab until what is focused has this name. */
async function tabTo(name: string): Promise<void> {
  const named = `(() => {
    const at = document.activeElement
    return at?.getAttribute('aria-label') ?? at?.textContent?.replaceAll(' ', '') ?? ''
  })()`
  for (let steps = 0; steps < 120; steps += 1) {
    await page.keyboard.press('Tab')
    if ((await page.evaluate<string>(named)) === name) return
  }
  throw new Error(`${name} is not reached by Tab`)
}
