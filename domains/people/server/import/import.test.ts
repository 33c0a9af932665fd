import { setTimeout as pause } from 'node:timers/promises'
import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch, ImportRow } from '@campus/jobs/contract'
import { parentApi, studentApi } from '@campus/people/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import type { Field } from './field.ts'
import { line } from './import.builders.ts'
import { parent_columns } from './parent.columns.ts'
import { student_columns } from './student.columns.ts'

type Line = Record<string, string>
const school_id = 1001
const deadline_ms = 20_000
const codes = ['people.student.view', 'people.parent.view', 'people.student.import', 'people.parent.import']

let app: TestApp
let school: SmallSchool
let registrar: TestUser

beforeAll(async () => {
  app = await startTestApp()
  const { app: running, database } = app.running
  school = await database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
  registrar = await app.as({ school_id, codes })
})

afterAll(() => app.close())

/** Uploads a sheet and waits for its dry run. */
async function dryRun(code: 'student' | 'parent', lines: readonly Line[], who = registrar): Promise<{ batch: ImportBatch; rows: ImportRow[] }> {
  const fields: readonly Field[] = code === 'student' ? student_columns : parent_columns
  const columns = fields.map(({ prop, label, required = false }) => ({ prop, label, required, text: true }))
  const body = await writeTemplate({ sheet: '导入', notes: ['说明'], columns, samples: lines.map(cells => fields.map(({ prop }) => cells[prop] ?? '')) })
  const answer = await app.call(importApi.upload, { code }, { token: who.token, file: { name: `${code}.xlsx`, body } })
  const { batch_no } = importApi.upload.details.reply.parse(answer.body.data)
  const batch = await settled(batch_no, ['parsed', 'refused', 'failed'])
  const rows = await app.call(importApi.rows, { batch_no }, { token: who.token })
  return { batch, rows: importApi.rows.details.reply.parse(rows.body.data).list }
}

/** Applies a batch and waits for its end. */
async function apply({ batch_no }: ImportBatch): Promise<ImportBatch> {
  await app.call(importApi.apply, { batch_no }, { token: registrar.token })
  return settled(batch_no, ['applied', 'failed'])
}

async function settled(batch_no: string, states: readonly string[]): Promise<ImportBatch> {
  const until = Date.now() + deadline_ms
  for (;;) {
    const answer = await app.call(importApi.one, { batch_no }, { token: registrar.token })
    const batch = importApi.one.details.reply.parse(answer.body.data)
    if (states.includes(batch.state)) return batch
    if (Date.now() > until) throw new Error(`batch ${batch_no} is still ${batch.state}`)
    await pause(50)
  }
}

async function pupil(keyword: string) {
  const answer = await app.call(studentApi.list, { keyword }, { token: registrar.token })
  return studentApi.list.details.reply.parse(answer.body.data).list[0]
}

async function parentTotal(): Promise<number> {
  const answer = await app.call(parentApi.list, {}, { token: registrar.token })
  return parentApi.list.details.reply.parse(answer.body.data).total
}

const newcomer = (more: Line = {}) => line({ student_no: '20260301', p1_mobile: '16900000011', p2_mobile: '16900000012', ...more })
const nobody = { p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '' }
const known = (more: Line): Line => ({ student_no: '20260101', ...more })

describe('the sheet of pupils', () => {
  test('20-A19 says per row what would happen, and writes nothing', async () => {
    const { batch, rows } = await dryRun('student', [newcomer(), known({ blood: 'A血型' }), known({ student_no: '20260102' }), { student_no: '学号' }])
    expect([batch.rows_new, batch.rows_change, batch.rows_same, batch.rows_error]).toEqual([1, 1, 1, 1])
    expect(rows[1]?.diff).toEqual([{ prop: 'blood', label: '血型', before: '', after: 'A血型' }])
    expect(await pupil('20260301')).toBeUndefined()
  })

  test('20-A21 enrols a pupil whose father is known by his mobile', async () => {
    const before = await parentTotal()
    const { batch } = await dryRun('student', [newcomer({ p1_name: '王志强', p1_mobile: '16900000001' })])
    expect(await apply(batch)).toMatchObject({ state: 'applied', rows_applied: 1, rows_recheck: 0 })
    const row = await pupil('20260301')
    expect(row).toMatchObject({ user_name: '王子涵', dept_name: '一年级1班', id_no: '370***********0014' })
    expect(row?.parents.map(parent => [parent.user_name, parent.is_first])).toEqual([['王志强', true], ['李秀芳', false]])
    expect(await parentTotal()).toBe(before + 1)
  })

  test('20-A20 changes what the sheet says and moves nobody', async () => {
    const { batch, rows } = await dryRun('student', [known({ user_name: '王梓涵', grade: '一年级', class_name: '2班', remark: '转学生' })])
    expect(rows[0]?.warnings.map(issue => issue.msg)).toEqual(['已在一年级1班，调班请使用调班功能'])
    await apply(batch)
    const row = await pupil('20260101')
    expect(row).toMatchObject({ user_name: '王梓涵', dept_name: '一年级1班' })
    expect(await pupil('wangzihan')).toMatchObject({ student_no: '20260101' })
  })

  test('20-A20 imported twice changes nothing', async () => {
    const lines = [known({ remark: '三好学生' })]
    await apply((await dryRun('student', lines)).batch)
    const row = await pupil('20260101')
    const again = await dryRun('student', lines)
    expect(again.batch.rows_same).toBe(1)
    expect((await pupil('20260101'))?.row_version).toBe(row?.row_version)
  })

  test('a row whose pupil was changed meanwhile is looked at again, the others go on', async () => {
    const { batch } = await dryRun('student', [known({ remark: '一' }), known({ student_no: '20260102', remark: '二' })])
    await apply((await dryRun('student', [known({ remark: '先到' })])).batch)
    expect(await apply(batch)).toMatchObject({ rows_applied: 1, rows_recheck: 1 })
  })

  test('20-A21 two names under one mobile: the first pupil comes in', async () => {
    const { batch, rows } = await dryRun('student', [
      newcomer({ ...nobody, student_no: '20260401', school_roll_no: '', id_no: '370200201805120057', p1_mobile: '16900000041' }),
      newcomer({ ...nobody, student_no: '20260402', school_roll_no: '', id_no: '370200201805120073', p1_mobile: '16900000041', p1_name: '赵大' }),
    ])
    expect(rows.map(row => row.warnings.some(issue => issue.prop === 'p1_mobile'))).toEqual([true, true])
    expect(await apply(batch)).toMatchObject({ rows_applied: 1, rows_recheck: 1 })
  })

  test('20-A35 a class teacher reaches the own class alone', async () => {
    const head = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
    const answer = await app.call(importApi.template, { code: 'student' }, { token: head.token })
    expect(answer.status).toBe(200)
    const { batch_no } = await uploadAs(head, known({ blood: 'B血型' }))
    const rows = await app.call(importApi.rows, { batch_no }, { token: head.token })
    expect(importApi.rows.details.reply.parse(rows.body.data).list[0]?.errors.map(issue => issue.msg)).toEqual(['该学生不在您的管理范围内'])
  })
})

async function uploadAs(who: TestUser, cells: Line): Promise<{ batch_no: string }> {
  const columns = student_columns.map(({ prop, label }) => ({ prop, label, required: false, text: true }))
  const body = await writeTemplate({ sheet: '导入', notes: [], columns, samples: [student_columns.map(({ prop }) => cells[prop] ?? '')] })
  const answer = await app.call(importApi.upload, { code: 'student' }, { token: who.token, file: { name: 'a.xlsx', body } })
  const { batch_no } = importApi.upload.details.reply.parse(answer.body.data)
  const until = Date.now() + deadline_ms
  for (;;) {
    const one = await app.call(importApi.one, { batch_no }, { token: who.token })
    if (importApi.one.details.reply.parse(one.body.data).state === 'parsed') return { batch_no }
    if (Date.now() > until) throw new Error('no dry run')
    await pause(50)
  }
}

describe('the sheet of parents', () => {
  const parent = (more: Line): Line => ({ student_no: '20260201', student_name: '单小明', name: '单大山', relation: '父亲', mobile: '16900000003', is_first: '是', ...more })

  test('20-A21 links a new guardian who becomes the first contact', async () => {
    const { batch } = await dryRun('parent', [parent({ name: '何美', relation: '母亲', mobile: '16900000031', work: '(虚构)医院' })])
    expect(await apply(batch)).toMatchObject({ rows_applied: 1 })
    const row = await pupil('20260201')
    expect(row?.parents.map(one => [one.user_name, one.is_first])).toEqual([['何美', true], ['单大山', false]])
  })

  test('changes a link and what is known of the parent', async () => {
    const { batch, rows } = await dryRun('parent', [parent({ is_first: '否', pickup: '否', edu: '大学本科毕业' })])
    expect(rows[0]?.diff.map(change => [change.label, change.before, change.after])).toEqual([['是否可接送', '是', '否'], ['学历', '', '大学本科毕业']])
    expect(await apply(batch)).toMatchObject({ rows_applied: 1 })
    expect((await dryRun('parent', [parent({ is_first: '否', pickup: '否', edu: '大学本科毕业' })])).batch.rows_same).toBe(1)
  })

  test.each<[Line, string]>([
    [{ student_no: '999' }, '人员不存在'],
    [{ student_name: '单小月' }, '姓名与编号不一致'],
    [{ name: '单小山' }, '家长手机号与姓名不符'],
    [{ mobile: '16900000001' }, '手机号已被占用'],
    [{ relation: '师傅' }, '字典值不存在'],
    [{ is_guardian: '否', mobile: '16900000003', is_first: '' }, '必填项不能为空'],
  ])('%o is refused: %s', async (cells, msg) => {
    const { rows } = await dryRun('parent', [parent(cells)])
    expect(rows[0]?.errors.map(issue => issue.msg)).toContain(msg)
  })

  test('a guardian stands once beside a pupil', async () => {
    const { rows } = await dryRun('parent', [parent({ is_first: '否' }), parent({ is_first: '否', relation: '爷爷' })])
    expect(rows.map(row => row.errors.map(issue => issue.msg))).toEqual([['文件内重复（第4行）'], ['文件内重复（第3行）']])
  })
})
