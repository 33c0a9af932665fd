import { JdevTerminal } from '@apps/terminal'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { cardApi, cardLogApi, socialApi } from '@campus/cards/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareGrants, declareSubjects } from '@campus/devices/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id, b: other_school } = test_schools
const day_ms = 86_400_000
const terminals: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let pupils: string[]
let near: JdevTerminal
let far: JdevTerminal
let port: number
const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: Parameters<typeof createDepts>[0]) => Promise<R>) => app.running.database.tenant(school_id, work)
const uid = (n: number) => (0x50_00_00_00 + n).toString(16).toUpperCase()
const pupil = (at: number) => pupils[at] ?? ''
const give = async (at: number, card_no: string, more: object = {}) => {
  const answer = await app.call(cardApi.issue, { user_id: pupil(at), card_no, ...more }, as())
  return dataOf(cardApi.issue, answer)
}
const cardOf = async (at: number) => dataOf(cardApi.list, await app.call(cardApi.list, { keyword: `S00${at}` }, as())).list[0]?.cards[0]
const lose = async (card_id: string) => {
  const answer = await app.call(cardApi.loss, { card_ids: [card_id], lost_reason: 1 }, as())
  return dataOf(cardApi.loss, answer).results[0]
}
/** Cards of a pupil that a terminal holds. */
const heldBy = (terminal: JdevTerminal, at: number) =>
  [...terminal.store.held('credential').values()]
    .filter(row => row.body?.kind === 'card' && row.body.user_id === pupil(at))
    .map(row => row.body?.code)
    .toSorted()

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  pupils = await makePupils()
  port = await app.running.listenToDevices()
  near = await gate('近门')
  far = await gate('远门')
})
afterAll(async () => {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
})

async function makePupils(): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const grade = { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }
    const room = { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }
    const ids = await createDepts(db, school_id, [grade, room], '2026-09-01')
    const drafts = Array.from({ length: 5 }, (_, at) => ({
      user_name: `学生${at}`,
      student_no: `S00${at}`,
      sex: '1',
      id_type: 'A',
      id_no: `SC${at}`,
      enrol_month: '202409',
      dept_id: ids.get('class') ?? '',
      from: '2026-09-01',
    }))
    return enrolStudents(db, app.running.app.secrets, school_id, drafts)
  })
}

/** A gate with a terminal, which all pupils may pass. */
async function gate(name: string): Promise<JdevTerminal> {
  const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: name, place_kind: 9 }, as()))
  const sn = `K${terminals.length}`
  const made = { device_sn: sn, device_name: name, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, made, as()))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  const to = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    const subjects = pupils.map((user_id, at) => ({ user_id, person_kind: 1, user_no: `S00${at}`, user_name: `学生${at}`, dept_name: null, live: true }))
    await declareSubjects(by, subjects)
    const window = { from: new Date(0).toISOString(), to: to.toISOString() }
    const grant = { place_id: place.place_id, direction: 3 as const, windows: [window], source: 'access', version: 1, expires_at: to }
    await declareGrants(by, pupils.map(user_id => ({ ...grant, user_id, source_ref: `${sn} ${user_id}` })))
  })
  return terminal
}

test('40-A3 loss, finding and reissue of one card at once leave one open card, and the terminals hold just it', async () => {
  await give(0, uid(1))
  const card_id = (await cardOf(0))?.card_id ?? ''
  const acts = Array.from({ length: 8 }, (_, at) => [
    lose(card_id).catch(() => null),
    app.call(cardApi.cancelLoss, { card_id }, as()),
    app.call(cardApi.reissueFast, { old_card_id: card_id, card_no: uid(10 + at) }, as()),
  ])
  await Promise.all(acts.flat())
  const open = await tenant(async db => (await sql<{ uid_hex: string; state: number }>`
    select uid_hex, state::int as state from cards_live_v where school_id = ${school_id} and user_id = ${pupil(0)}`.execute(db)).rows)
  expect(open).toHaveLength(1)
  const good = open.filter(one => one.state === 1).map(one => one.uid_hex)
  for (const terminal of [near, far]) await expect.poll(() => heldBy(terminal, 0), { timeout: 20_000 }).toEqual(good)
})

test('40-A5 a lost card is never said to be blocked at a terminal that is off; when it comes back it forgets the card', async () => {
  await give(1, uid(30))
  for (const terminal of [near, far]) await expect.poll(() => heldBy(terminal, 1), { timeout: 20_000 }).toEqual([uid(30)])
  await far.stop()
  const card_id = (await cardOf(1))?.card_id ?? ''
  const op_id = (await lose(card_id))?.op_id ?? ''
  await expect.poll(async () => (await cardOf(1))?.block, { timeout: 20_000 }).toMatchObject({ total: 2, done: 1 })
  const blocks = async () => dataOf(cardLogApi.blocks, await app.call(cardLogApi.blocks, { op_id }, as())).list
  expect((await blocks()).filter(one => one.acked_at === null)).toMatchObject([{ device_name: '远门' }])
  expect(heldBy(far, 1)).toEqual([uid(30)])
  await far.start()
  await expect.poll(async () => (await cardOf(1))?.block, { timeout: 30_000 }).toMatchObject({ total: 2, done: 2 })
  expect(heldBy(far, 1)).toEqual([])
})

test('40-A8 a lost card that opened a door offline is found by itself, whenever the terminal says so', async () => {
  await give(2, uid(40))
  await expect.poll(() => heldBy(far, 2), { timeout: 20_000 }).toEqual([uid(40)])
  await far.stop()
  await lose((await cardOf(2))?.card_id ?? '')
  expect(far.present('card', uid(40)).result).toBe(1)
  await far.start()
  const uses = async () => dataOf(cardLogApi.used, await app.call(cardLogApi.used, {}, as())).list.map(one => one.user_name)
  await expect.poll(() => heldBy(far, 2), { timeout: 30_000 }).toEqual([])
  app.clock.advance(11 * 60_000)
  await expect.poll(uses, { timeout: 30_000 }).toContain('学生2')
})

test('40-A11 a card passes on its last day and is refused at midnight by a terminal without its server; a later last day reaches it', async () => {
  const today = schoolDay(app.clock.now())
  const midnight = new Date(`${today}T24:00:00+08:00`).getTime()
  await give(4, uid(70), { valid_to: today })
  await expect.poll(() => heldBy(near, 4), { timeout: 20_000 }).toEqual([uid(70)])
  await near.stop()
  const presentAt = (at: number) => {
    near.faults.clock_offset_ms += at - near.now.getTime()
    return near.present('card', uid(70))
  }
  expect(presentAt(midnight - 60_000)).toMatchObject({ result: 1 })
  expect(presentAt(midnight)).toMatchObject({ result: 2, reason: 'expired' })
  near.faults.clock_offset_ms = 0
  await near.start()
  const valid_to = schoolDay(new Date(midnight + day_ms))
  await app.call(cardApi.renew, { card_ids: [(await cardOf(4))?.card_id ?? ''], valid_to }, as())
  const until = () => [...near.store.held('credential').values()].find(row => row.body?.code === uid(70))?.body?.until
  await expect.poll(until, { timeout: 20_000 }).toBe(new Date(`${valid_to}T24:00:00+08:00`).toISOString())
})

test('40-A17 social cards by themselves: bound, bound already, of nobody, somebody else’s; the number stays masked', async () => {
  const read = (at: number, social_no: string, card_no: string) => ({ id_no: `SC${at}`, social_no, card_no })
  const lane = async (wish: ReturnType<typeof read>) => dataOf(socialApi.autoIssue, await app.call(socialApi.autoIssue, wish, as())).lane
  expect(await lane(read(0, 'SOC000001', uid(60)))).toBe('done')
  expect(await lane(read(0, 'SOC000001', uid(60)))).toBe('already')
  expect(await lane(read(9, 'SOC000009', uid(61)))).toBe('unmatched')
  expect(await lane(read(1, 'SOC000001', uid(62)))).toBe('mismatch')
  const page = await app.call(socialApi.list, {}, as())
  expect(new TextDecoder().decode(page.bytes)).not.toContain('SOC000001')
  const logged = await tenant(db => sql`select 1 as found from operation_log where school_id = ${school_id} and operation_log::text like '%SOC000001%'`.execute(db))
  expect(logged.rows).toEqual([])
})

test('40-A32 one number in two schools is two cards; a card of another school answers 404', async () => {
  const other = await app.as({ school_id: other_school, codes: 'all', places: 'all' })
  await give(3, uid(50))
  const card_id = (await cardOf(3))?.card_id ?? ''
  const [foreign, unknown] = await Promise.all([card_id, '999999999'].map(id => app.call(cardApi.loss, { card_ids: [id], lost_reason: 1 }, as(other))))
  const told = [foreign, unknown].map(answer => [answer?.status, answer?.body.error_id, answer?.body.msg])
  expect(told[0]).toEqual(told[1])
  expect(told[0]?.[0]).toBe(404)
  expect(dataOf(cardApi.state, await app.call(cardApi.state, { card_no: uid(50) }, as(other))).list[0]).toMatchObject({ stock_state: null })
})
