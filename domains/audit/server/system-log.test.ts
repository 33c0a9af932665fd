import { dataOf, sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { archiveLogApi, auditErrors, integrityApi, routine_calls, systemLogApi } from '@campus/audit/contract'
import type { OperationRow } from '@campus/audit/contract'
import type { Operation } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { archive } from './archive.queries.ts'
import { writeOperations } from './operation.queries.ts'
import { sealDue } from './seal/keeper.ts'
import { checkSealFile, readSealFile } from './seal/seal-file.ts'

const { a, b } = test_schools
const codes = ['audit.system.view', 'audit.system.export', 'audit.archive.view', 'audit.archive.export']
const day = { from: '2026-10-12', to: '2026-10-12' }
const noon = Date.parse('2026-10-12T12:00:00+08:00')
const request_id = '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11'
const line: Operation = {
  request: { request_id: 'c0ffee00-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: 'Chrome', client: 'web' },
  op_type: 4, call: 'people.dept.update', ok: true, code: 600, msg: '操作成功', duration_ms: 3, happened_at: new Date(noon), user_no: 'T1', user_name: '甲老师',
}

let app: TestApp
let auditor: TestUser

beforeAll(async () => {
  app = await startTestApp()
  auditor = await app.as({ school_id: a, codes })
  const many = Array.from({ length: 45 }, (_, at): Operation => ({ ...line, target_kind: 'people.dept', target_id: '9', target_name: `部门${at}`, before: { dept_name: '旧' }, after: { dept_name: '新', class_no: at } }))
  const others: Operation[] = [
    { ...line, ok: false, code: 403, msg: '无权限查看', user_no: 'T2', user_name: '乙老师', request: { ...line.request, ip: '192.168.1.9' }, happened_at: new Date(noon + 60_000) },
    { ...line, call: 'jobs.import.apply', op_type: 6, batch_no: 'B7', target_name: '=1+1', happened_at: new Date(noon + 120_000) },
    { ...line, call: 'people.student.update', request: { ...line.request, request_id }, before: { mobile: '13812345678' }, after: { mobile: '13912345678' }, happened_at: new Date(noon + 180_000) },
    { ...line, happened_at: new Date(noon - 100 * 86_400_000) },
  ]
  await app.running.database.tenant<unknown, void>(a, async db => {
    await writeOperations(db, a, [...many, ...others])
    await archive(db, { school_id: a, at: new Date(noon + 180_000), request_id, user_name: '甲老师', user_no: 'T1' }, [
      { person_kind: 1, person_id: '7', person_no: '2025001', person_name: '王子轩', dept_name: '一年级1班', op_type: 4, source: 'typed', changes: [{ field: 'mobile', label: '手机号', before: '13812345678', after: '13912345678' }] },
      { person_kind: 3, person_id: '8', person_name: '王强', op_type: 3, source: 'import', batch_no: 'B7', changes: [{ field: 'relation', label: '关系', before: null, after: '父亲' }] },
    ])
    await archive(db, { school_id: a, at: new Date(noon - 200 * 86_400_000) }, [{ person_kind: 1, person_id: '7', person_name: '王子轩', op_type: 3, source: 'registration' }])
  })
  await app.running.database.tenant<unknown, void>(b, db => writeOperations(db, b, [{ ...line, target_name: '别校' }]))
})
afterAll(() => app.close())

const list = async (query: object = {}) => dataOf(systemLogApi.page, await app.call(systemLogApi.page, { ...day, ...query }, { token: auditor.token }))
const persons = async (query: object = {}) => dataOf(archiveLogApi.page, await app.call(archiveLogApi.page, { ...day, ...query }, { token: auditor.token }))
const today = () => {
  // The day at school, which begins eight hours before it does in UTC.
  const on = new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  return { from: '2026-10-01', to: on }
}
const names = (rows: readonly OperationRow[]) => rows.map(row => row.target_name)

describe('the operation log', () => {
  test('goes page by page there and back, though all rows have one instant', async () => {
    const first = await list()
    expect(first).toMatchObject({ total: 48, is_bounded: false, newer: null })
    const second = await list({ cursor: first.older })
    const third = await list({ cursor: second.older })
    expect([first.list.length, second.list.length, third.list.length]).toEqual([20, 20, 8])
    expect(third.older).toBeNull()
    expect(new Set([first, second, third].flatMap(page => page.list.map(row => row.log_id))).size).toBe(48)
    const back = await list({ cursor: third.newer })
    expect(names(back.list)).toEqual(names(second.list))
    expect(names((await list({ cursor: back.newer })).list)).toEqual(names(first.list))
  })
  test('10-A23 loses no row whose instant has microseconds', async () => {
    const moved = `set local app.school_id = '${a}'; update operation_log set happened_at = happened_at + interval '1 microsecond' * (get_byte(row_hash, 0) % 100) where target_kind = 'people.dept'`
    await app.running.database.owner_exec(moved)
    const seen: string[] = []
    let cursor: string | null | undefined
    do {
      const page = await list(cursor ? { cursor } : {})
      seen.push(...page.list.map(row => row.log_id))
      cursor = page.older
    } while (cursor !== null)
    expect([seen.length, new Set(seen).size]).toEqual([48, 48])
  })
  test.each([
    [{ person: '乙老师' }, 1], [{ person: 'T2' }, 1], [{ person: 'T' }, 0], [{ op_type: '6' }, 1], [{ module: 'jobs' }, 1], [{ ok: '0' }, 1], [{ ok: '1' }, 47],
    [{ target: '部门3' }, 11], [{ target: '9' }, 45], [{ batch: 'B7' }, 1], [{ ip: '192.168.' }, 1], [{ module: 'people', ok: '1', ip: '10.' }, 46], [{ from: '2026-10-13', to: '2026-10-13' }, 0],
  ])('finds by %j', async (query, n) => {
    expect(await list(query)).toMatchObject({ total: n })
  })
  test('spans at most 92 days, and days in their order', async () => {
    const ask = (from: string, to: string) => app.call(systemLogApi.page, { from, to }, { token: auditor.token })
    expect((await ask('2026-07-12', '2026-10-12')).body).toMatchObject({ code: 422, msg: auditErrors.spanTooLong.msg })
    expect((await ask('2026-07-13', '2026-10-12')).status).toBe(200)
    expect((await ask('2026-10-12', '2026-10-11')).body).toMatchObject({ code: 422, msg: auditErrors.spanReversed.msg })
    expect((await app.call(systemLogApi.page, { cursor: '-nonsense' }, { token: auditor.token })).status).toBe(400)
  })
  test('says of a line what changed by its words, what else the request did and what else befell the object', async () => {
    const [changed] = (await list({ module: 'people', target: '部门44' })).list
    const detail = dataOf(systemLogApi.detail, await app.call(systemLogApi.detail, { id: changed?.log_id ?? '' }, { token: auditor.token }))
    expect(detail.changes).toEqual([{ field: 'dept_name', label: '名称', before: '旧', after: '新' }, { field: 'class_no', label: '班号', before: null, after: '44' }])
    expect(detail.same_object).toHaveLength(45)
    const [typed] = (await list({ op_type: '4', ok: '1' })).list
    const of_person = dataOf(systemLogApi.detail, await app.call(systemLogApi.detail, { id: typed?.log_id ?? '' }, { token: auditor.token }))
    expect(of_person).toMatchObject({ changes: [{ label: '手机号', before: '138****5678', after: '139****5678' }], chain: [{ call: 'people.student.update' }], persons: [{ person_name: '王子轩', fields: 1 }, { person_name: '王强' }] })
    const foreign = await app.as({ school_id: b, codes })
    expect((await app.call(systemLogApi.detail, { id: typed?.log_id ?? '' }, { token: foreign.token })).status).toBe(404)
  })
  test('counts its days with their refusals, and what came since a page was read', async () => {
    const { list: days } = dataOf(systemLogApi.days, await app.call(systemLogApi.days, day, { token: auditor.token }))
    expect(days).toEqual([{ day: '2026-10-12', n: 48, refused: 1 }])
    const { newest } = await list({ cursor: (await list()).older })
    expect(dataOf(systemLogApi.newer, await app.call(systemLogApi.newer, { ...day, since: newest ?? '' }, { token: auditor.token }))).toEqual({ n: 20 })
  })
})

test('what pages do by themselves stands in the list, on the strip and in the export only when it is asked for; what was refused always', async () => {
  const quiet_day = { from: '2026-10-20', to: '2026-10-20' }
  const morning = { ...line, happened_at: new Date(noon + 8 * 86_400_000) }
  await app.running.database.tenant<unknown, void>(b, db => writeOperations(db, b, [
    ...routine_calls.map(call => ({ ...morning, call, after: { channels: [] } })),
    { ...morning, call: 'school.preference.save', ok: false, code: 422, msg: '拒绝' },
    { ...morning, target_name: '三班' },
  ]))
  const { token } = await app.as({ school_id: b, codes })
  const asked = async (more: { routine?: '1' | '0' }) => {
    const { list: rows, total } = dataOf(systemLogApi.page, await app.call(systemLogApi.page, { ...quiet_day, ...more }, { token }))
    const { list: days } = dataOf(systemLogApi.days, await app.call(systemLogApi.days, { ...quiet_day, ...more }, { token }))
    const sheet = await sheetLines(await app.call(systemLogApi.export, { ...quiet_day, ...more, reason: '核对' }, { token }))
    return { rows, counts: [total, days[0]?.n, days[0]?.refused, sheet.length - 4], head: sheet[2]?.[0] }
  }
  const [plain, whole] = [await asked({}), await asked({ routine: '1' })]
  expect(plain.rows.map(row => [row.call, row.ok]).toSorted()).toEqual([['people.dept.update', true], ['school.preference.save', false]])
  expect([plain.counts, whole.counts, (await asked({ routine: '0' })).counts]).toEqual([[2, 2, 1, 2], [6, 6, 1, 6], [2, 2, 1, 2]])
  expect([plain.head, whole.head]).toEqual([expect.stringContaining('不含页面自动产生的记录'), expect.not.stringContaining('不含')])
  const watched = whole.rows.find(row => row.call === 'identity.realtime.watch')
  expect(dataOf(systemLogApi.detail, await app.call(systemLogApi.detail, { id: watched?.log_id ?? '' }, { token })).changes).toEqual([])
})

describe('the archive journal', () => {
  test.each([
    [{}, 2], [{ person_kind: '3' }, 1], [{ person: '王子轩' }, 1], [{ person: '2025001' }, 1], [{ dept: '一年级' }, 1], [{ field: 'mobile' }, 1], [{ source: 'import' }, 1], [{ operator: '甲老师' }, 2], [{ batch: 'B7' }, 1],
  ])('finds by %j', async (query, n) => {
    expect(await persons(query)).toMatchObject({ total: n })
  })
  test('shows the whole life of a person, older than any query may reach', async () => {
    const [row] = (await persons({ person: '王子轩' })).list
    const detail = dataOf(archiveLogApi.detail, await app.call(archiveLogApi.detail, { id: row?.log_id ?? '' }, { token: auditor.token }))
    expect(detail.life.map(one => one.source)).toEqual(['typed', 'registration'])
    expect(detail.chain).toHaveLength(1)
    const { list: fields } = dataOf(archiveLogApi.fields, await app.call(archiveLogApi.fields, day, { token: auditor.token }))
    expect(fields).toEqual([{ field: 'relation', label: '关系' }, { field: 'mobile', label: '手机号' }])
  })
})

describe('an export of a journal', () => {
  test('10-A26 equals the filtered list, runs nothing, and is a line of the log', async () => {
    const query = { ...day, module: 'jobs' }
    const lines = await sheetLines(await app.call(systemLogApi.export, { ...query, reason: '年度检查' }, { token: auditor.token }))
    expect(lines[0]?.[0]).toBe('测试一校　系统操作日志　共1条')
    expect(lines[2]?.[0]).toBe('条件：2026-10-12 ~ 2026-10-12；不含页面自动产生的记录　导出原因：年度检查')
    expect(lines[3]?.slice(0, 9)).toEqual(['时间', '操作人', '工号', '角色', '操作类型', '模块', '事项', '对象', '结果'])
    expect(lines[4]?.slice(0, 9)).toEqual(['2026-10-12 12:02:00', '甲老师', 'T1', '', '导入', '任务中心', '导入批次', '=1+1', '成功'])
    const whole = await sheetLines(await app.call(systemLogApi.export, { ...day, reason: '核对' }, { token: auditor.token }))
    const listed = [...(await list({ page_size: '100' })).list]
    expect(whole.slice(4).map(row => row[7])).toEqual(listed.map(row => row.target_name ?? ''))
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(a, db => sql`select target_name, reason, op_type, ok from operation_log where school_id = ${a} and call = 'audit.system.export' order by log_id`.execute(db))
    expect(rows[0]).toEqual({ target_name: '系统操作日志 1条', reason: '年度检查', op_type: 7, ok: true })
  })
  test('10-A26 of persons needs a reason', async () => {
    const refused = await app.call(archiveLogApi.export, { ...day, reason: ' ' }, { token: auditor.token })
    expect(refused.body).toMatchObject({ code: 422, msg: '请填写导出原因' })
    const lines = await sheetLines(await app.call(archiveLogApi.export, { ...day, reason: '核对' }, { token: auditor.token }))
    expect(lines.slice(4).map(row => row[6])).toEqual(expect.arrayContaining(['手机号：138****5678 → 139****5678', '关系：空 → 父亲']))
  })
})

test('the school sees how far its journals are checked, and takes their seals with it', async () => {
  const state = async () => dataOf(integrityApi.state, await app.call(integrityApi.state, {}, { token: auditor.token }))
  expect(await state()).toMatchObject({ checked_until: null, broken: null })
  app.clock.advance(120_000)
  await sealDue(app.running)
  const checked = await state()
  expect(checked.checked_until).not.toBeNull()
  const { bytes } = await app.call(integrityApi.seals, today(), { token: auditor.token })
  const file = readSealFile(Buffer.from(bytes).toString())
  expect(checkSealFile(file)).toEqual({ fingerprint: checked.fingerprint, seals: 2, flaws: [] })
  const [first, ...rest] = file.seals
  expect(checkSealFile({ ...file, seals: first ? [{ ...first, rows: first.rows + 1 }, ...rest] : [] }).flaws).toEqual([expect.stringMatching(/its content was changed$/)])
})
