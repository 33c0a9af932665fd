import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { pickupPersonApi, temporaryApi } from '@campus/access/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

async function takeBack(batch_no: string): Promise<void> {
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
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
