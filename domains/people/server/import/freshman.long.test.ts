import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import { freshmenApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSchool } from '../testing/changer.ts'
import { enroller } from '../testing/enroller.ts'
import { contents, importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'

const school_id = 1001
const codes = ['people.freshmen.view', 'people.freshmen.config', 'people.freshmen.review', 'people.student.view', 'people.freshmen.import']
let app: TestApp
let clerk: TestUser
let desk: ReturnType<typeof enroller>
let by: ReturnType<typeof importer>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  desk = enroller(app, school_id, () => clerk)
  by = importer(app, clerk)
})
afterAll(() => app.close())

const as = () => ({ token: clerk.token })
/** A line with a document nobody else has. */
const line = (more: Line = {}): Line => {
  made += 1
  return { user_name: '陈一诺', sex: '女', id_type: '护照', id_no: `FI${made}`, stage: '小学', guardian: '陈立新', guardian_mobile: `1695${String(made).padStart(7, '0')}`, ...more }
}
const resident = { id_type: '居民身份证', id_no: '370200201907080025' }
const applications = async () => (await contents(app.running.database, school_id)).filter(row => /^freshmen_(?:apply|review)/.test(row))
const told = async (batch_no: string) => (await by.rows(batch_no)).map(row => Object.fromEntries(row.errors.map(({ prop, msg }) => [prop, msg])))

describe('the sheet of freshmen', () => {
  test('every wrong cell says what is wrong with it; nothing is entered while a line is wrong', async () => {
    const season = await desk.opened({ min_birthday: '2018-09-01', max_birthday: '2019-08-31' })
    const taken = await desk.applied(season, desk.child({ id_no: 'FITAKEN' }))
    const before = await applications()
    const { batch_no, ...counts } = await by.dryRun('freshman', [
      line({ user_name: '', guardian: '陈,立新', guardian_mobile: '1690000' }),
      line({ sex: '不明', id_type: '借书证', stage: '大学', board: '也许', hukou_division: '999999' }),
      line({ ...resident, id_no: '370200190708002' }),
      line({ ...resident, id_no: '370200201913080025' }),
      line({ ...resident, sex: '男' }),
      line({ ...resident, id_no: '370200201908310024' }),
      line({ ...resident, id_no: '370200201909010019', sex: '男' }),
      line({ id_no: 'FITWICE' }), line({ id_no: 'FITWICE', user_name: '陈二诺' }),
      line({ id_no: 'FITAKEN' }), line({ stage: '初中' }), line({ from_school: '园'.repeat(101) }),
    ])
    expect(counts).toMatchObject({ rows_total: 12, rows_error: 11, rows_new: 1 })
    expect(await told(batch_no)).toEqual([
      { user_name: '必填项不能为空', guardian: '不能包含逗号', guardian_mobile: '手机号格式不正确' },
      { sex: '字典值不存在', id_type: '字典值不存在', stage: '字典值不存在', board: '字典值不存在', hukou_division: '字典值不存在', id_no: '身份证号格式不正确' },
      { id_no: '身份证号格式不正确' },
      { id_no: '身份证号格式不正确' },
      { sex: '性别与身份证号不一致' },
      {},
      { id_no: '出生日期须在2019-08-31或之前' },
      { id_no: '该证件号已报名（与第11行重复）' }, { id_no: '该证件号已报名（与第10行重复）' },
      { id_no: '该证件号已报名' }, { stage: '该学段没有可以导入的新生报名，请先在新生报名设置中开放' }, { from_school: '超过100个字' },
    ])
    expect(await applications()).toEqual(before)
    expect(taken.state).toBe('1')
  })

  test('a line is mended in its place, entered to be reviewed, and taken back; the season then is as it was', async () => {
    const season = await desk.opened()
    const before = await applications()
    const batch = await by.dryRun('freshman', [line({ ...resident, from_school: '阳光幼儿园', board: '是', hukou_division: '370200' }), line({ sex: '不明' })])
    expect(batch).toMatchObject({ rows_new: 1, rows_error: 1 })
    const rows = await by.rows(batch.batch_no)
    expect(rows[0]?.diff).toMatchObject([{ prop: 'stage', after: `${season.school_year}学年小学新生报名，待审核` }])
    dataOf(importApi.fix, await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: rows[1]?.row_no ?? 0, cells: { sex: '男' } }, as()))
    expect(await by.apply(batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 2, rows_recheck: 0 })
    const list = await desk.page(season.id)
    expect(list.map(row => [row.state, row.review_level])).toEqual([['1', 0], ['1', 0]])
    const child = list.find(row => row.birthday === '2019-07-08')
    const file = dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: child?.id ?? '' }, as()))
    expect(file.filled.map(({ label, value }) => [label, value])).toEqual(expect.arrayContaining([['毕业学校', '阳光幼儿园'], ['是否住校', '是'], ['性别', '女']]))
    expect(JSON.stringify(file)).not.toContain('370200201907080025')
    expect((await by.undo(batch.batch_no)).batch).toMatchObject({ state: 'undone', rows_undone: 2 })
    expect(await applications()).toEqual(before)
  })

  test('what somebody has reviewed since stays: the undo refuses, and partly taken back it names that line alone', async () => {
    const season = await desk.opened()
    const { batch_no } = await by.dryRun('freshman', [line(), line(), line()])
    await by.apply(batch_no)
    const [reviewed] = await desk.page(season.id)
    expect((await desk.pass([reviewed?.id ?? ''])).status).toBe(200)
    expect((await by.undo(batch_no)).batch).toMatchObject({ state: 'applied', rows_undone: 0, rows_blocked: 1 })
    expect((await by.undo(batch_no, true)).batch).toMatchObject({ rows_undone: 2, rows_blocked: 1 })
    expect((await desk.page(season.id)).map(row => [row.id, row.state])).toEqual([[reviewed?.id, '2']])
    const blocked = await by.rows(batch_no, { only_blocked: '1' })
    expect(JSON.stringify(blocked)).toContain('该报名在导入后已审核或修改，请在新生名单中处理')
  })

  test('where the season says so they have passed, by whoever imports; a strict one takes nobody who has a file', async () => {
    const season = await desk.opened({ import_passed: true, dup_policy: 'block' })
    const known = line({ user_name: '王子涵', sex: '男', id_type: '居民身份证', id_no: '370200202005120019' })
    const batch = await by.dryRun('freshman', [line(), known])
    expect(await told(batch.batch_no)).toEqual([{}, { id_no: '该证件号在本校已有档案：王子涵' }])
    await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: (await by.rows(batch.batch_no))[1]?.row_no ?? 0, skip: true }, as())
    await by.apply(batch.batch_no)
    const [row] = await desk.page(season.id)
    expect(row?.state).toBe('2')
    const file = dataOf(freshmenApi.detail, await app.call(freshmenApi.detail, { id: row?.id ?? '' }, as()))
    expect(file.reviews).toMatchObject([{ level: 1, verdict: 'pass' }])
    expect((await desk.save(desk.draft({ import_passed: true, review_levels: 2 }))).status).toBe(400)
    expect((await by.undo(batch.batch_no)).batch.rows_undone).toBe(1)
    expect(await desk.page(season.id)).toEqual([])
  })

  test('who applies by the public form meanwhile is not entered twice; that line is to be looked at again', async () => {
    const season = await desk.opened()
    const [one, other] = [line(), line()]
    const { batch_no } = await by.dryRun('freshman', [one, other])
    await desk.applied(season, desk.child({ id_no: one.id_no ?? '' }))
    expect(await by.apply(batch_no)).toMatchObject({ rows_applied: 1, rows_recheck: 1 })
    expect(await desk.page(season.id)).toHaveLength(2)
  })

  test('only who may import gets the template, whose columns are those of the sheet', async () => {
    const other = await app.as({ school_id, codes: codes.filter(code => code !== 'people.freshmen.import') })
    expect((await app.call(importApi.template, { code: 'freshman' }, { token: other.token })).status).toBe(403)
    const lines = await sheetLines(await app.call(importApi.template, { code: 'freshman' }, as()))
    const texts = lines.map(cells => cells.map(text => text.replace('*', '').trim()))
    expect(texts.slice(1, 3)).toEqual([
      ['姓名', '性别', '身份证件类型', '身份证件号', '报名学段', '户口所在地行政区划码', '监护人姓名', '监护人手机号', '毕业学校', '是否住校'],
      ['陈一诺', '女', '居民身份证', '370200201907080025', '小学', '370200', '陈立新', '16900000009', '(虚构)阳光幼儿园', '否'],
    ])
  })
})
