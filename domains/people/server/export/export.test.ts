import { setTimeout as pause } from 'node:timers/promises'
import { inflateRawSync } from 'node:zlib'
import { sheetLines, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { jobApi } from '@campus/jobs/contract'
import { deptApi, deptEditApi, parent_export_fields, parentApi, parentExportApi, student_export_fields, studentApi, studentExportApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { importer } from '../testing/importer.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { enrolStudents } from '../student.create.ts'

const school_id = 1001
const views = ['people.student.view', 'people.parent.view']
const codes = [...views, 'people.student.export', 'people.parent.export', 'people.student.import', 'people.parent.import']
const hour_ms = 3_600_000

let app: TestApp
let clerk: TestUser
let school: SmallSchool

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

function inSchool<R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, fn)
}

async function ended(job_no: string, who = clerk) {
  for (;;) {
    const job = jobApi.one.details.reply.parse((await app.call(jobApi.one, { job_no }, { token: who.token })).body.data)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await pause(20)
  }
}

async function download(job_no: string, who = clerk) {
  return app.call(jobApi.result, { job_no }, { token: who.token })
}

async function exported(input: Request<typeof studentExportApi.export>, who = clerk) {
  const answer = await app.call(studentExportApi.export, input, { token: who.token })
  const { job_no } = studentExportApi.export.details.reply.parse(answer.body.data)
  const job = await ended(job_no, who)
  return { job_no, job, lines: await sheetLines(await download(job_no, who)) }
}

async function listed(input: Request<typeof studentApi.list>, who = clerk) {
  return studentApi.list.details.reply.parse((await app.call(studentApi.list, { ...input, page_size: 300 }, { token: who.token })).body.data).list
}

const put = (to: number) => inSchool(db => sql`update school_config set dept_name_format = ${to} where school_id = ${school_id}`.execute(db))

/** What 一年级1班 is called in the list, in its export, on the board and in the tree. */
async function printedFor(viewer: TestUser): Promise<(string | null | undefined)[]> {
  const board = deptEditApi.treeByGrade.details.reply.parse((await app.call(deptEditApi.treeByGrade, {}, { token: viewer.token })).body.data)
  const tree = deptApi.lazyTree.details.reply.parse((await app.call(deptApi.lazyTree, { keyword: '1班' }, { token: viewer.token })).body.data)
  const [row] = await listed({ keyword: '20260101' }, viewer)
  const { lines } = await exported({ keyword: '20260101', fields: ['dept_name'] }, viewer)
  return [row?.dept_name, lines.slice(4).flat().join(), board.list.flatMap(grade => grade.classes).find(one => one.id === school.class_1)?.label, tree.list.find(one => one.id === school.class_1)?.label]
}

describe('the export of pupils', () => {
  test.each([
    [{}],
    [{ sort: 'name_py' as const }],
    [{ sort: 'dept' as const, sex: '1' }],
    [{ sort: 'updated' as const, keyword: '王' }],
    [{ missing: 'id_no' as const }],
  ])('20 rule 32 is the list: %o', async filter => {
    const { job, lines } = await exported(filter)
    const list = await listed(filter)
    expect(job).toMatchObject({ state: 'succeeded', done: list.length, has_result: true, title: '导出学生名册' })
    const [school_line = [], who_line = [], filter_line = [], head = [], ...rows] = lines
    expect(school_line[0]).toBe(`测试一校　学生名册　共${list.length}人`)
    expect(who_line[0]).toMatch(/^导出人：测试用户\d+（U\d+）测试角色\d+　导出时间：\d{4}-\d\d-\d\d \d\d:\d\d$/)
    expect(filter_line[0]).toMatch(/^条件：日期 \d{4}-\d\d-\d\d；.*排序 /)
    expect(head).toEqual(Object.values(student_export_fields))
    expect(rows.map(row => row.slice(0, 3))).toEqual(list.map(row => [row.user_name, row.student_no, row.dept_name ?? '']))
    expect(rows.map(row => row[6] ?? '')).toEqual(list.map(row => row.id_no ?? ''))
    expect(rows.map(row => row[10])).toEqual(list.map(row => String(row.completeness)))
  })

  test.each([
    [1, '一年级1班'], [2, '一年级/1班'], [3, '1班'], [4, '2026级1班'],
  ])('20-A17 prints classes as the list, the board and the tree do in format %i: %s', async (format, label) => {
    const viewer = await app.as({ school_id, codes: [...codes, 'people.dept.view'] })
    await put(format)
    const printed = await printedFor(viewer)
    await put(1)
    expect(printed).toEqual([label, label, label, label])
  })

  test.each([1, 3])('20-A17 prints paths in format %i for an identity that asks for exactness', async format => {
    const exact = await app.as({ school_id, codes: [...codes, 'people.dept.view'] })
    await inSchool(db => sql`update role set dept_is_exact = 1 where school_id = ${school_id} and role_id = ${exact.role_id}`.execute(db))
    await put(format)
    const printed = await printedFor(exact)
    await put(1)
    expect(printed).toEqual(Array.from({ length: 4 }, () => '一年级/1班'))
  })

  test('has the chosen columns in the chosen order, with names for codes and masked numbers', async () => {
    const { lines } = await exported({ fields: ['student_no', 'sex', 'id_no', 'parents'], keyword: '20260101' })
    expect(lines.slice(3)).toEqual([['学号', '性别', '证件号', '家长'], ['20260101', '男', '370***********0019', '王志强 父亲 169****0001；李秀芳 母亲 169****0002']])
  })

  test('shows the acting identity its own classes alone, and asks for the permission', async () => {
    const head = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
    const { lines } = await exported({}, head)
    expect(lines.slice(4).map(row => row[1])).toEqual(['20260201'])
    const viewer = await app.as({ school_id, codes: views })
    expect((await app.call(studentExportApi.export, {}, { token: viewer.token })).status).toBe(403)
    expect((await app.call(parentExportApi.export, {}, { token: viewer.token })).status).toBe(403)
  })

  test('asks for a reason above 1,000 rows', async () => {
    await inSchool(db => enrolStudents(db, app.running.app.secrets, school_id, Array.from({ length: 1000 }, (_, n) => ({
      user_name: `多${n}`, student_no: `7${String(n).padStart(4, '0')}`, enrol_month: '202609', from: school.from, dept_id: school.class_1,
    }))))
    const refused = await app.call(studentExportApi.export, { reason: '  ' }, { token: clerk.token })
    expect([refused.status, refused.body.msg]).toEqual([422, '请填写原因'])
    const { job, lines } = await exported({ reason: '学籍核对' })
    expect(job).toMatchObject({ state: 'succeeded', total: 1003, done: 1003 })
    expect(lines[3]).toEqual(['导出原因：学籍核对'])
    const numbers = lines.slice(5).map(row => row[1] ?? '')
    expect(new Set(numbers).size).toBe(1003)
    expect(numbers).toEqual(numbers.toSorted())
    const reasons = await inSchool(db => sql<{ reason: string }>`select reason from operation_log where school_id = ${school_id} and call = 'people.student.export' and reason is not null`.execute(db))
    expect(reasons.rows).toEqual([{ reason: '学籍核对' }])
  })
})

describe('texts that a spreadsheet could run', () => {
  const names = ['=1+1', '＋1', '@x', '-2', "'=3"]

  test('come out quoted and go back in unchanged', async () => {
    const newcomers = names.map((user_name, n) => ({ user_name, student_no: `9000${n}`, enrol_month: '202609', from: school.from, dept_id: school.class_2 }))
    await inSchool(db => enrolStudents(db, app.running.app.secrets, school_id, newcomers))
    const { lines } = await exported({ keyword: '9000', fields: ['student_no', 'user_name'], reason: '=cmd' })
    expect(lines[3]).toEqual(['导出原因：=cmd'])
    const rows = lines.slice(5)
    expect(rows).toEqual(names.map((name, n) => [`9000${n}`, name]))
    const { job_no } = await exported({ keyword: '90000', fields: ['user_name'] })
    expect(sheetXml((await download(job_no)).bytes)).toContain("<t>'=1+1</t>")
    const by = importer(app, clerk)
    const back = await by.dryRun('student', rows.map(([student_no = '', text = '']) => ({ student_no, remark: text })))
    expect(await by.apply(back.batch_no)).toMatchObject({ state: 'applied', rows_applied: names.length })
    const stored = await inSchool(db => db.selectFrom('student').select('remark').where('school_id', '=', school_id).where('student_no', 'like', '9000%').orderBy('student_no').execute())
    expect(stored.map(({ remark }) => remark)).toEqual(names)
  })

  /** The texts of a workbook as they stand in its parts. */
  function sheetXml(bytes: Uint8Array): string {
    const file = Buffer.from(bytes)
    const parts: string[] = []
    for (let at = file.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = file.indexOf('PK\x01\x02', at + 4, 'latin1')) {
      const local = file.readUInt32LE(at + 42)
      const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
      const packed = file.subarray(begin, begin + file.readUInt32LE(at + 20))
      parts.push((file.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed).toString())
    }
    return parts.join('').replaceAll('&apos;', "'")
  }
})

describe('the export of parents', () => {
  test('is the list of parents', async () => {
    const input = { keyword: '169', is_guardian: '1' as const }
    const list = parentApi.list.details.reply.parse((await app.call(parentApi.list, { ...input, keyword: '王', page_size: 300 }, { token: clerk.token })).body.data).list
    const answer = await app.call(parentExportApi.export, { ...input, keyword: '王' }, { token: clerk.token })
    const { job_no } = parentExportApi.export.details.reply.parse(answer.body.data)
    await ended(job_no)
    const lines = (await sheetLines(await download(job_no))).slice(3)
    expect(lines[0]).toEqual(Object.values(parent_export_fields))
    expect(lines.slice(1).map(row => row.slice(0, 2))).toEqual(list.map(row => [row.user_name, row.mobile ?? '']))
    expect(lines.slice(1).map(row => row[0])).toContain('王志强')
    expect(lines.find(row => row[0] === '王志强')?.slice(1, 4)).toEqual(['169****0001', '王子涵 一年级1班；王子轩 一年级1班', '父亲（监护人）'])
  })
})

describe('the file of an export', () => {
  test('is its requester’s alone, every download is logged, and it is gone after a day', async () => {
    const { job_no } = await exported({ keyword: '20260101' })
    const other = await app.as({ school_id, codes: 'all' })
    expect((await download(job_no, other)).status).toBe(404)
    const before = await downloads()
    expect((await download(job_no)).status).toBe(200)
    expect(await downloads()).toBe(before + 1)
    app.clock.advance(24 * hour_ms + 1000)
    const renewed = await sameAgain()
    const late = await download(job_no, renewed)
    expect([late.status, late.body.msg]).toEqual([404, '结果文件不存在或已过期'])
  })

  async function downloads(): Promise<number> {
    const { rows } = await inSchool(db => sql<{ n: number }>`select count(*)::int as n from operation_log where school_id = ${school_id} and call = 'jobs.job.result' and user_id = ${clerk.user_id}`.execute(db))
    return rows[0]?.n ?? 0
  }

  /** The clerk's session is over by then: the jobs go over to a new one. */
  async function sameAgain(): Promise<TestUser> {
    const later = await app.as({ school_id, codes })
    await inSchool(db => sql`update job set created_by = ${later.user_id} where school_id = ${school_id} and created_by = ${clerk.user_id}`.execute(db))
    return later
  }
})
