import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { ruleApi, userRuleApi } from '@campus/access/contract'
import { importApi } from '@campus/jobs/contract'
import { createDevices } from '@campus/devices/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { createPlaces } from '@campus/places/server'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const [good, bad] = [1800, 200] as const
const labels = ['人员编号', '姓名', '方式', '规则名称', '进校门', '出校门', '生效日期', '失效日期']
const numberOf = (at: number) => `IM${String(at).padStart(5, '0')}`
let app: TestApp
let me: TestUser

const as = () => ({ token: me.token })

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  await app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
    ]
    const ids = await createDepts(db, school_id, depts, '2026-09-01')
    const pupil = { sex: '1', enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01' }
    const drafts = Array.from({ length: good }, (_, at) => ({ ...pupil, user_name: `学生${at}`, student_no: numberOf(at) }))
    await enrolStudents(db, app.running.app.secrets, school_id, drafts)
    const gate = { key: 'gate', superior: null, place_name: '南门', place_kind: 9, private_zone: false }
    const places = await createPlaces(db, school_id, [gate], '2026-09-01')
    const device = {
      key: 'in',
      device_sn: 'IMPORT-IN',
      device_name: '南门进',
      place_id: places.get('gate') ?? '',
      direction: 1,
      device_type: '01',
      model_code: 'JD-F10',
      parent: null,
    } as const
    await createDevices(db, school_id, [device], new Date('2026-09-01T00:00:00Z'))
  })
  const periods = [{ direction: 1 as const, day_match: 5, week_flags: null, begin_min: 360, end_min: 540 }]
  dataOf(ruleApi.add, await app.call(ruleApi.add, { scene: 1, rule_name: '走读', periods }, as()))
}, 240_000)
afterAll(() => app.close())

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  const working = async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state)
  await expect.poll(working, { timeout: 240_000 }).toBe(false)
}

/** Everybody's rules and rights as they are, in one text. */
async function assignments(): Promise<string> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { hash: string }[] }>(school_id, db =>
    sql<{
      hash: string
    }>`select md5(coalesce((select string_agg(user_id || ' ' || rule_id || ' ' || mode, ',' order by user_id) from user_rule
      where school_id = ${school_id} and (valid_to is null or valid_to > ${app.clock.now()})), '')
      || coalesce((select string_agg(user_id || ' ' || place_id || ' ' || windows_hash, ',' order by user_id, place_id)
        from access_grant where school_id = ${school_id}), '')) as hash`.execute(db),
  )
  return rows[0]?.hash ?? ''
}

test('35-A35 of 2000 lines 200 are wrong, each said at its line; the others are applied, and taken back everything is as before', async () => {
  const line = (no: string, name: string, more: Record<string, string> = {}) =>
    labels.map(
      label =>
        ({
          人员编号: no,
          姓名: name,
          方式: '替换',
          规则名称: '走读',
          进校门: '南门',
          出校门: '',
          生效日期: '2026-11-20',
          失效日期: '',
          ...more,
        })[label] ?? '',
    )
  const wrong: [Record<string, string>, string][] = [
    [{ 人员编号: 'NOBODY' }, '人员不存在'],
    [{ 姓名: '别人' }, '姓名与编号不一致'],
    [{ 规则名称: '没有' }, '规则不存在'],
    [{ 出校门: '南门' }, '场所「南门」没有出方向的设备'],
    [{ 进校门: '' }, '进校门与出校门不能同时为空'],
    [{ 失效日期: '2026-11-19' }, '有效期结束不能早于开始'],
  ]
  const lines = Array.from({ length: good }, (_, at) => line(numberOf(at), `学生${at}`))
  // Added rules of other names do not meet the lines of the same people.
  const broken = Array.from({ length: bad }, (_, at) =>
    line(numberOf(at), `学生${at}`, {
      方式: '追加',
      ...wrong[at % wrong.length]?.[0],
      ...(at % wrong.length === 0 ? { 人员编号: `NOBODY${at}` } : {}),
    }),
  )
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '人员通行规则', notes: ['说明'], columns, samples: [...lines, ...broken] }))
  const before = await assignments()
  const { batch_no } = dataOf(
    importApi.upload,
    await app.call(importApi.upload, { code: 'access_user_rule' }, { ...as(), file: { name: '规则.xlsx', body } }),
  )
  await settled(batch_no)
  const batch = dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  expect(batch).toMatchObject({ state: 'parsed', rows_new: good, rows_error: bad })
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 20 }, as()))
  const first_line = 3
  expect(list.slice(0, 6).map(row => [row.row_no - first_line - good, row.errors.map(error => error.msg).join()])).toEqual(
    wrong.map(([, msg], at) => [at, msg]),
  )
  const open = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 300 }, as())).list
  for (const { row_no } of open) await app.call(importApi.fix, { batch_no, row_no, skip: true }, as())
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  expect(dataOf(userRuleApi.list, await app.call(userRuleApi.list, { scene: 1 }, as())).total).toBe(good)
  expect(await assignments()).not.toBe(before)
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  expect(await assignments()).toBe(before)
}, 400_000)
