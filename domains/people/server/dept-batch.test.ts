import { dataOf } from '@apps/server/testing'
import type { Answer } from '@apps/server/testing'
import { deptEditApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk, told } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk
let grade: string

beforeAll(async () => {
  desk = await openDesk()
  grade = await desk.opened(desk.school.root, { dept_name: '高一', dept_type: 3, grade: '31' })
})
afterAll(() => desk.app.close())

function addAll(input: Request<typeof deptEditApi.batchAdd>): Promise<Answer> {
  return desk.app.call(deptEditApi.batchAdd, input, { token: desk.registrar.token })
}

function updateAll(rows: Request<typeof deptEditApi.batchUpdate>['rows']): Promise<Answer> {
  return desk.app.call(deptEditApi.batchUpdate, { rows }, { token: desk.registrar.token })
}

describe('numbered classes', () => {
  test('are called by the word of their grade', async () => {
    const { below, file } = desk
    const { list } = dataOf(deptEditApi.batchAdd, await addAll({ parent_id: grade, from_no: 1, to_no: 6, capacity: 50, class_type: '40' }))
    expect(await below(grade)).toEqual([1, 2, 3, 4, 5, 6].map(n => `高一${n}班`))
    expect(await file(list[5]?.id ?? '')).toMatchObject({ class_no: 6, capacity: 50, class_type: '40', grade: '31', stage: '3', enrol_year: 2026, label: '高一6班' })
  })

  test('come all or none', async () => {
    const before = await desk.app.checksum()
    expect(told(await addAll({ parent_id: grade, from_no: 5, to_no: 8 }))).toEqual([409, '同级下已存在同名部门'])
    expect((await addAll({ parent_id: grade, from_no: 9, to_no: 8 })).body).toMatchObject({ code: 422, data: { errors: [{ field: 'to_no' }] } })
    expect(told(await addAll({ parent_id: desk.school.root, from_no: 1, to_no: 2 }))).toEqual([422, '班级必须建在年级下'])
    expect(await desk.app.checksum()).toBe(before)
  })
})

describe('many new departments', () => {
  test('come all or none, and say which is wrong', async () => {
    const { school, officesBelow, app } = desk
    const row = { parent_id: school.root, dept_type: 5 }
    expect((await addAll({ rows: [{ ...row, dept_name: '甲处' }, { ...row, dept_name: '乙处' }] })).status).toBe(200)
    expect((await officesBelow(school.root)).slice(-2)).toEqual(['甲处', '乙处'])
    const before = await app.checksum()
    expect((await addAll({ rows: [{ ...row, dept_name: '丙处' }, { parent_id: school.root, dept_type: 3, dept_name: '预备年级' }] })).body).toMatchObject({ code: 422, data: { errors: [{ field: 'rows.1.enrol_year', msg: '请填写入学年份' }] } })
    expect(told(await addAll({ rows: [{ ...row, dept_name: '丁处' }, { ...row, dept_name: '丁处' }] }))).toEqual([409, '同级下已存在同名部门'])
    expect((await addAll({ rows: Array.from({ length: 201 }, (_, at) => ({ ...row, dept_name: `处${at}` })) })).status).toBe(400)
    expect(await app.checksum()).toBe(before)
  })

  test('two hundred are made at once', async () => {
    const { school, opened, officesBelow } = desk
    const parent_id = await opened(school.root, { dept_name: '大处', dept_type: 5 })
    const rows = Array.from({ length: 200 }, (_, at) => ({ parent_id, dept_type: 5, dept_name: `小组${at}` }))
    expect((await addAll({ rows })).status).toBe(200)
    expect(await officesBelow(parent_id)).toEqual(rows.map(row => row.dept_name))
  })
})

describe('many edits', () => {
  test('are made all or none', async () => {
    const { app, opened, school, file } = desk
    const ids = [await opened(school.root, { dept_name: '一处', dept_type: 5 }), await opened(school.root, { dept_name: '二处', dept_type: 5 })]
    const [a = '', b = ''] = ids
    const saved = await updateAll([{ id: a, row_version: 1, dept_name: '一办' }, { id: b, row_version: 1, parent_id: a }])
    expect(saved.body.data).toEqual({ list: [{ id: a, row_version: 2 }, { id: b, row_version: 2 }] })
    expect((await file(b)).versions.at(-1)?.pt_node_path_name).toBe('测试一校/一办/二处')
    const before = await app.checksum()
    expect((await updateAll([{ id: a, row_version: 2, dept_name: '一厅' }, { id: b, row_version: 1, dept_name: '二厅' }])).status).toBe(409)
    expect(told(await updateAll([{ id: a, row_version: 2, dept_name: '一厅' }, { id: a, row_version: 3, dept_name: '二厅' }]))).toEqual([422, '输入内容有误，请重新输入！'])
    expect(await app.checksum()).toBe(before)
  })
})
