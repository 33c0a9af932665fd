import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { remarkApi, studentApi } from '@campus/people/contract'
import type { RemarkField, RemarkLine } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk, told } from '../testing/dept-desk.ts'
import type { DeptDesk } from '../testing/dept-desk.ts'

let desk: DeptDesk
let campus: string
let kind: string

const [division, class_type] = [2, 4]
const lines: RemarkLine[] = [
  { label: '校区', options: ['东校区', '西校区'], applies_to: [division, 3, class_type], archived: false },
  { label: '班级性质', options: ['普通班', '实验班'], applies_to: [class_type], archived: false },
]

beforeAll(async () => {
  desk = await openDesk()
  const { list } = dataOf(remarkApi.save, await save(lines))
  ;[campus = '', kind = ''] = list.map(field => field.id)
})
afterAll(() => desk.app.close())

const save = (list: RemarkLine[]) => desk.app.call(remarkApi.save, { list }, { token: desk.registrar.token })
const config = async () => dataOf(remarkApi.config, await desk.app.call(remarkApi.config, {}, { token: desk.registrar.token })).list
const asLine = (field: RemarkField): RemarkLine => {
  const { used: _, ...line } = field
  return line
}
const standing = async (): Promise<RemarkLine[]> => (await config()).map(asLine)
const statis = async (field_id: string, who: TestUser = desk.registrar, more: Partial<Request<typeof remarkApi.statis>> = {}) =>
  dataOf(remarkApi.statis, await desk.app.call(remarkApi.statis, { field_id, ...more }, { token: who.token })).list
const pupils = async (query: Request<typeof studentApi.list>, who: TestUser = desk.registrar) => dataOf(studentApi.list, await desk.app.call(studentApi.list, query, { token: who.token })).list.map(row => row.user_name)

test('a grade speaks for its classes unless they say otherwise: file, figures and the roll agree', async () => {
  const { school, update, file, registrar } = desk
  await update(school.grade, { row_version: 1, remarks: { [campus]: '东校区' } })
  expect(await file(school.grade)).toMatchObject({ row_version: 2, remarks: { [campus]: '东校区' } })
  expect(await statis(campus)).toMatchObject([{ value: '东校区', depts: 2, students: 3, boys: 2, girls: 1 }, { value: '西校区', depts: 0, students: 0 }])
  await update(school.class_2, { row_version: 1, remarks: { [campus]: '西校区', [kind]: '实验班' } })
  expect((await statis(campus)).map(row => [row.value, row.depts, row.students])).toEqual([['东校区', 1, 2], ['西校区', 1, 1]])
  expect((await statis(kind)).map(row => [row.value, row.depts, row.students])).toEqual([['普通班', 0, 0], ['实验班', 1, 1], ['', 1, 2]])
  expect(await pupils({ remark_field: campus, remark_value: '西校区' })).toEqual(['单小明'])
  expect(await pupils({ remark_field: campus, remark_value: '东校区' })).toEqual(['王子涵', '王子轩'])
  expect(await pupils({ remark_field: kind })).toEqual(['王子涵', '王子轩'])
  expect(await statis(campus, registrar, { on: '2026-08-01' })).toMatchObject([{ depts: 0 }, { depts: 0 }])
  await update(school.class_2, { row_version: 2, remarks: { [kind]: null } })
  expect((await file(school.class_2)).remarks).toEqual({ [campus]: '西校区' })
})

test('a value is one of the options, of a field for this kind of departments; what is refused stands beside its field', async () => {
  const { school, update, add, file } = desk
  const { row_version } = await file(school.class_1)
  const strange = await update(school.class_1, { row_version, remarks: { [campus]: '南校区' } })
  expect([strange.status, strange.body.data]).toMatchObject([422, { errors: [{ field: `remarks.${campus}`, msg: '请选择列表中的选项' }] }])
  expect((await update(school.grade, { row_version: 2, remarks: { [kind]: '实验班' } })).status).toBe(422)
  expect((await update(school.class_1, { row_version, remarks: { 99999: '东校区' } })).status).toBe(422)
  const made = await add(school.grade, { dept_name: '一年级3班', dept_type: 4, remarks: { [kind]: '普通班' } })
  expect(made.status).toBe(200)
  expect((await statis(kind))[0]).toMatchObject({ value: '普通班', depts: 1 })
})

test('an option or field in use stays; an archived field offers nothing more, an unused one goes', async () => {
  const known = await standing()
  const [first] = known
  expect(told(await save(known.map(line => (line === first ? { ...line, options: ['东校区', '本部'] } : line))))).toEqual([409, '选项“西校区”已有1个部门使用，请先更换这些部门的备注'])
  expect(told(await save(known.filter(line => line !== first)))).toEqual([409, '“校区”已有部门填写，不能删除，请改为停用'])
  expect(told(await save([...known, { label: '校区', options: ['甲', '乙'], applies_to: [4], archived: false }]))[0]).toBe(409)
  expect((await save([...known, { label: '楼栋片区', options: ['南楼', '北楼'], applies_to: [4], archived: false }])).status).toBe(200)
  expect(told(await save(known))).toEqual([409, '备注设置已被他人修改，请刷新后重新设置'])
  const now = await standing()
  expect((await save(now.slice(0, 2).map((line, at) => ({ ...line, label: at === 0 ? '班级性质' : '校区', archived: at === 1 })))).status).toBe(200)
  expect((await config()).map(field => [field.label, field.archived, field.used])).toEqual([['班级性质', false, 2], ['校区', true, 1]])
  const { row_version } = await desk.file(desk.school.class_1)
  expect((await desk.update(desk.school.class_1, { row_version, remarks: { [kind]: '普通班' } })).status).toBe(422)
})

test('a department that vanishes takes its remarks along', async () => {
  const { school, opened, file, remove } = desk
  const id = await opened(school.grade, { dept_name: '一年级9班', dept_type: 4, remarks: { [campus]: '东校区' } })
  const { row_version } = await file(id)
  expect((await remove(id, { row_version })).body.data).toMatchObject({ outcome: 'deleted' })
})

test('20-A35 figures hold what the scope sees, and a field of another school does not exist', async () => {
  const { app, codes, school } = desk
  const head = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
  expect((await statis(campus, head)).reduce((sum, row) => sum + row.students, 0)).toBe(2)
  expect(await pupils({ remark_field: campus, remark_value: '西校区' }, head)).toEqual([])
  const abroad = await app.as({ school_id: 1002, codes })
  expect((await app.call(remarkApi.statis, { field_id: campus }, { token: abroad.token })).status).toBe(404)
  expect((await app.call(studentApi.list, { remark_field: campus, remark_value: '东校区' }, { token: abroad.token })).status).toBe(404)
  const theirs = (await config()).map(asLine)
  expect((await app.call(remarkApi.save, { list: theirs }, { token: abroad.token })).status).toBe(404)
})
