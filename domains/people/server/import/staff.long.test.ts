import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { staffApi, staffFileApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { contents, importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'
import { staff_columns } from './staff.columns.ts'

const school_id = 1001
const codes = ['people.staff.view', 'people.staff.edit', 'people.staff.import', 'people.change.run']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let by: ReturnType<typeof importer>
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  const { app: running, database } = app.running
  school = await database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
  clerk = await app.as({ school_id, codes })
  by = importer(app, clerk)
})
afterAll(() => app.close())

/** The sample line of the template as somebody of his own. */
function teacher(more: Line = {}): Line {
  made += 1
  const sample = Object.fromEntries(staff_columns.map(column => [column.prop, 'sample' in column ? column.sample : '']))
  return { ...sample, dept: '教务处', teacher_no: `N${made}`, mobile: `1693${String(made).padStart(7, '0')}`, id_type: '护照', id_no: `TE${made}`, birthday: '19850615', plate: '', roles: '', ...more }
}
async function rowsOf(lines: Line[]) {
  const batch = await by.dryRun('teacher', lines)
  return { batch, rows: await by.rows(batch.batch_no) }
}
async function imported(lines: Line[]) {
  const { batch, rows } = await rowsOf(lines)
  expect(rows.flatMap(row => row.errors)).toEqual([])
  return by.apply(batch.batch_no)
}
const found = async (keyword: string) => dataOf(staffApi.list, await app.call(staffApi.list, { keyword }, { token: clerk.token })).list
const plates = () => app.running.database.tenant<PeopleDb, { teacher_no: string; plate_no: string }[]>(school_id, async db =>
  (await sql<{ teacher_no: string; plate_no: string }>`select s.teacher_no, v.plate_no from person_vehicle_live v join staff s using (school_id, user_id) where v.school_id = ${school_id} order by 1, 2`.execute(db)).rows)

describe('the sheet of staff', () => {
  test('says per line what would happen and writes nothing; applied it hires, changes and joins, and the undo leaves every table as before', async () => {
    const before = await contents(app.running.database, school_id)
    const lines = [
      teacher({ plate: '鲁B00001', dept: '教务处' }),
      { teacher_no: 'T1', title: '一级教师', mobile: '16910000009', plate: '鲁BD00002' },
      { mobile: '16910000002', user_name: '周明', teacher_no: 'T22' },
      teacher({ user_name: '李秀芳', mobile: '16900000002', id_no: 'TEJ', plate: '鲁B00003' }),
    ]
    const { batch, rows } = await rowsOf(lines)
    expect([batch.rows_new, batch.rows_change, batch.rows_error]).toEqual([2, 2, 0])
    expect(rows[1]?.diff.map(change => [change.prop, change.before, change.after])).toEqual([['mobile', '169****0001', '169****0009'], ['title', '', '一级教师'], ['plate', '', '鲁BD00002']])
    expect(rows[2]?.diff.map(change => [change.prop, change.before, change.after])).toEqual([['teacher_no', 'T2', 'T22']])
    expect(await contents(app.running.database, school_id)).toEqual(before)
    const done = await by.apply(batch.batch_no)
    expect(done).toMatchObject({ state: 'applied', rows_applied: 4, rows_recheck: 0 })
    expect(await found('N1')).toMatchObject([{ user_name: '陈晓华', depts: [{ dept_id: school.office, is_primary: true }], state: '11' }])
    expect(await found('T22')).toMatchObject([{ user_name: '周明', user_no: 'T22' }])
    expect(await found('N2')).toMatchObject([{ user_name: '李秀芳', mobile: '169****0002' }])
    expect((await plates()).map(row => row.plate_no)).toEqual(['鲁B00001', '鲁B00003', '鲁BD00002'])
    const { status, batch: undone } = await by.undo(batch.batch_no)
    expect([status, undone.state, undone.rows_undone, undone.undo_message]).toEqual([200, 'undone', 4, null])
    expect(await contents(app.running.database, school_id)).toEqual(before)
  }, 60_000)

  test('imported twice changes nothing; departments and states stay, which the line says', async () => {
    const line = teacher({ dept: '教务处' })
    await imported([line])
    const { batch } = await rowsOf([line])
    expect(batch.rows_same).toBe(1)
    const { rows } = await rowsOf([{ teacher_no: line.teacher_no ?? '', dept: '学校', state: '离职' }])
    expect(rows[0]?.errors.map(issue => issue.msg)).toEqual(['部门不存在：学校'])
    const again = await rowsOf([{ teacher_no: line.teacher_no ?? '', state: '离职' }])
    expect([again.batch.rows_same, again.rows[0]?.warnings.map(issue => issue.prop)]).toEqual([1, ['state']])
  })

  test('what was changed after the import keeps its line from being taken back', async () => {
    const line = teacher()
    const batch = await imported([line, teacher()])
    const [row] = await found(line.teacher_no ?? '')
    const patch = { user_id: row?.user_id ?? '', row_version: row?.row_version ?? 0, remark: '后来改的' }
    expect((await app.call(staffFileApi.update, patch, { token: clerk.token })).status).toBe(200)
    const refused = await by.undo(batch.batch_no)
    expect([refused.status, refused.batch.rows_blocked]).toEqual([200, 1])
    expect((await by.rows(batch.batch_no, { only_blocked: '1' })).map(one => one.errors.map(issue => issue.msg))).toEqual([['教职工信息在导入后已被修改']])
  })

  const plain = (more: Line) => teacher(more)
  test.each<[string, Line, string]>([
    ['T1 of another mobile', { mobile: '16910000002' }, '手机号已被占用'],
    ['a pupil’s number', { teacher_no: '20260101' }, '人员编号重复'],
    ['a parent’s number', { teacher_no: 'P12' }, '人员编号重复'],
    ['a known mobile under another name', { mobile: '16900000001' }, '手机号已被占用'],
    ['an unknown department', { dept: '教务处；后勤处' }, '部门不存在：后勤处'],
    ['the same department twice', { dept: '教务处；教务处' }, '同一部门不能重复'],
    ['somebody who is gone', { state: '离职' }, '只能导入在职、延聘、待退休或返聘的教职工'],
    ['a word of no dictionary', { kind: '教员' }, '字典值不存在'],
    ['an empty cell', { join_month: '' }, '必填项不能为空'],
    ['a wrong plate', { plate: '鲁B0000' }, '车牌号不合法'],
    ['a pupil’s document', { id_type: '居民身份证', id_no: '370200202005120019', birthday: '20200512', sex: '男' }, '身份证号重复'],
  ])('%s is refused: %s', async (_what, cells, msg) => {
    const { rows } = await rowsOf([plain(cells)])
    expect(rows[0]?.errors.map(issue => issue.msg)).toContain(msg)
  })

  test('20-A18 a plate that somebody has, or another line names, is refused', async () => {
    await imported([teacher({ plate: '鲁B00009' })])
    const { rows } = await rowsOf([teacher({ plate: '鲁B00009' }), teacher({ plate: '鲁B00008' }), teacher({ plate: '鲁B00008' })])
    expect(rows.map(row => row.errors.map(issue => [issue.prop, issue.msg]))).toEqual([[['plate', '车牌号已被登记']], [['plate', '文件内重复（第5行）']], [['plate', '文件内重复（第4行）']]])
  })

  test('20-A35 staff and departments beyond the scope do not exist', async () => {
    const head = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_1] })
    const batch = await importer(app, head).dryRun('teacher', [{ teacher_no: 'T1', remark: '改' }, teacher()])
    const rows = await importer(app, head).rows(batch.batch_no)
    expect(rows.map(row => row.errors.map(issue => issue.msg))).toEqual([['该教职工不在您的管理范围内'], ['部门不存在：教务处']])
  })
})
