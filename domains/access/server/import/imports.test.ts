import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { blackApi, deptRuleApi, pickupPersonApi, ruleApi, temporaryApi, visitApi } from '@campus/access/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevices } from '@campus/devices/server'
import { hireStaff } from '@campus/people/server'
import { buildClassAndGates } from '../builders.ts'

const { a: school_id } = test_schools
let app: TestApp
let me: TestUser

const as = () => ({ token: me.token })

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
    buildClassAndGates(db, app.running.app, school_id, { size: 2, prefix: 'DR' }),
  )
  await app.running.database.tenant(school_id, async (db: Parameters<typeof hireStaff>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).orderBy('id').executeTakeFirstOrThrow()
    const depts = [{ dept_id: root.id, is_primary: true }]
    const draft = { user_name: '李老师', teacher_no: 'T900', sex: '1', kind: '11', join_month: '202609', depts, from: '2026-09-01' }
    await hireStaff(db, app.running.app.secrets, school_id, [draft])
  })
  await app.running.database.tenant(school_id, async (db: Parameters<typeof createDevices>[0]) => {
    const gates = sql<{ place_id: string }>`select place_id::text from place_live_v where school_id = ${school_id} and place_name = '南门'`
    const [{ place_id } = { place_id: '' }] = (await gates.execute(db)).rows
    const door = { device_type: '01', model_code: 'JD-F10', parent: null, place_id, direction: 2 } as const
    await createDevices(db, school_id, [{ ...door, key: 'out', device_sn: 'SHEETS', device_name: '南门出' }], new Date('2026-09-01T00:00:00Z'))
  })
})
afterAll(() => app.close())

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  const working = async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state)
  await expect.poll(working, { timeout: 60_000 }).toBe(false)
  return read()
}

/** Uploads lines, skips those with errors and applies the rest. @returns the batch, and the sentences of the errors by line */
async function apply(code: string, labels: readonly string[], lines: readonly string[][]) {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '数据', notes: ['说明', '说明'], columns, samples: lines.map(line => [...line]) }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code }, { ...as(), file: { name: '导入.xlsx', body } }))
  await settled(batch_no)
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, verdict: 'error', page_size: 20 }, as()))
  for (const { row_no } of list) await app.call(importApi.fix, { batch_no, row_no, skip: true }, as())
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  expect((await settled(batch_no)).state).toBe('applied')
  return { batch_no, errors: list.map(row => row.errors.map(error => error.msg).join()) }
}

/** `partial`: what has changed since stays. */
async function takeBack(batch_no: string, partial = false): Promise<void> {
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no, partial }, as()))
  await settled(batch_no)
}

test('one-off rules of pupils by a file: wrong lines say why, taken back they are revoked', async () => {
  const labels = ['学号', '姓名', '类型', '方向', '开始', '结束', '次数', '门', '事由', '原因']
  const line = (no: string, name: string, from: string, to: string, more: string[] = ['1', '', '就医', '外出就医']) => [no, name, '放行', '出', from, to, ...more]
  const { batch_no, errors } = await apply('access_temporary', labels, [
    line('DR000', '学生0', '2026-11-20 11:00', '2026-11-20 12:00'),
    line('DR001', '学生1', '2026-11-20 12:00', '2026-11-20 11:00'),
    line('DR001', '别人', '2026-11-20 11:00', '2026-11-20 12:00'),
    line('DR001', '学生1', '2026-11-19 11:00', '2026-11-19 12:00'),
    line('DR001', '学生1', '2026-11-20 13:00', '2026-11-20 14:00', ['1', '月球门', '', '外出就医']),
  ])
  expect(errors).toEqual([
    '结束时间必须晚于开始时间且不超过180天', '姓名与编号不一致', '结束时间不能早于当前时间', '场所「月球门」没有设备',
  ])
  const rules = async () => dataOf(temporaryApi.list, await app.call(temporaryApi.list, { person_kind: 1 }, as())).list
  expect(await rules()).toMatchObject([{ whom: '学生0', direction: 2, max_times: 1, reason_code: '3', state: 'coming' }])
  await takeBack(batch_no)
  expect((await rules()).map(row => row.state)).toEqual(['revoked'])
})

test('who may fetch by a file: each waits for a guardian, at most eight of a child; taken back, nobody is left', async () => {
  const labels = ['学号', '学生姓名', '接送人姓名', '手机号', '关系', '生效日期', '失效日期']
  const adult = (at: number, more: string[] = ['', '']) => ['DR000', '学生0', '王奶奶', `1390000100${at}`, '奶奶', ...more]
  const { batch_no, errors } = await apply('access_pickup_person', labels, [
    adult(0), adult(1, ['2026-11-21', '2026-11-20']), ['DR999', '无人', '王奶奶', '13900001002', '奶奶', '', ''], adult(3).with(3, '12345'),
  ])
  expect(errors).toEqual(['失效日期不能早于生效日期', '人员不存在', expect.any(String)])
  const persons = async () => dataOf(pickupPersonApi.list, await app.call(pickupPersonApi.list, {}, as())).list
  expect(await persons()).toMatchObject([{ person_name: '王奶奶', confirm_state: 0, valid_from: '2026-11-20' }])
  await takeBack(batch_no)
  expect((await persons()).map(row => row.confirm_state)).toEqual([2])
})

test('rules of departments by a file: a path or a name that one alone has; taken back, they have ended', async () => {
  const labels = ['部门路径', '就读方式', '规则名称', '进校门', '出校门', '生效日期', '失效日期']
  const periods = [{ direction: 2 as const, day_match: 5, week_flags: null, begin_min: 900, end_min: 1020 }]
  dataOf(ruleApi.add, await app.call(ruleApi.add, { scene: 1, rule_name: '走读', periods }, as()))
  const line = (path: string, more: string[] = ['', '走读', '', '南门', '2026-11-20', '']) => [path, ...more]
  const { batch_no, errors } = await apply('access_dept_rule', labels, [
    line('三年级1班'),
    line('六年级'),
    line('三年级', ['', '没有', '', '南门', '2026-11-20', '']),
    line('三年级', ['不读', '走读', '北门', '', '2026-11-20', '']),
    line('三年级', ['', '走读', '北门', '', '2026-11-20', '2026-11-19']),
    line('三年级', ['', '走读', '', '', '2026-11-20', '']),
  ])
  expect(errors).toEqual(['部门不存在', '规则不存在', '字典值不存在', '有效期结束不能早于开始', '进校门与出校门不能同时为空'])
  const rules = async () => dataOf(deptRuleApi.list, await app.call(deptRuleApi.list, { scene: 1 }, as())).list
  const written = { dept_name: '三年级1班', rule_name: '走读', valid_from: '2026-11-20', valid_to: null }
  expect(await rules()).toMatchObject([{ ...written, out_places: [{ place_name: '南门' }] }])
  await takeBack(batch_no)
  expect(await rules()).toEqual([])
})

const visit_labels = ['访客姓名', '手机号', '来访单位', '来访事由', '被访人工号', '同行人数', '车牌号', '来访时间', '离开时间', '通行门', '备注']

test('visits and the blacklist by files: who is listed is stopped at once and cannot be booked; taken back, both are undone', async () => {
  const visit = (name: string, mobile: string, more: Readonly<Record<number, string>> = {}) =>
    [name, mobile, '', '洽谈业务', 'T900', '1', '', '2026-11-20 14:00', '2026-11-20 15:00', '南门', ''].map((text, at) => more[at] ?? text)
  const visits = async () => {
    const { list } = dataOf(visitApi.page, await app.call(visitApi.page, {}, as()))
    return list.map(row => [row.visitor_name, row.state, row.channel, row.route]).toSorted()
  }
  const first = await apply('access_visit', visit_labels, [
    visit('王一', '13900002001'), visit('王二', '13900002002'),
    visit('王三', '13900002003', { 4: 'T999' }), visit('王四', '13900002004', { 7: '2026-11-20 05:00', 8: '2026-11-20 06:30' }),
    visit('王五', '13900002005', { 9: '月球门' }), visit('王六', '12345'),
  ])
  expect(first.errors).toEqual(['人员不存在', '来访时间不能早于当前时间', '通行门不存在', expect.any(String)])
  expect(await visits()).toEqual([['王一', 0, 4, '南门'], ['王二', 0, 4, '南门']])
  const listed = await apply('access_blacklist', ['姓名', '手机号', '车牌号', '原因', '开始', '结束'], [
    ['王一', '13900002001', '', '多次尾随进校', '', ''],
    ['', '', '', '没有号码', '', ''],
    ['王七', '13900002007', '', '尾随进校', '2026-11-22', '2026-11-21'],
  ])
  expect(listed.errors).toEqual(['手机号、车牌号至少填一项', '结束日期不能早于开始日期'])
  expect(await visits()).toEqual([['王一', 7, 4, '南门'], ['王二', 0, 4, '南门']])
  const second = await apply('access_visit', visit_labels, [
    visit('王一', '13900002001', { 7: '2026-11-20 16:00', 8: '2026-11-20 17:00' }),
    visit('王二', '13900002002', { 7: '2026-11-20 14:30', 8: '2026-11-20 15:30' }),
    visit('王八', '13900002008'),
  ])
  expect(second.errors).toEqual(['该访客在黑名单中', '该访客在此时段已有预约'])
  await takeBack(first.batch_no, true)
  expect(await visits()).toEqual([['王一', 7, 4, '南门'], ['王八', 0, 4, '南门'], ['王二', 3, 4, '南门']].toSorted())
  await takeBack(listed.batch_no)
  expect(dataOf(blackApi.list, await app.call(blackApi.list, {}, as())).list).toMatchObject([{ name: '王一', lift_reason: '撤销导入' }])
})
