import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { importApi, jobApi } from '@campus/jobs/contract'
import { sheetLines, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskPort } from '../desk.ts'
import { startRunner } from '../runner/runner.ts'
import { addProbe, applied, batchNow, dataOf, ended, manyLines, parsed, probes, rowsOf, sendSheet, settled, sheetOf } from '../testing/import-flow.ts'
import type { ProbeDb } from '../testing/probe.ts'

let app: TestApp
let importer: (school_id: number, more?: readonly string[]) => Promise<TestUser>
let user: TestUser
beforeAll(async () => {
  app = await startTestApp()
  importer = await addProbe(app)
  user = await importer(test_schools.a)
})
beforeEach(() => inSchool(db => db.deleteFrom('probe').where('school_id', '=', test_schools.a).execute()))
afterAll(() => app.close())

function inSchool<R>(fn: Parameters<typeof app.running.database.tenant<ProbeDb, R>>[1]): Promise<R> {
  return app.running.database.tenant<ProbeDb, R>(test_schools.a, fn)
}
const put = (probe_no: string, probe_name: string) =>
  inSchool(db => db.insertInto('probe').values({ school_id: test_schools.a, probe_no, probe_name, probe_kind: 1, written: 1 }).execute())

describe('the way of a sheet', () => {
  it('is upload, dry run, mending, apply, and each row is written once', async () => {
    await put('1', '旧名')
    await put('2', '不变')
    const batch = await parsed(app, user, [['1', '新名', '甲'], ['2', '不变', '甲'], ['3', '三', '丙'], ['4', '', '乙'], ['5', '五', '']])
    expect(batch).toMatchObject({ state: 'parsed', title: '试件导入', rows_total: 5, rows_new: 1, rows_change: 1, rows_same: 1, rows_error: 2, rows_applied: 0 })
    const rows = await rowsOf(app, user, batch.batch_no)
    expect(rows.map(({ row_no, verdict }) => [row_no, verdict])).toEqual([[3, 'change'], [4, 'same'], [5, 'error'], [6, 'error'], [7, 'new']])
    expect(rows[0]).toMatchObject({ cells: { probe_no: '1', probe_name: '新名', probe_kind: '甲' }, diff: [{ prop: 'probe_name', label: '名称', before: '旧名', after: '新名' }] })
    expect(rows[2]?.errors).toEqual([{ prop: 'probe_kind', label: '类型', msg: '字典值不存在' }])
    expect((await probes(app, user)).map(({ probe_name }) => probe_name)).toEqual(['旧名', '不变'])

    const early = await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: user.token })
    expect([early.status, early.body.msg]).toEqual([409, '还有2行错误未处理，请修改或忽略后再导入'])
    const mended = await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: 5, cells: { probe_kind: ' 乙 ' } }, { token: user.token })
    expect(dataOf(importApi.fix, mended)).toMatchObject({ row: { verdict: 'new', errors: [], cells: { probe_no: '3', probe_kind: '乙' } }, batch: { rows_error: 1, rows_new: 2 } })
    const skipped = await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: 6, skip: true }, { token: user.token })
    expect(dataOf(importApi.fix, skipped)).toMatchObject({ row: { verdict: 'skipped' }, batch: { rows_error: 0, rows_skipped: 1 } })

    const done = await applied(app, user, batch.batch_no)
    expect(done).toMatchObject({ state: 'applied', rows_applied: 3, rows_recheck: 0, message: null })
    expect(done.undo_until).not.toBeNull()
    expect((await probes(app, user)).map(({ probe_no, probe_name, probe_kind, written }) => [probe_no, probe_name, probe_kind, written])).toEqual([
      ['1', '新名', 1, 2],
      ['2', '不变', 1, 1],
      ['3', '三', 2, 1],
      ['5', '五', 1, 1],
    ])
    const again = await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: user.token })
    expect(again.status).toBe(409)
    const late = await app.call(importApi.fix, { batch_no: batch.batch_no, row_no: 3, skip: true }, { token: user.token })
    expect(late.body.msg).toBe('该批次当前不能修改，请刷新后查看最新状态')
  })

  it('begins with a template that can be uploaded as it is', async () => {
    const template = await app.call(importApi.template, { code: 'probe' }, { token: user.token })
    const lines = await sheetLines(template)
    expect(lines.slice(1)).toEqual([['编号', '名称', '类型'], ['001', '样例', '甲']])
    const answer = await sendSheet(app, user, template.bytes)
    expect(await settled(app, user, dataOf(importApi.upload, answer).batch_no)).toMatchObject({ state: 'parsed', rows_new: 1 })
  })

  it('ends with a sheet of what went wrong, which can be mended and uploaded', async () => {
    const batch = await parsed(app, user, [['1', '一', '甲'], ['2', '', '丙'], ['3', '三', '甲']])
    const sheet = await app.call(importApi.errorSheet, { batch_no: batch.batch_no }, { token: user.token })
    const lines = await sheetLines(sheet)
    expect(lines[1]).toEqual(['编号', '名称', '类型', '行号', '错误字段', '错误原因'])
    expect(lines.slice(2)).toEqual([['2', '', '丙', '4', '名称；类型', '必填项不能为空；字典值不存在']])
    const answer = await sendSheet(app, user, sheet.bytes)
    expect(await settled(app, user, dataOf(importApi.upload, answer).batch_no)).toMatchObject({ state: 'parsed', rows_error: 1 })
  })

  it('keeps the line of a row with errors only', async () => {
    const batch = await parsed(app, user, [['1', '一', '甲'], ['2', '', '甲']])
    const kept = await app.running.database.tenant<{ import_row: { row_no: number; raw: unknown; school_id: number; batch_no: string } }, { row_no: number; raw: unknown }[]>(test_schools.a, db =>
      db.selectFrom('import_row').select(['row_no', 'raw']).where('school_id', '=', test_schools.a).where('batch_no', '=', batch.batch_no).orderBy('row_no').execute(),
    )
    expect(kept).toEqual([{ row_no: 3, raw: null }, { row_no: 4, raw: { cells: { probe_no: '2', probe_name: '', probe_kind: '甲' }, flaws: [] } }])
  })

  it('takes a thousand rows in steps whose progress never goes back', async () => {
    const batch = await parsed(app, user, manyLines(1203))
    expect(batch.rows_new).toBe(1203)
    const started = dataOf(importApi.apply, await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: user.token }))
    const seen: number[] = []
    for (;;) {
      const job = dataOf(jobApi.one, await app.call(jobApi.one, { job_no: started.job_no ?? '' }, { token: user.token }))
      seen.push(job.done)
      if (job.state !== 'queued' && job.state !== 'running') break
    }
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(1203)
    expect((await probes(app, user)).every(({ written }) => written === 1)).toBe(true)
    expect(await probes(app, user)).toHaveLength(1203)
  })
})

describe('rows of one file that claim the same', () => {
  it('name each other until one gives way', async () => {
    const { batch_no } = await parsed(app, user, [['1', '一', '甲'], ['2', '二', '甲'], ['1', '壹', '甲']])
    const errorsOf = async () => (await rowsOf(app, user, batch_no)).map(({ errors }) => errors.map(({ msg }) => msg))
    expect(await errorsOf()).toEqual([['文件内重复（第5行）'], [], ['文件内重复（第3行）']])
    await app.call(importApi.fix, { batch_no, row_no: 5, cells: { probe_no: '2' } }, { token: user.token })
    expect(await errorsOf()).toEqual([[], ['文件内重复（第5行）'], ['文件内重复（第4行）']])
    await app.call(importApi.fix, { batch_no, row_no: 5, skip: true }, { token: user.token })
    expect(await errorsOf()).toEqual([[], [], []])
    await app.call(importApi.fix, { batch_no, row_no: 5, skip: false }, { token: user.token })
    expect(await errorsOf()).toEqual([[], ['文件内重复（第5行）'], ['文件内重复（第4行）']])
    await app.call(importApi.fix, { batch_no, row_no: 5, cells: { probe_no: '3' } }, { token: user.token })
    expect(await applied(app, user, batch_no)).toMatchObject({ rows_applied: 3 })
  })
})

describe('what changed since the dry run', () => {
  it('is left out as 需重新核对 while the other rows go on', async () => {
    await put('1', '旧一')
    await put('2', '旧二')
    const { batch_no } = await parsed(app, user, [['1', '一', '甲'], ['2', '二', '甲'], ['3', '三', '甲']])
    await inSchool(db => db.updateTable('probe').set({ probe_name: '别人改的' }).where('school_id', '=', test_schools.a).where('probe_no', '=', '2').execute())
    const batch = await applied(app, user, batch_no)
    expect(batch).toMatchObject({ state: 'applied', rows_applied: 2, rows_recheck: 1 })
    expect((await probes(app, user)).map(({ probe_name }) => probe_name)).toEqual(['一', '别人改的', '三'])
    const [, second] = await rowsOf(app, user, batch_no)
    expect(second).toMatchObject({ needs_recheck: true, is_applied: false, errors: [{ msg: '需重新核对' }] })
    expect(await ended(app, user, batch.job_no ?? '')).toMatchObject({ state: 'partly', done: 3, failed: 1 })
  })

  it('and what the database refuses, leaves out that row alone', async () => {
    const { batch_no } = await parsed(app, user, [['1', '一', '甲'], ['2', '长'.repeat(30), '甲'], ['3', '三', '甲']])
    expect(await applied(app, user, batch_no)).toMatchObject({ state: 'applied', rows_applied: 2, rows_recheck: 1 })
    expect((await probes(app, user)).map(({ probe_no }) => probe_no)).toEqual(['1', '3'])
  })
})

describe('a file that does not fit', () => {
  const refused = async (body: Uint8Array) => {
    const answer = await sendSheet(app, user, body)
    return settled(app, user, dataOf(importApi.upload, answer).batch_no)
  }

  it('is refused for its headers', async () => {
    expect(await refused(await sheetOf([['1', '一']], ['编号', '名称']))).toMatchObject({ state: 'refused', message: '模板不匹配，缺少列：类型' })
  })
  it('is refused when it is empty or no sheet at all', async () => {
    expect(await refused(await sheetOf([]))).toMatchObject({ state: 'refused', message: '文件中没有数据' })
    const odd = await refused(new TextEncoder().encode('<html>'))
    expect(odd).toMatchObject({ state: 'refused', message: '文件不合规，已拒绝' })
    expect(await ended(app, user, odd.job_no ?? '')).toMatchObject({ state: 'failed', error_msg: '文件不合规，已拒绝' })
  })
  it('is refused beyond 20,000 rows', async () => {
    const lines = manyLines(20_001).map(line => line.join(',')).join('\n')
    const body = new TextEncoder().encode(`说明\n编号,名称,类型\n${lines}`)
    const answer = await app.call(importApi.upload, { code: 'probe' }, { token: user.token, file: { name: '试件.csv', body } })
    expect(await settled(app, user, dataOf(importApi.upload, answer).batch_no)).toMatchObject({ state: 'refused', message: '超过20000行，请拆分后导入' })
  })
})

describe('who may', () => {
  it('is asked for the permission of the template', async () => {
    const stranger = await app.as({ school_id: test_schools.a, codes: [] })
    const body = await sheetOf([['1', '一', '甲']])
    expect((await sendSheet(app, stranger, body)).status).toBe(403)
    expect((await app.call(importApi.template, { code: 'probe' }, { token: stranger.token })).status).toBe(403)
    expect((await app.call(importApi.template, { code: 'nothing' }, { token: user.token })).status).toBe(404)
  })

  it('sees the batches and jobs of others as little as those of another school', async () => {
    const batch = await parsed(app, user, [['1', '一', '甲']])
    const colleague = await importer(test_schools.a)
    const foreigner = await importer(test_schools.b)
    for (const { token } of [colleague, foreigner]) {
      const { batch_no } = batch
      const answers = [
        await app.call(importApi.one, { batch_no }, { token }),
        await app.call(importApi.rows, { batch_no }, { token }),
        await app.call(importApi.fix, { batch_no, row_no: 3, skip: true }, { token }),
        await app.call(importApi.apply, { batch_no }, { token }),
        await app.call(importApi.errorSheet, { batch_no }, { token }),
        await app.call(jobApi.one, { job_no: batch.job_no ?? '' }, { token }),
        await app.call(jobApi.cancel, { job_no: batch.job_no ?? '' }, { token }),
        await app.call(jobApi.result, { job_no: batch.job_no ?? '' }, { token }),
      ]
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404))
      expect(dataOf(importApi.batches, await app.call(importApi.batches, {}, { token })).total).toBe(0)
    }
    const head = await importer(test_schools.a, ['jobs.batch.view_all'])
    expect(await batchNow(app, head, batch.batch_no)).toMatchObject({ state: 'parsed', is_mine: false })
    const mine = async (who: typeof head, query: { mine?: '1' } = {}) => dataOf(importApi.batches, await app.call(importApi.batches, query, { token: who.token })).list.map(one => one.is_mine)
    expect([(await mine(head)).every(is => !is), await mine(head, { mine: '1' }), (await mine(user)).every(Boolean)]).toEqual([true, [], true])
    expect((await app.call(importApi.apply, { batch_no: batch.batch_no }, { token: head.token })).status).toBe(404)
    expect(await batchNow(app, user, batch.batch_no)).toMatchObject({ state: 'parsed' })
  })
})

describe('asking twice', () => {
  it('with one Idempotency-Key makes one batch', async () => {
    const who = await importer(test_schools.a)
    const body = await sheetOf([['1', '一', '甲']])
    const headers = { 'idempotency-key': 'one-upload' }
    const [first, second] = await Promise.all([sendSheet(app, who, body, headers), sendSheet(app, who, body, headers)])
    expect(dataOf(importApi.upload, second).batch_no).toBe(dataOf(importApi.upload, first).batch_no)
    expect(dataOf(importApi.batches, await app.call(importApi.batches, {}, { token: who.token })).total).toBe(1)
  })

  it('for the same batch applies it once', async () => {
    const { batch_no } = await parsed(app, user, manyLines(20))
    const answers = await Promise.all([1, 2, 3].map(() => app.call(importApi.apply, { batch_no }, { token: user.token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    await settled(app, user, batch_no)
    expect((await probes(app, user)).map(({ written }) => written)).toEqual(Array(20).fill(1))
  })

  it('for an unknown switch is refused', async () => {
    const body = await sheetOf([['1', '一', '甲']])
    expect((await sendSheet(app, user, body, {}, { options: 'keep_name' })).status).toBe(200)
    expect((await sendSheet(app, user, body, {}, { options: 'other' })).status).toBe(400)
  })
})

describe('an apply that is broken off', () => {
  it('before its first row leaves the batch as it was; later, what is written can be told from the rest', async () => {
    const { batch_no } = await parsed(app, user, manyLines(3))
    await deskPort.one(app.running.app).runner?.stop()
    const { job_no } = dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, { token: user.token }))
    expect(await batchNow(app, user, batch_no)).toMatchObject({ state: 'applying' })
    await app.call(jobApi.cancel, { job_no: job_no ?? '' }, { token: user.token })
    expect(await batchNow(app, user, batch_no)).toMatchObject({ state: 'parsed', message: '已取消', rows_applied: 0 })
    expect(await probes(app, user)).toEqual([])

    const second = dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, { token: user.token }))
    await inSchool(db => sql`update import_row set outcome = 'applied' where batch_no = ${batch_no} and row_no = 3`.execute(db))
    await app.call(jobApi.cancel, { job_no: second.job_no ?? '' }, { token: user.token })
    expect(await batchNow(app, user, batch_no)).toMatchObject({ state: 'applied', message: '导入中断，已导入1行', rows_applied: 1 })
    const sheet = await app.call(importApi.errorSheet, { batch_no }, { token: user.token })
    expect((await sheetLines(sheet)).slice(2).map(line => [line[0], line[5]])).toEqual([['n2', '未导入'], ['n3', '未导入']])
  })
})

describe('time', () => {
  it('ends what nobody applied, and takes files and rows away in the end', async () => {
    const { app: product } = app.running
    deskPort.one(product).runner = await startRunner(app.running)
    const unused = await sendSheet(app, user, await sheetOf([['1', '一', '甲']]), { 'idempotency-key': 'kept-twice' })
    await sendSheet(app, user, await sheetOf([['1', '一', '甲']]), { 'idempotency-key': 'kept-twice' })
    const { batch_no } = await settled(app, user, dataOf(importApi.upload, unused).batch_no)
    const folder = dirname(product.files.pathOf(`${test_schools.a}/import/any`))
    const used = await sqlCount(sql<{ n: number }>`select count(distinct file_key)::int as n from import_batch where school_id = ${test_schools.a}`)
    expect((await readdir(folder)).length).toBeGreaterThan(used)
    const due = async (days: number) => {
      app.clock.advance(days * 86_400_000)
      await until(async () => (await sqlCount(sql<{ n: number }>`select count(*)::int as n from work where due_at <= ${app.clock.now()}`)) === 0)
      user = await importer(test_schools.a, ['jobs.batch.view_all'])
    }
    await due(2)
    expect((await readdir(folder)).length).toBe(used)
    await due(6)
    expect(await batchNow(app, user, batch_no)).toMatchObject({ state: 'expired', rows_total: 1 })
    expect(await rowsOf(app, user, batch_no)).toMatchObject([{ cells: { probe_no: '1' } }])
    await due(180)
    expect(await rowsOf(app, user, batch_no)).toEqual([])
    expect(await readdir(folder)).toEqual([])
  })
})

async function sqlCount(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  const { rows } = await inSchool(db => query.execute(db))
  return rows[0]?.n ?? 0
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await setTimeout(20)
}
