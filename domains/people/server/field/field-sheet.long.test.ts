import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { importApi, jobApi } from '@campus/jobs/contract'
import { fieldApi, peopleErrors, registerFieldApi, staffExportApi, studentExportApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { staff_columns } from '../import/staff.columns.ts'
import { student_columns } from '../import/student.columns.ts'
import { openSchool } from '../testing/changer.ts'
import { contents, importer } from '../testing/importer.ts'

type FieldInput = Request<typeof fieldApi.save>['list'][number]
type Line = Record<string, string>

const school_id = 1001
const codes = ['people.field.edit', 'people.student.view', 'people.student.import', 'people.student.export', 'people.staff.view', 'people.staff.import', 'people.staff.export', 'people.register.config']
const pupil_fields = [
  { field_code: 'hobby', label: '兴趣爱好', type: 'multi', options: ['围棋', '足球', '合唱'], in_index: true },
  { field_code: 'height', label: '身高', type: 'number' },
  { field_code: 'escort', label: '接送人手机', type: 'mobile', level: 3 },
  { field_code: 'note', label: '内部说明', type: 'text', in_export: false },
] satisfies FieldInput[]
const staff_fields = [{ field_code: 'office', label: '办公室', type: 'text' }, { field_code: 'day', label: '值班日', type: 'dict', options: ['周一', '周二'], required: true }] satisfies FieldInput[]
const built_in = { student: student_columns, teacher: staff_columns }
const own = { student: pupil_fields, teacher: staff_fields }
let app: TestApp
let clerk: TestUser
let by: ReturnType<typeof importer>

beforeAll(async () => {
  app = await startTestApp()
  await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  by = importer(app, clerk)
  await define(1, pupil_fields)
  await define(2, staff_fields)
})
afterAll(() => app.close())

const define = (field_scene: number, list: FieldInput[]): Promise<Answer> => app.call(fieldApi.save, { field_scene, list }, { token: clerk.token })

const dryRun = async (code: 'student' | 'teacher', lines: readonly Line[], more?: readonly { field_code: string; label: string }[]) => {
  const columns = (more ?? own[code]).map(field => ({ prop: `ext.${field.field_code}`, label: field.label }))
  const batch = await by.upload(code, await by.sheet(code, lines, columns))
  return { batch, rows: await by.rows(batch.batch_no) }
}
const extOf = (table: 'student' | 'staff', no: string) => app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
  const column = table === 'student' ? 'student_no' : 'teacher_no'
  return (await sql<{ ext: unknown }>`select ext from ${sql.table(table)} where school_id = ${school_id} and ${sql.ref(column)} = ${no}`.execute(db)).rows[0]?.ext
})
const sample = (code: 'student' | 'teacher'): Line => Object.fromEntries(built_in[code].map(column => [column.prop, 'sample' in column ? column.sample : '']))
const changes = (rows: Awaited<ReturnType<typeof dryRun>>['rows']) => rows[0]?.diff.map(({ prop, before, after }) => [prop, before, after])

async function result(job_no: string): Promise<string[][]> {
  await expect.poll(async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: clerk.token })).state, { timeout: 60_000 }).toBe('succeeded')
  return sheetLines(await app.call(jobApi.result, { job_no }, { token: clerk.token }))
}

describe('sheets of pupils', () => {
  test('the template ends with the live fields of the school', async () => {
    const [, head = []] = await sheetLines(await app.call(importApi.template, { code: 'student' }, { token: clerk.token }))
    expect(head.map(label => label.replace('*', '').trim()).slice(57)).toEqual(['兴趣爱好', '身高', '接送人手机', '内部说明'])
  })

  test('a line is judged by the rule of the file, changes are told and written, and the undo leaves every table as before', async () => {
    const before = await contents(app.running.database, school_id)
    const wrong = await dryRun('student', [{ student_no: '20260101', 'ext.hobby': '滑板', 'ext.height': '高', 'ext.escort': '123' }])
    expect(wrong.rows[0]?.errors.map(({ prop, label, msg }) => [prop, label, msg])).toEqual([
      ['ext.hobby', '兴趣爱好', '没有选项：滑板'], ['ext.height', '身高', '请填写数字，最多四位小数'], ['ext.escort', '接送人手机', '手机号格式不正确'],
    ])
    const { batch, rows } = await dryRun('student', [{ student_no: '20260101', 'ext.hobby': '合唱，围棋', 'ext.escort': '16900012345' }])
    expect(changes(rows)).toEqual([['ext.hobby', '', '围棋、合唱'], ['ext.escort', '', '169****2345']])
    expect(await contents(app.running.database, school_id)).toEqual(before)
    expect(await by.apply(batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 1 })
    expect(await extOf('student', '20260101')).toEqual({ hobby: '围棋、合唱', escort: expect.stringMatching(/^sealed:/) })
    expect((await dryRun('student', [{ student_no: '20260101', 'ext.hobby': '围棋、合唱' }])).batch.rows_same).toBe(1)
    expect(changes((await dryRun('student', [{ student_no: '20260101', 'ext.hobby': '[清空]' }])).rows)).toEqual([['ext.hobby', '围棋、合唱', '']])
    const journal = await app.running.database.tenant<PeopleDb, unknown[]>(school_id, db => db.selectFrom('archive_log_v').selectAll().where('school_id', '=', school_id).execute())
    expect([JSON.stringify(journal).includes('兴趣爱好'), JSON.stringify(journal).includes('16900012345')]).toEqual([true, false])
    expect((await by.undo(batch.batch_no)).batch.state).toBe('undone')
    expect(await contents(app.running.database, school_id)).toEqual(before)
  }, 60_000)

  test('a newcomer comes with values; a sheet from before the fields is read as ever', async () => {
    const newcomer = { ...sample('student'), class_name: '1班', student_no: 'S9001', school_roll_no: '', id_type: '护照', id_no: 'EX9001', p1_mobile: '16910009001', p2_mobile: '16910009002', 'ext.height': '120.5' }
    const { batch, rows } = await dryRun('student', [newcomer])
    expect(rows.flatMap(row => row.errors)).toEqual([])
    await by.apply(batch.batch_no)
    expect(await extOf('student', 'S9001')).toEqual({ height: '120.5' })
    const old = await dryRun('student', [{ student_no: 'S9001', former_name: '王小涵' }], [])
    expect([old.batch.state, changes(old.rows)]).toEqual(['parsed', [['former_name', '', '王小涵']]])
    const strange = await dryRun('student', [{ student_no: 'S9001' }], [{ field_code: 'x', label: '星座' }])
    expect([strange.batch.state, strange.batch.message]).toEqual(['refused', '模板不匹配，未知列：星座'])
  })

  test('the export offers what is exported, sensitive values masked; what is not exported is refused', async () => {
    const { batch } = await dryRun('student', [{ student_no: '20260101', 'ext.hobby': '围棋', 'ext.height': '141.5', 'ext.escort': '16900012345', 'ext.note': '秘密' }])
    await by.apply(batch.batch_no)
    const start = (fields?: Request<typeof studentExportApi.export>['fields']) => app.call(studentExportApi.export, { fields, keyword: '20260101' }, { token: clerk.token })
    const lines = await result(dataOf(studentExportApi.export, await start(['student_no', 'ext.hobby', 'ext.height', 'ext.escort'])).job_no)
    expect(lines.slice(-2)).toEqual([['学号', '兴趣爱好', '身高', '接送人手机'], ['20260101', '围棋', '141.5', '169****2345']])
    const whole = await result(dataOf(studentExportApi.export, await start()).job_no)
    expect(whole.at(-2)?.slice(-3)).toEqual(['兴趣爱好', '身高', '接送人手机'])
    expect((await start(['ext.note'])).body.msg).toBe(peopleErrors.fieldGone.msg)
    expect((await start(['ext.none'])).status).toBe(422)
  })
})

describe('sheets of staff', () => {
  test('required fields are demanded of new staff alone; values are written and taken back', async () => {
    const newcomer = { ...sample('teacher'), dept: '教务处', teacher_no: 'X1', mobile: '16910009101', id_type: '护照', id_no: 'EXT1', birthday: '', plate: '', roles: '' }
    const { rows } = await dryRun('teacher', [newcomer, { teacher_no: 'T1', 'ext.office': '北楼' }])
    expect(rows[0]?.errors.map(({ prop, msg }) => [prop, msg])).toEqual([['ext.day', '必填项不能为空']])
    expect([rows[1]?.verdict, rows[1]?.errors]).toEqual(['change', []])
    const before = await contents(app.running.database, school_id)
    const good = await dryRun('teacher', [{ ...newcomer, 'ext.day': '周二' }, { teacher_no: 'T1', 'ext.office': '北楼', 'ext.day': '周一' }])
    expect(await by.apply(good.batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 2 })
    expect([await extOf('staff', 'X1'), await extOf('staff', 'T1')]).toEqual([{ day: '周二' }, { office: '北楼', day: '周一' }])
    const { job_no } = dataOf(staffExportApi.export, await app.call(staffExportApi.export, { fields: ['teacher_no', 'ext.office', 'ext.day'] }, { token: clerk.token }))
    expect(await result(job_no)).toEqual(expect.arrayContaining([['工号', '办公室', '值班日'], ['T1', '北楼', '周一'], ['X1', '', '周二']]))
    expect((await by.undo(good.batch.batch_no)).batch.state).toBe('undone')
    expect(await contents(app.running.database, school_id)).toEqual(before)
  }, 60_000)

  test('no field has the name of a column of the sheet; the form of open registration may ask for a field', async () => {
    const list = dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene: 2 }, { token: clerk.token })).list.map(({ order_no: _order, used: _used, may_edit: _may, ...line }) => line)
    expect((await define(2, [...list, { field_code: 'dept', label: '部门', type: 'text' }])).body.error_id).toBe('people.fieldLabelTaken')
    const form = dataOf(registerFieldApi.list, await app.call(registerFieldApi.list, { field_scene: 2 }, { token: clerk.token })).list
    expect(form.filter(field => field.field_code.startsWith('ext.')).map(({ field_code, shown, required }) => [field_code, shown, required])).toEqual([['ext.office', false, false], ['ext.day', true, true]])
  })
})
