import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { freshmenApi, freshmenSeasonApi, registerPublicApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { openSchool } from '../testing/changer.ts'
import { enroller } from '../testing/enroller.ts'

const a = 1001
const hour_ms = 3_600_000
const codes = ['people.freshmen.view', 'people.freshmen.config', 'people.freshmen.review', 'people.student.view']
let app: TestApp
let clerk: TestUser
let desk: ReturnType<typeof enroller>

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  await openSchool(app, a)
  clerk = await app.as({ school_id: a, codes })
  desk = enroller(app, a, () => clerk)
})
afterAll(() => app.close())

const as = () => ({ token: clerk.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const wrong = ({ body }: Answer) => Object.fromEntries((body.data && typeof body.data === 'object' && 'errors' in body.data && Array.isArray(body.data.errors) ? body.data.errors : []).map(({ field, msg }) => [field, msg]))

describe('a season', () => {
  test('is set, opened, closed and opened again; anything else is refused', async () => {
    const season = dataOf(freshmenSeasonApi.save, await desk.save(desk.draft()))
    expect(season).toMatchObject({ state: 'draft', is_open: false, lottery_seed_hash: null, lottery_seed: null })
    expect(dataOf(freshmenSeasonApi.numbers, await app.call(freshmenSeasonApi.numbers, { prefix: '202601', digits: 2, start: 1 }, as())).list).toEqual(['20260103', '20260104', '20260105'])
    expect((await app.call(registerPublicApi.look, { key: season.register_key })).status).toBe(404)
    expect(refusal(await desk.turn(season, 'closed'))[1]).toBe('people.seasonTurn')
    const open = dataOf(freshmenSeasonApi.turn, await desk.turn(season, 'open'))
    expect(open).toMatchObject({ state: 'open', is_open: true, lottery_seed: null })
    expect(open.lottery_seed_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(refusal(await desk.turn(season, 'closed'))[1]).toBe('people.staleRow')
    const closed = dataOf(freshmenSeasonApi.turn, await desk.turn(open, 'closed'))
    const again = dataOf(freshmenSeasonApi.turn, await desk.turn(closed, 'open'))
    expect(again.lottery_seed_hash).toBe(open.lottery_seed_hash)
    expect(refusal(await desk.save(desk.draft({ school_year: open.school_year })))[1]).toBe('people.seasonTaken')
  })

  test('shows families its form, and what its lottery rests on but not the seed', async () => {
    const season = await desk.opened({ form_fields: [{ field_code: 'from_school', shown: true, required: true }, { field_code: 'twin', shown: false, required: false }] })
    const form = dataOf(registerPublicApi.look, await app.call(registerPublicApi.look, { key: season.register_key }))
    expect(form).toMatchObject({ kind: 'season', is_open: true, materials: [{ name: '户口簿', upload: 'none' }, { name: '预防接种证', upload: 'none' }], lottery: { seed_hash: season.lottery_seed_hash, seed: null } })
    expect(form.fields[0]).toMatchObject({ field_code: 'from_school', required: true })
    expect(form.fields.map(field => field.field_code)).toEqual(expect.arrayContaining(['user_name', 'id_no', 'guardian']))
    expect(form.fields.some(field => field.field_code === 'twin')).toBe(false)
    expect(wrong(await desk.submit(season))).toEqual({ from_school: '必填项不能为空' })
  })
})

describe('applying', () => {
  test('before the opening and one second after the end nothing is taken', async () => {
    const start = app.clock.now().getTime()
    const later = await desk.opened({ open_at: new Date(start + hour_ms).toISOString(), close_at: new Date(start + 2 * hour_ms).toISOString() })
    expect(refusal(await desk.submit(later))).toEqual([409, 'people.seasonClosed', '不在报名时间内'])
    const short = await desk.opened({ close_at: new Date(start + 1000).toISOString() })
    expect((await desk.submit(short)).status).toBe(200)
    app.clock.advance(1000)
    expect(refusal(await desk.submit(short))).toEqual([409, 'people.seasonClosed', '不在报名时间内'])
  })

  test('what is wrong stands with its field; a 15-digit number and a day outside the bounds are refused', async () => {
    const season = await desk.opened({ min_birthday: '2018-09-01', max_birthday: '2019-08-31' })
    expect(wrong(await desk.submit(season, desk.child({ sex: '不明', user_name: '' }), '123'))).toEqual({ mobile: '手机号格式不正确', sex: '字典值不存在', user_name: '必填项不能为空' })
    expect(wrong(await desk.submit(season, desk.child({ id_type: '居民身份证', id_no: '370200190708002', birthday: '' })))).toMatchObject({ id_no: '身份证号格式不正确' })
    expect(wrong(await desk.submit(season, desk.child({ birthday: '2019-09-01' })))).toEqual({ birthday: '出生日期须在2019-08-31或之前' })
    expect((await desk.submit(season, desk.child({ birthday: '2019-08-31' }))).status).toBe(200)
  })

  test('one number applies once; two at the same moment make one application', async () => {
    const season = await desk.opened()
    const twice = desk.child()
    const answers = await Promise.all([desk.submit(season, twice), desk.submit(season, twice)])
    expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
    expect(refusal(await desk.submit(season, twice))).toEqual([409, 'people.applyDup', '该证件号已报名'])
    const [row] = await desk.page(season.id)
    expect((await desk.giveUp([row?.id ?? ''])).status).toBe(200)
    expect((await desk.submit(season, twice)).status).toBe(200)
  })

  test('the number is kept sealed and shown masked; the state is told to who knows its last four signs', async () => {
    const season = await desk.opened()
    const row = await desk.applied(season, desk.child({ id_type: '居民身份证', id_no: '370200201907080025', birthday: '', sex: '女' }))
    expect(row).toMatchObject({ birthday: '2019-07-08', state: '1' })
    const kept = await app.running.database.tenant<PeopleDb, unknown[]>(a, async db => (await sql`select * from freshmen_apply where apply_no = ${row.apply_no}`.execute(db)).rows)
    for (const told of [kept, row, dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: row.id }, as()))]) expect(JSON.stringify(told)).not.toContain('370200201907080025')
    expect(dataOf(registerPublicApi.act, await desk.status(season, row.apply_no, '0025'))).toMatchObject({ state: '1', state_label: '待审核' })
    expect(refusal(await desk.status(season, row.apply_no, '0026'))).toEqual(refusal(await desk.status(season, 'F20260101000000', '0025')))
  })
})

describe('reviewing', () => {
  test('what was sent back can be corrected by whoever has its mobile, and is reviewed anew', async () => {
    const season = await desk.opened()
    const values = desk.child()
    const row = await desk.applied(season, values, '16939990001')
    expect((await desk.refuse([row.id])).status).toBe(200)
    expect(dataOf(registerPublicApi.act, await desk.status(season, row.apply_no, values.id_no?.slice(-4).padStart(4, '0') ?? '')).reason).toBe('户口簿不清晰')
    expect(refusal(await desk.submit(season, values, '16939990002'))[1]).toBe('people.applyDup')
    expect(dataOf(registerPublicApi.act, await desk.submit(season, { ...values, guardian: '林二海' }, '16939990001')).apply_no).toBe(row.apply_no)
    const [again] = await desk.page(season.id)
    expect(again).toMatchObject({ id: row.id, state: '1', guardian: '林二海', reason: null })
    expect((await desk.pass([row.id])).status).toBe(200)
    expect(refusal(await desk.refuse([row.id]))[1]).toBe('people.freshmanState')
  })

  test('two levels are passed by two people', async () => {
    const season = await desk.opened({ review_levels: 2 })
    const row = await desk.applied(season)
    expect((await desk.pass([row.id])).status).toBe(200)
    expect((await desk.page(season.id))[0]).toMatchObject({ state: '1', review_level: 1 })
    expect(refusal(await desk.pass([row.id]))[1]).toBe('people.secondPerson')
    const second = await app.as({ school_id: a, codes })
    expect((await desk.pass([row.id], { token: second.token })).status).toBe(200)
    expect((await desk.page(season.id))[0]?.state).toBe('2')
    expect(dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: row.id }, as())).reviews.map(review => [review.level, review.verdict])).toEqual([[1, 'pass'], [2, 'pass']])
  })

  test('a child who has a file and brothers or sisters in the school are shown; a strict season does not pass the former', async () => {
    const season = await desk.opened({ dup_policy: 'block' })
    const known = desk.child({ user_name: '王子涵', sex: '男', id_type: '居民身份证', id_no: '370200202005120019', birthday: '' })
    const row = await desk.applied(season, known, '16900000001')
    const file = dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: row.id }, as()))
    expect(file.known).toMatchObject({ user_name: '王子涵', label: '一年级1班' })
    expect(file.siblings).toMatchObject([{ user_name: '王子轩', label: '一年级1班' }])
    expect(refusal(await desk.pass([row.id]))[1]).toBe('people.freshmanKnown')
  })

  test('no state is reached but by its own edge', async () => {
    const season = await desk.opened()
    const row = await desk.applied(season)
    expect(refusal(await desk.admit([row.id]))[1]).toBe('people.freshmanState')
    await desk.pass([row.id])
    expect((await desk.admit([row.id], false)).status).toBe(200)
    for (const act of [desk.pass, desk.refuse, desk.admit, desk.giveUp]) expect(refusal(await act([row.id]))[1]).toBe('people.freshmanState')
  })
})

describe('admitting', () => {
  test('20-A31 fifty at once on ten places: exactly ten are admitted, forty are told that the places are gone', async () => {
    const season = await desk.opened({ quota: 10 })
    const rows = []
    for (let at = 0; at < 50; at++) rows.push(await desk.applied(season))
    await desk.pass(rows.map(row => row.id))
    const answers = await Promise.all(rows.map(row => desk.admit([row.id])))
    expect(answers.filter(answer => answer.status === 200)).toHaveLength(10)
    expect(answers.filter(answer => answer.status === 409).map(refusal)).toEqual(Array.from({ length: 40 }, () => [409, 'people.quotaFull', '录取名额已满']))
    expect((await desk.read(season.id)).counts).toMatchObject({ 2: 40, 4: 10 })
    const [admitted] = await desk.page(season.id, { state: '4' })
    await desk.giveUp([admitted?.id ?? ''])
    expect((await desk.admit([(await desk.page(season.id, { state: '2' }))[0]?.id ?? ''])).status).toBe(200)
  }, 60_000)
})
