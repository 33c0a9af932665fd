import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { cardApi, cardLogApi, cloudCardApi, stockApi } from '@campus/cards/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const { a: school_id } = test_schools
let app: TestApp
let me: TestUser
let teacher: TestUser
let pupils: string[]

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  pupils = await makePupils()
})
afterAll(() => app.close())

/** Two classes with three pupils each; a teacher who sees the first class alone. */
async function makePupils(): Promise<string[]> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const made = await app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const drafts = Array.from({ length: 6 }, (_, at) => ({ user_name: `学生${at}`, student_no: `S00${at}`, sex: '1', enrol_month: '202409', dept_id: ids.get(at < 3 ? 'class 1' : 'class 2') ?? '', from: '2026-09-01' }))
    const enrolled = await enrolStudents(db, secrets, school_id, drafts)
    return { class_1: ids.get('class 1') ?? '', enrolled }
  })
  teacher = await app.as({ school_id, codes: ['cards.card.view', 'cards.card.loss'], scope: 'custom', scope_ids: [made.class_1] })
  return made.enrolled
}

const as = (who: TestUser = me) => ({ token: who.token })
const uid = (n: number) => (0x10_00_00_00 + n).toString(16).toUpperCase()
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const issue = (user_id: string, card_no: string, more: object = {}) => app.call(cardApi.issue, { user_id, card_no, ...more }, as())
const given = async (user_id: string, card_no: string, more: object = {}) => dataOf(cardApi.issue, await issue(user_id, card_no, more))
const cardsOf = async (keyword: string) => dataOf(cardApi.list, await app.call(cardApi.list, { keyword }, as())).list[0]?.cards ?? []
const count = (table: 'card_holding' | 'card_deposit_entry' | 'card_op', where: string) => app.running.database.tenant<unknown, number>(school_id, async db => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} where school_id = ${school_id} and ${sql.raw(where)}`.execute(db)
  return rows[0]?.n ?? 0
})

describe('races', () => {
  test('40-A1 twenty cards for one pupil at once: one is his, the others are refused, one deposit is booked', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => issue(pupils[0] ?? '', uid(at), { deposit: 1500 })))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(answers.filter(answer => answer.body.error_id === 'cards.holderHasCard')).toHaveLength(19)
    expect(await count('card_holding', `user_id = ${pupils[0]} and slot = 0 and ended_at is null`)).toBe(1)
    expect(await count('card_deposit_entry', `user_id = ${pupils[0]}`)).toBe(1)
  })

  test('40-A2 one card for six pupils at once: one has it, the others read 卡号已被占用', async () => {
    const answers = await Promise.all(pupils.slice(1).map(user_id => issue(user_id, uid(100))))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(1)
    expect(answers.filter(answer => answer.status !== 200).map(refusal)).toEqual(Array.from({ length: 4 }, () => [409, 'cards.cardInUse', '卡号已被占用']))
  })
})

describe('one card', () => {
  test('40-A10 numbers: the vectors are read, what is no number is refused at the field', async () => {
    const states = async (card_no: string) => dataOf(cardApi.state, await app.call(cardApi.state, { card_no }, as())).list[0]?.uid_hex
    expect(await Promise.all(['0713233758', '2A83155E', '0123456789', '２Ａ83155e'].map(states))).toEqual(['2A83155E', '2A83155E', '075BCD15', '2A83155E'])
    for (const wrong of ['4294967296', '123456789', '2A83155G']) expect((await app.call(cardApi.state, { card_no: wrong }, as())).body).toMatchObject({ code: 400, msg: '卡号格式不正确' })
  })

  test('lost, found, lost again, reissued: each step leaves one open card and its line in the journal', async () => {
    const user_id = pupils[4] ?? ''
    await app.call(stockApi.add, { card_no: uid(300) }, as())
    const held = (await cardsOf('S004'))[0] ?? { card_id: '' }
    const card_id = held.card_id === '' ? ((await given(user_id, uid(200))), (await cardsOf('S004'))[0]?.card_id ?? '') : held.card_id
    const lose = async () => dataOf(cardApi.loss, await app.call(cardApi.loss, { card_ids: [card_id], lost_reason: 1 }, as())).results[0]
    const first = await lose()
    expect((await lose())?.op_id).toBe(first?.op_id)
    expect((await cardsOf('S004'))[0]).toMatchObject({ state: '2', allowed_ops: ['cancel_loss', 'reissue', 'reissue_fast', 'revoke', 'void'], block: null })
    expect((await app.call(cardApi.cancelLoss, { card_id }, as())).status).toBe(200)
    expect(refusal(await app.call(cardApi.cancelLoss, { card_id }, as()))).toEqual([422, 'cards.notLost', '该卡未挂失，无法解挂'])
    expect(refusal(await app.call(cardApi.reissue, { old_card_id: card_id, card_no: uid(300) }, as()))).toEqual([422, 'cards.lossFirst', '请先挂失原卡'])
    const reissued = dataOf(cardApi.reissueFast, await app.call(cardApi.reissueFast, { old_card_id: card_id, card_no: uid(300) }, as()))
    expect(reissued.op_ids).toHaveLength(2)
    expect(await cardsOf('S004')).toMatchObject([{ state: '1', slot: 0 }])
    const log = dataOf(cardLogApi.page, await app.call(cardLogApi.page, { user_id }, as())).list.map(line => line.op)
    expect(log.slice(0, 4)).toEqual(expect.arrayContaining(['9', '2', '3']))
    expect(await count('card_holding', `user_id = ${user_id} and ended_at is null`)).toBe(1)
  })

  test('40-A9 an old swipe stays with who had the card then', async () => {
    const whose = await app.running.database.tenant<unknown, { user_id: string }[]>(school_id, async db =>
      (await sql<{ user_id: string }>`select user_id::text as user_id from cards_holding_at_v where school_id = ${school_id} and user_id = ${pupils[4]} order by issued_at`.execute(db)).rows)
    expect(whose.length).toBeGreaterThanOrEqual(2)
  })

  test('slave cards need the main one and a free place; taking the main one back asks for them', async () => {
    const user_id = pupils[5] ?? ''
    if ((await cardsOf('S005')).length === 0) await given(user_id, uid(400))
    for (const slot of [1, 2]) await given(user_id, uid(400 + slot), { slot })
    expect(refusal(await issue(user_id, uid(409), { slot: 3 }))).toEqual([409, 'cards.slaveFull', '副卡数量已达上限'])
    const main = (await cardsOf('S005')).find(card => card.slot === 0)?.card_id ?? ''
    expect(refusal(await app.call(cardApi.revoke, { card_ids: [main], returned: true }, as()))).toEqual([409, 'cards.slavesOpen', '该人员还有副卡未退'])
    expect((await app.call(cardApi.revoke, { card_ids: [main], returned: true, with_slaves: true }, as())).status).toBe(200)
    expect(await cardsOf('S005')).toEqual([])
  })

  test('40-A14 an issue can be taken back while nothing followed, by who made it', async () => {
    const { op_id } = await given(pupils[5] ?? '', uid(500), { deposit: 1000 })
    const other = await app.as({ school_id, codes: 'all', places: 'all' })
    expect((await app.call(cardApi.undo, { op_id }, as(other))).status).toBe(404)
    expect((await app.call(cardApi.undo, { op_id }, as())).status).toBe(200)
    expect(await cardsOf('S005')).toEqual([])
    expect(dataOf(cardApi.state, await app.call(cardApi.state, { card_no: uid(500) }, as())).list[0]).toMatchObject({ stock_state: 0, holder: null })
    expect(refusal(await app.call(cardApi.undo, { op_id }, as()))).toEqual([409, 'cards.undoBlocked', '卡片已使用，不能撤销'])
  })
})

test('40-A12 without the payment service the cloud calls change nothing and say so', async () => {
  const before = await app.checksum()
  const answer = await app.call(cloudCardApi.issue, { user_id: pupils[3] ?? '', card_no: uid(600) }, as())
  expect(refusal(answer)).toEqual([409, 'cards.cloudNotReady', '系统参数未进行初始化，请联系管理员'])
  expect(await app.checksum()).toBe(before)
})

test('40-A18 a class teacher loses a card of his own class alone, and cannot find it again', async () => {
  if ((await cardsOf('S001')).length === 0) await given(pupils[1] ?? '', uid(700))
  if ((await cardsOf('S003')).length === 0) await given(pupils[3] ?? '', uid(701))
  const own = (await cardsOf('S001'))[0]?.card_id ?? ''
  const foreign = (await cardsOf('S003'))[0]?.card_id ?? ''
  expect((await app.call(cardApi.loss, { card_ids: [foreign], lost_reason: 1 }, as(teacher))).status).toBe(404)
  expect((await app.call(cardApi.loss, { card_ids: [own], lost_reason: 1 }, as(teacher))).status).toBe(200)
  expect(refusal(await app.call(cardApi.cancelLoss, { card_id: own }, as(teacher))).slice(0, 1)).toEqual([403])
})

test('stock: a range comes in once, lost cards come back, a stocktake names what is missing and what is too much', async () => {
  const range = async () => dataOf(stockApi.range, await app.call(stockApi.range, { from_no: '20000000', to_no: '20000009' }, as()))
  expect([await range(), await range()]).toEqual([{ added: 10, present: 0 }, { added: 0, present: 10 }])
  expect((await app.call(stockApi.range, { from_no: '20000009', to_no: '20000000' }, as())).body).toMatchObject({ code: 422, msg: '结束卡号应不小于起始卡号' })
  const checked = dataOf(stockApi.check, await app.call(stockApi.check, { card_nos: ['20000000', '29999999'] }, as()))
  expect(checked.missing.map(row => row.uid_hex)).toEqual(expect.arrayContaining(['20000001', '20000009']))
  expect(checked.surplus).toMatchObject([{ card_no: '29999999', stock_state: null }])
})
