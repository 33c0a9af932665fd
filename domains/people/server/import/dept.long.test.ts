import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import { remarkApi } from '@campus/people/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDesk } from '../testing/dept-desk.ts'
import type { DeptDesk } from '../testing/dept-desk.ts'
import { contents, importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'

const school_id = 1001
let desk: DeptDesk
let clerk: TestUser
let by: ReturnType<typeof importer>
let campus: string
let school_name: string

beforeAll(async () => {
  desk = await openDesk()
  clerk = await desk.app.as({ school_id, codes: [...desk.codes, 'people.dept.import'] })
  by = importer(desk.app, clerk)
  school_name = (await desk.file(desk.school.root)).dept_name
  const list = [{ label: '校区', options: ['东校区', '西校区'], applies_to: [2, 3, 4], archived: false }]
  campus = dataOf(remarkApi.save, await desk.app.call(remarkApi.save, { list }, { token: desk.registrar.token })).list[0]?.id ?? ''
})
afterAll(() => desk.app.close())

const dept = (parent_path: string, dept_name: string, dept_type: string, more: Line = {}): Line => ({ parent_path, dept_name, dept_type, is_grade: dept_type === '年级' ? '是' : '否', ...more })
async function rowsOf(lines: Line[], who = by) {
  const batch = await who.dryRun('department', lines.map(line => ({ ...line, parent_path: (line.parent_path ?? '').replace(school, school_name) })))
  return { batch, rows: await who.rows(batch.batch_no) }
}
const messages = async (lines: Line[]) => (await rowsOf(lines)).rows.map(row => row.errors.map(issue => issue.msg))
/** Departments as the tables hold them; what identity is told of duties gets new ids. */
const depts = async () => (await contents(desk.app.running.database, school_id)).filter(line => /^(?:dept|person|staff)/.test(line))
/** Stands for the school's name in a path, which only the database knows. */
const school = '一校'

describe('the sheet of departments', () => {
  test('a whole school is made of one sheet, parents before children or beside them; the undo leaves every department as before', async () => {
    const before = await depts()
    const lines = [
      dept(school, '初中部', '学部'),
      dept(`${school}/初中部`, '七年级', '年级', { grade: '七年级', remark: '校区：西校区', head_no: 'T2' }),
      dept('初中部/七年级', '1班', '班级', { head_no: 'T1', order: '2' }),
      dept('初中部/七年级', '七年级2班', '班级', { order: '1', vice_no: 'T1；T2' }),
      dept(school, '语文教研组', '教研组', { head_no: 'T1' }),
      dept('语文教研组', '初中语文备课组', '备课组'),
      dept('一年级', '1班', '班级', { class_type: '', head_no: 'T2', remark: '校区：东校区' }),
    ]
    const { batch, rows } = await rowsOf(lines)
    expect(rows.flatMap(row => [...row.errors, ...row.warnings])).toEqual([])
    expect([batch.rows_new, batch.rows_change]).toEqual([6, 1])
    expect(rows.at(-1)?.diff.map(change => [change.prop, change.before, change.after])).toEqual([['head_no', '陈晓华', '周明'], ['remark', '', '东校区']])
    expect(await depts()).toEqual(before)
    const done = await by.apply(batch.batch_no)
    expect(done).toMatchObject({ state: 'applied', rows_applied: 7, rows_recheck: 0 })
    const board = await desk.board()
    expect(board.find(grade => grade.dept_name === '七年级')).toMatchObject({ pname: '初中部', head: { user_name: '周明' }, classes: [{ dept_name: '七年级2班' }, { dept_name: '七年级1班', class_no: 1, head: { user_name: '陈晓华' } }] })
    expect(await desk.file(desk.school.class_1)).toMatchObject({ head: { user_name: '周明' }, remarks: { [campus]: '东校区' } })
    expect(await desk.officesBelow(desk.school.root)).toContain('语文教研组')
    const again = await rowsOf(lines)
    expect([again.batch.rows_same, again.batch.rows_error]).toEqual([7, 0])
    const { batch: undone } = await by.undo(batch.batch_no)
    expect([undone.state, undone.rows_undone, undone.undo_message]).toEqual(['undone', 7, null])
    expect(await depts()).toEqual(before)
  }, 60_000)

  test('what has been put below since keeps its department, the others go', async () => {
    const { batch } = await rowsOf([dept(school, '后勤处', '行政部门'), dept(school, '宣传处', '行政部门')])
    await by.apply(batch.batch_no)
    const root = await desk.officesBelow(desk.school.root)
    expect(root).toEqual(expect.arrayContaining(['后勤处', '宣传处']))
    const tree = dataOf(importApi.rows, await desk.app.call(importApi.rows, { batch_no: batch.batch_no }, { token: clerk.token })).list
    expect(tree).toHaveLength(2)
    const { batch: second } = await rowsOf([dept('后勤处', '维修组', '其他')])
    await by.apply(second.batch_no)
    const refused = await by.undo(batch.batch_no)
    expect([refused.batch.state, refused.batch.rows_blocked]).toEqual(['applied', 1])
    expect((await by.rows(batch.batch_no, { only_blocked: '1' })).map(row => row.errors.map(issue => issue.msg))).toEqual([['部门在导入后已变动，或已有人员、下级部门']])
    const { batch: partly } = await by.undo(batch.batch_no, true)
    expect([partly.state, partly.rows_undone]).toEqual(['undone', 1])
    expect(await desk.officesBelow(desk.school.root)).toContain('后勤处')
    expect(await desk.officesBelow(desk.school.root)).not.toContain('宣传处')
  })

  test.each<[string, Line, string]>([
    ['an unknown parent', dept('一校/没有的部', '九班', '班级'), '部门不存在：没有的部'],
    ['a class under the school', dept(school, '实验班', '班级'), '班级必须建在年级下'],
    ['a group of lessons under the school', dept(school, '数学备课组', '备课组'), '该类型的部门不能建在所选上级下'],
    ['a type that is made elsewhere', dept(school, '合唱团', '社团'), '该类型的部门不能导入'],
    ['a word of no dictionary', dept(school, '合唱团', '乐队'), '字典值不存在'],
    ['a grade that says it is none', { ...dept(school, '八年级', '年级', { grade: '八年级' }), is_grade: '否' }, '是否年级与部门类型不一致'],
    ['a grade without its code', dept(school, '八年级', '年级'), '必填项不能为空'],
    ['a name with other signs', dept(school, '总务处!', '行政部门'), '不能包含特殊字符'],
    ['a year of entry that is none', dept(school, '八年级', '年级', { grade: '八年级', enrol_year: '26' }), '请填写1970至2100的整数'],
    ['a head who is not here', dept(school, '总务处', '行政部门', { head_no: 'T99' }), '工号不存在或不在职：T99'],
    ['a remark of no option', dept(school, '高中部', '学部', { remark: '校区：南校区' }), '没有选项：南校区'],
    ['a remark for other kinds', dept(school, '总务处', '行政部门', { remark: '校区：东校区' }), '没有适用的备注项：校区，请写成“校区：东校区”的形式'],
    ['another type on a known path', dept(school, '教务处', '年级组'), '该路径已有其他类型的部门'],
  ])('%s is refused: %s', async (_what, line, msg) => {
    expect((await messages([line, dept(school, '另一处', '行政部门')]))[0]).toContain(msg)
  })

  test('one path stands once in a file, however its class is written', async () => {
    expect(await messages([dept('一年级', '5班', '班级'), dept('一校/一年级', '一年级5班', '班级')])).toEqual([['同一部门重复出现在第4行'], ['同一部门重复出现在第3行']])
  })

  test('a mended line is judged alone: its parent from the same file is pointed out, no error', async () => {
    const { batch, rows } = await rowsOf([dept(school, '国际部', '学部'), dept('国际部', '高一', '年级', { grade: '高二年级' })])
    expect(rows[1]?.errors.map(issue => issue.prop)).toEqual(['grade'])
    const answer = dataOf(importApi.fix, await desk.app.call(importApi.fix, { batch_no: batch.batch_no, row_no: rows[1]?.row_no ?? 0, cells: { grade: '高一' } }, { token: clerk.token }))
    expect([answer.row.verdict, answer.row.warnings.map(issue => issue.msg)]).toEqual(['new', ['上级部门“国际部”还不存在，须由本表其他行新建，否则该行不会导入']])
    expect(await by.apply(batch.batch_no)).toMatchObject({ rows_applied: 2, rows_recheck: 0 })
  })

  test('20-A35 departments beyond the scope do not exist, and nobody imports without the permission', async () => {
    const head = await desk.app.as({ school_id, codes: [...desk.codes, 'people.dept.import'], scope: 'custom', scope_ids: [desk.school.class_1] })
    const { rows } = await rowsOf([dept('一年级', '2班', '班级', { head_no: 'T1' }), dept('一年级', '1班', '班级', { remark: '校区：西校区' })], importer(desk.app, head))
    expect(rows.map(row => [row.verdict, row.errors.map(issue => issue.msg)])).toEqual([['error', ['部门不存在：一年级']], ['change', []]])
    expect((await desk.app.call(importApi.template, { code: 'department' }, { token: desk.registrar.token })).status).toBe(403)
  })
})
