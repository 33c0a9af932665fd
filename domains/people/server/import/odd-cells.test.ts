import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { studentApi } from '@campus/people/contract'
import { writeTemplate } from '@kit/server/excel'
import { buildXlsx } from '@kit/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import { importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'
import { line } from './import.builders.ts'
import { student_columns } from './student.columns.ts'

const school_id = 1001
const nobody = { p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '' }

let app: TestApp
let registrar: TestUser
let by: ReturnType<typeof importer>

beforeAll(async () => {
  app = await startTestApp()
  const { app: running, database } = app.running
  await database.tenant<PeopleDb, unknown>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
  registrar = await app.as({ school_id, codes: ['people.student.import', 'people.student.view'] })
  by = importer(app, registrar)
})
afterAll(() => app.close())

const newcomer = (n: number, more: Line): Line =>
  line({ user_name: `王${n}`, student_no: `8800${n}`, school_roll_no: '', id_type: '护照', id_no: `EO8800${n}`, birthday: '20180512', p1_name: `家${n}`, p1_mobile: `1698800000${n}`, ...nobody, ...more })

async function stored(student_no: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await app.running.database.tenant<PeopleDb, { rows: Record<string, unknown>[] }>(school_id, db =>
    sql<Record<string, unknown>>`
      select p.user_name, p.birthday::text as birthday, s.student_no, s.remark, p.tel from student s join person p on p.school_id = s.school_id and p.user_id = s.user_id
      where s.school_id = ${school_id} and s.student_no = ${student_no}`.execute(db),
  )
  return rows[0]
}

test('what looks odd and is right is kept as it was meant', async () => {
  const lines = [
    newcomer(1, { student_no: '８８００１', tel: '１６９０００００００１' }),
    newcomer(2, { user_name: '\u00a0王二\u3000', remark: '\u00a0三好 学生\u00a0' }),
    newcomer(3, { user_name: '𠮷䶮𫖮', remark: '笑😀哭' }),
    newcomer(4, { birthday: '2018-05-12' }),
    newcomer(5, { id_type: '居民身份证', id_no: '370200201805120013', sex: '男', birthday: '2018-05-12' }),
  ]
  const batch = await by.dryRun('student', lines)
  const rows = await by.rows(batch.batch_no)
  expect(rows.map(row => row.errors.map(({ label, msg }) => `${label} ${msg}`))).toEqual(lines.map(() => []))
  expect(rows[4]?.warnings.filter(({ prop }) => prop === 'id_no').map(({ msg }) => msg)).toEqual(['身份证号校验位不符，请核对'])
  expect(await by.apply(batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: lines.length, rows_recheck: 0 })
  expect(await stored('88001')).toMatchObject({ student_no: '88001', tel: '16900000001' })
  expect(await stored('88002')).toMatchObject({ user_name: '王二', remark: '三好 学生' })
  expect(await stored('88003')).toMatchObject({ user_name: '𠮷䶮𫖮', remark: '笑😀哭' })
  expect(await stored('88004')).toMatchObject({ birthday: '2018-05-12' })
  expect((await stored('88005'))?.birthday).toBe('2018-05-12')
})

test('cells of a workbook are read as Excel shows them, and an error value is an error', async () => {
  const styles = '<numFmts><numFmt numFmtId="164" formatCode="00000000"/><numFmt numFmtId="165" formatCode="[DBNum1]0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/><xf numFmtId="165"/></cellXfs>'
  const written = (texts: Line, cells: Record<string, string>, row_no: number) => `<row r="${row_no}">${student_columns.map(({ prop }) => cells[prop] ?? `<c t="inlineStr"><is><t>${texts[prop] ?? ''}</t></is></c>`).join('')}</row>`
  const [first, second] = [newcomer(6, { p1_mobile: '\u202d16988200001\u202c', tel: '\u200b16900000001\ufeff' }), newcomer(7, {})]
  const rows = [
    '<row r="1"><c t="inlineStr"><is><t>新生名单</t></is></c></row><row r="2"><c t="inlineStr"><is><t>说明</t></is></c></row>',
    written(Object.fromEntries(student_columns.map(({ prop, label }) => [prop, label.replace('(', '（').replace(')', '）')])), {}, 3),
    written(first, { student_no: '<c s="1"><v>770101</v></c>', birthday: '<c t="d" s="2"><v>2018-05-12T00:00:00.000Z</v></c>', enrol_month: '<c s="2"><v>45901</v></c>' }, 4),
    written(second, { student_no: '<c s="3"><v>770102</v></c>', birthday: '<c s="2"><v>43232.5</v></c>', remark: '<c t="e"><v>#N/A</v></c>' }, 5),
  ].join('')
  const batch = await by.upload('student', buildXlsx({ rows, styles }))
  const [good, bad] = await by.rows(batch.batch_no)
  expect([good?.row_no, good?.verdict, good?.cells.student_no, good?.cells.birthday, good?.cells.p1_mobile]).toEqual([4, 'new', '00770101', '2018-05-12', '16988200001'])
  expect(bad?.errors.map(({ prop, msg }) => [prop, msg])).toEqual([
    ['student_no', '数字格式与显示不一致，请改为文本'], ['remark', '单元格是错误值，请改为正确的内容'], ['birthday', '只填日期，不能带时间：2018-05-12 12:00'],
  ])
})

describe('a CSV', () => {
  test('whose texts begin like formulas goes in as it stands, our quotes taken off', async () => {
    const marks = ['=1+1', '+2', '-3', '@4', '＝5', '＋6', '－7', '＠8', "'=9"]
    const heads = student_columns.map(({ label }) => label)
    const numbers = marks.map((_mark, n) => newcomer(n + 1, { student_no: `8810${n}`, id_no: `EO8810${n}`, p1_mobile: `1698810000${n}` }))
    expect(await by.apply((await by.dryRun('student', numbers)).batch_no)).toMatchObject({ rows_applied: marks.length })
    const lines = numbers.map(({ student_no = '' }, n) => heads.map(label => new Map([['学号', student_no], ['备注', marks[n] ?? '']]).get(label) ?? ''))
    const csv = ['说明', heads.join(','), ...lines.map(row => row.map(text => `"${text}"`).join(','))].join('\n')
    const batch = await by.upload('student', Buffer.from(csv), '学生.csv')
    expect(batch).toMatchObject({ state: 'parsed', rows_error: 0 })
    expect(await by.apply(batch.batch_no)).toMatchObject({ rows_applied: marks.length })
    const kept = await Promise.all(marks.map(async (_mark, n) => (await stored(`8810${n}`))?.remark))
    expect(kept).toEqual([...marks.slice(0, -1), '=9'])
  })
})

test('a number that is in the school already is a change of its pupil, and two of one file name each other', async () => {
  const body = await writeTemplate({
    sheet: '导入', notes: ['说明'], columns: student_columns.map(({ prop, label }) => ({ prop, label, required: false, text: true })),
    samples: [newcomer(1, { student_no: '20260101', user_name: '改名' }), newcomer(2, { student_no: '88200' }), newcomer(3, { student_no: '88200' })].map(cells => student_columns.map(({ prop }) => cells[prop] ?? '')),
  })
  const batch = await by.upload('student', body)
  const rows = await by.rows(batch.batch_no)
  expect(rows.map(row => row.errors.map(({ prop, msg }) => [prop, msg])).slice(1)).toEqual([[['student_no', '文件内重复（第5行）']], [['student_no', '文件内重复（第4行）']]])
  expect(rows[0]?.verdict).not.toBe('new')
  const list = studentApi.list.details.reply.parse((await app.call(studentApi.list, { keyword: '20260101' }, { token: registrar.token })).body.data)
  expect(list.total).toBe(1)
})
