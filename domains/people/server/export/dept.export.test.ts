import { dataOf, jobSheet } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { deptExportApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dept_columns } from '../import/dept.columns.ts'
import { openDesk } from '../testing/dept-desk.ts'
import type { DeptDesk } from '../testing/dept-desk.ts'

let desk: DeptDesk
let codes: string[]

beforeAll(async () => {
  desk = await openDesk()
  codes = [...desk.codes, 'people.dept.export']
})
afterAll(() => desk.app.close())

async function exported(input: Request<typeof deptExportApi.export>, { token }: TestUser): Promise<string[][]> {
  const { app } = desk
  const { job_no } = dataOf(deptExportApi.export, await app.call(deptExportApi.export, input, { token }))
  return jobSheet(app, job_no, { token })
}

test('the departments of a tree stand in its order, in the columns of the import sheet, with leaders and figures', async () => {
  const { school, update } = desk
  const clerk = await desk.app.as({ school_id: 1001, codes })
  await update(school.office, { row_version: 1, head_user_id: school.teachers[1] ?? '' })
  const lines = await exported({ tree: 'student' }, clerk)
  const header = lines.find(line => line.includes('部门名称')) ?? []
  const of = (name: string) => Object.fromEntries(header.map((label, at) => [label, lines.find(line => line[1] === name)?.[at] ?? '']))
  expect(header.filter(label => dept_columns.some(column => column.label === label))).toHaveLength(dept_columns.length - 1)
  expect(lines.slice(lines.indexOf(header) + 1).map(line => line[1])).toEqual(['一年级', '一年级1班', '一年级2班'])
  expect(of('一年级')).toMatchObject({ 部门类型: '年级', 是否年级: '是', 年级代码: '一年级', 入学年份: '2026', 学生人数: '3' })
  expect(of('一年级1班')).toMatchObject({ 班主任工号: 'T1', 人数上限: '3', 学生人数: '2', 显示顺序: '1' })
  expect(lines[0]?.[0]).toContain('共3个部门')
  const staff = await exported({ tree: 'staff' }, clerk)
  expect(staff.at(-1)?.slice(1, 4)).toEqual(['教务处', '行政部门', '否'])
  expect(staff.at(-1)).toContain('T2')
})

test('20-A35 the export of a reader of one class holds that class alone', async () => {
  const reader = await desk.app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [desk.school.class_2] })
  const lines = await exported({ tree: 'student' }, reader)
  expect(lines.at(-1)?.[1]).toBe('一年级2班')
  expect(lines.flat()).not.toContain('一年级1班')
})
