import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { changeApi, freshmenArrivalApi, freshmenPlaceApi, freshmenSeasonApi, studentApi } from '@campus/people/contract'
import type { FreshmanRow, FreshmenSeason } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changer, openSchool } from '../testing/changer.ts'
import { enroller } from '../testing/enroller.ts'

const a = 1001
const codes = ['people.freshmen.view', 'people.freshmen.config', 'people.freshmen.review', 'people.freshmen.place', 'people.freshmen.checkin', 'people.student.view', 'people.change.view', 'people.change.undo', 'people.change.run']
let app: TestApp
let clerk: TestUser
let desk: ReturnType<typeof enroller>
let class_2: string

beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '1000' } })
  class_2 = (await openSchool(app, a)).class_2
  clerk = await app.as({ school_id: a, codes })
  desk = enroller(app, a, () => clerk)
})
afterAll(() => app.close())

const as = () => ({ token: clerk.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const checkin = (season_id: string, code: string) => app.call(freshmenArrivalApi.checkin, { season_id, code }, as())
const pupils = async () => dataOf(studentApi.list, await app.call(studentApi.list, { dept_id: class_2, page_size: '100' }, as())).list

/** Children who are admitted and have class 2; the numbers of the school begin with those that are taken there. */
async function placed(children: Record<string, string>[]): Promise<{ season: FreshmenSeason; rows: FreshmanRow[] }> {
  const season = await desk.opened({ class_plan: { dept_ids: [class_2] } })
  const rows = []
  for (const values of children) rows.push(await desk.applied(season, values))
  await desk.pass(rows.map(row => row.id))
  await desk.admit(rows.map(row => row.id))
  await desk.turn(season, 'closed')
  const { run_id } = dataOf(freshmenPlaceApi.run, await app.call(freshmenPlaceApi.run, { season_id: season.id }, as()))
  await app.call(freshmenPlaceApi.adopt, { run_id }, as())
  return { season, rows }
}

test('20-A31 checked in twice, also at the same moment, a child is one pupil with one number and one command', async () => {
  const { season, rows } = await placed([desk.child({ id_type: '居民身份证', id_no: '370200201907080025', birthday: '', sex: '女', user_name: '陈一诺' }), desk.child()])
  const [row] = rows
  const before = (await pupils()).length
  const answers = await Promise.all([checkin(season.id, row?.apply_no ?? ''), checkin(season.id, '370200201907080025'), checkin(season.id, row?.apply_no.toLowerCase() ?? '')])
  expect(answers.map(answer => answer.status)).toEqual([200, 200, 200])
  const told = answers.map(answer => dataOf(freshmenArrivalApi.checkin, answer))
  expect(told.map(one => one.is_repeat).toSorted()).toEqual([false, true, true])
  expect(new Set(told.map(one => one.row.user_id)).size).toBe(1)
  expect(told[0]?.row).toMatchObject({ state: '6', dept_name: '一年级2班', student_no: `${season.number_rule.prefix}0001` })
  const now = await pupils()
  expect(now.length).toBe(before + 1)
  expect(now.find(pupil => pupil.user_name === '陈一诺')).toMatchObject({ sex: '2', study_method: '1', parents: [{ user_name: '林大海', relation: '51', is_first: true }] })
  const { list } = dataOf(changeApi.page, await app.call(changeApi.page, { user_id: told[0]?.row.user_id ?? '' }, as()))
  expect(list.map(command => command.kind)).toEqual(['ENROL'])
  expect(dataOf(freshmenArrivalApi.checkin, await checkin(season.id, rows[1]?.apply_no ?? '')).row.student_no).toBe(`${season.number_rule.prefix}0002`)
})

test('whose enrolment is taken back can arrive again', async () => {
  const { season, rows } = await placed([desk.child()])
  const code = rows[0]?.apply_no ?? ''
  const { row } = dataOf(freshmenArrivalApi.checkin, await checkin(season.id, code))
  const { list } = dataOf(changeApi.page, await app.call(changeApi.page, { user_id: row.user_id ?? '' }, as()))
  expect((await changer(app, clerk).undo(list[0]?.command_id ?? '')).status).toBe(200)
  expect((await desk.page(season.id))[0]).toMatchObject({ state: '4', user_id: null, dept_name: '一年级2班' })
  expect(dataOf(freshmenArrivalApi.checkin, await checkin(season.id, code))).toMatchObject({ is_repeat: false, row: { state: '6' } })
})

test('nobody arrives who is not on the list, not admitted, or without a class', async () => {
  const season = await desk.opened()
  expect(refusal(await checkin(season.id, 'F20260101000000'))).toEqual([404, 'people.freshmanUnknown', '没有找到该新生，请核对报名编号或证件号'])
  const row = await desk.applied(season)
  expect(refusal(await checkin(season.id, row.apply_no))[1]).toBe('people.freshmanState')
  await desk.pass([row.id])
  await desk.admit([row.id])
  expect(refusal(await checkin(season.id, row.apply_no))[1]).toBe('people.freshmanNoClass')
  await desk.giveUp([row.id])
  expect(refusal(await checkin(season.id, row.apply_no))[1]).toBe('people.freshmanState')
})

test('a child who has a file already is not enrolled a second time', async () => {
  const { season, rows } = await placed([desk.child({ id_type: '居民身份证', id_no: '370200202005120019', birthday: '', sex: '男', user_name: '王子涵' })])
  expect(refusal(await checkin(season.id, rows[0]?.apply_no ?? ''))[1]).toBe('people.idNoTaken')
  expect((await desk.page(season.id))[0]?.state).toBe('4')
})

test('20-A28 the list is exported as it is filtered, no number of it whole, nor the one that was searched for', async () => {
  const [id_no, mobile] = ['370200201907080068', '16930007777']
  const season = await desk.opened()
  const row = await desk.applied(season, desk.child({ id_type: '居民身份证', id_no, birthday: '', sex: '女' }), mobile)
  await desk.applied(season)
  const sheet = async (query: object) => {
    const answer = await app.call(freshmenArrivalApi.export, { season_id: season.id, ...query }, as())
    return sheetLines(answer)
  }
  for (const query of [{ state: '1' as const }, { keyword: id_no }, { keyword: mobile }]) {
    const lines = await sheet(query)
    const line = lines.find(([apply_no]) => apply_no === row.apply_no)
    expect(line?.slice(4, 7)).toEqual(['370***********0068', '林大海', '169****7777'])
    expect([id_no, mobile].filter(number => JSON.stringify(lines).includes(number))).toEqual([])
  }
  expect((await sheet({ state: '4' })).some(([apply_no]) => apply_no === row.apply_no)).toBe(false)
})

test('a season that was changed meanwhile is told', async () => {
  const season = await desk.opened()
  expect(refusal(await app.call(freshmenSeasonApi.turn, { id: season.id, row_version: 0, state: 'finished' }, as()))[1]).toBe('people.staleRow')
})
