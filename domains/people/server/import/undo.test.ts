import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { issueAccount } from '@campus/identity/server'
import { importApi, jobApi } from '@campus/jobs/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import { line } from './import.builders.ts'
import { contents, importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'

const school_id = 1001
const codes = ['people.student.view', 'people.parent.view', 'people.student.import', 'people.parent.import']
const day_ms = 86_400_000
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
  registrar = await app.as({ school_id, codes })
  by = importer(app, registrar)
})
afterAll(() => app.close())

const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]) => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const pad = (n: number) => String(n).padStart(4, '0')

/** A pupil of his own: numbers from `n`, in `series`. */
function pupil(series: number, n: number, more: Line = {}): Line {
  const number = `${series}${pad(n)}`
  return line({ student_no: number, school_roll_no: '', id_type: '护照', id_no: `E${number}`, birthday: '20180512', tel: '16900000001', p1_name: `家长${n}`, p1_mobile: `1690${number.padStart(7, '0')}`, ...nobody, ...more })
}

async function imported(code: 'student' | 'parent', lines: Line[]) {
  const batch = await by.dryRun(code, lines)
  expect((await by.rows(batch.batch_no, { verdict: 'error' })).map(row => row.errors)).toEqual([])
  return by.apply(batch.batch_no)
}

const studentId = async (student_no: string) =>
  (await inSchool(db => db.selectFrom('student').select('user_id').where('school_id', '=', school_id).where('student_no', '=', student_no).executeTakeFirst()))?.user_id ?? ''

describe('taking an import of pupils back', () => {
  test('10-A25 20-A19 a dry run writes nothing, and taking the import back leaves every table as it was: 300 new pupils, 100 changed ones, their parents', async () => {
    const known = Array.from({ length: 100 }, (_, n) => pupil(51, n, { p2_name: `母亲${n}`, p2_relation: '母亲', p2_mobile: `1693${pad(n).padStart(7, '0')}`, p2_guardian: '是' }))
    expect(await imported('student', known)).toMatchObject({ rows_applied: 100, rows_recheck: 0 })
    const before = await contents(app.running.database, school_id)
    const changed = known.map((cells, n) => ({
      ...cells, remark: `备注${n}`, user_name: `改名${n}`, student_no: cells.student_no ?? '', p1_relation: '爷爷', p1_work: `(虚构)单位${n}`, p1_id_no: '', p2_guardian: '否',
      ...(n % 2 === 0 ? { p2_name: `新母${n}`, p2_mobile: `1692${pad(n).padStart(7, '0')}` } : {}),
      ...(n % 5 === 0 ? { id_no: `F${n}000` } : {}),
    }))
    // Every third newcomer is a brother or sister of a known pupil.
    const made = Array.from({ length: 300 }, (_, n) => pupil(52, n, n % 3 === 0 ? { p1_name: `家长${n % 100}`, p1_mobile: `16900${51}${pad(n % 100)}`, p1_work: '(虚构)工厂' } : {}))
    // A link that began on an earlier day is closed and goes on in a new row.
    const earlier = { student_no: '20260101', p1_name: '王志强', p1_relation: '爷爷', p1_mobile: '16900000001', p1_guardian: '是', p1_work: '(虚构)学校', blood: 'A血型' }
    const lines = [...made.slice(0, 150), ...changed, earlier, ...made.slice(150)]
    expect(await by.dryRun('student', lines)).toMatchObject({ state: 'parsed', rows_new: 300, rows_change: 101, rows_error: 0 })
    expect(await contents(app.running.database, school_id)).toEqual(before)
    const batch = await imported('student', lines)
    expect(batch).toMatchObject({ state: 'applied', rows_applied: 401, rows_recheck: 0 })
    expect(await contents(app.running.database, school_id)).not.toEqual(before)
    const { status, batch: undone } = await by.undo(batch.batch_no)
    expect([status, undone.state, undone.rows_undone, undone.undo_message]).toEqual([200, 'undone', 401, null])
    expect(await contents(app.running.database, school_id)).toEqual(before)
    const again = await by.undo(batch.batch_no)
    expect([again.status, again.msg]).toEqual([409, '该批次已撤销，不能重复撤销'])
  }, 120_000)

  test('stops at rows that something later touched, names them, and takes back the others when asked', async () => {
    const batch = await imported('student', Array.from({ length: 12 }, (_, n) => pupil(61, n)))
    const [first, second, third] = [await studentId('610000'), await studentId('610001'), await studentId('610002')]
    await inSchool(db => sql`update person set email = 'a@b.cn', row_version = row_version + 1 where school_id = ${school_id} and user_id = ${first}`.execute(db))
    await inSchool(db => sql`update dept_member set position = '班长' where school_id = ${school_id} and user_id = ${second}`.execute(db))
    await app.running.database.tenant<unknown, unknown>(school_id, db => issueAccount(db, { user_id: third, username: 'pupil_61', password_hash: 'x', pwd_state: 2, pwd_set_at: app.clock.now() }))
    const before = await contents(app.running.database, school_id)
    const whole = await by.undo(batch.batch_no)
    expect(whole.batch).toMatchObject({ state: 'applied', rows_undone: 0, rows_blocked: 3, undo_message: '有3行在导入后又有变动，不能整批撤销' })
    expect(await contents(app.running.database, school_id)).toEqual(before)
    const blocked = await by.rows(batch.batch_no, { only_blocked: '1' })
    expect(blocked.map(row => [row.row_no, row.cells.student_no, row.errors.map(({ msg }) => msg)])).toEqual([
      [3, '610000', ['学生信息在导入后已被修改']],
      [4, '610001', ['班级、部门或在校状态在导入后已变动']],
      [5, '610002', ['导入的人员已被其他业务使用']],
    ])
    const part = await by.undo(batch.batch_no, true)
    expect(part.batch).toMatchObject({ state: 'undone', rows_undone: 9, rows_blocked: 3, undo_message: '已撤销9行，3行在导入后又有变动，予以保留' })
    expect(await studentId('610000')).toBe(first)
    expect(await studentId('610003')).toBe('')
    expect((await by.undo(batch.batch_no, true)).status).toBe(409)
  })

  test('keeps a parent whom a row that stays still needs', async () => {
    const father = { p1_name: '家长共', p1_mobile: '16900629999' }
    const batch = await imported('student', [pupil(62, 0, father), pupil(62, 1, father)])
    await inSchool(db => sql`update student set remark = '后改' where school_id = ${school_id} and student_no = '620001'`.execute(db))
    const { batch: undone } = await by.undo(batch.batch_no, true)
    expect(undone).toMatchObject({ state: 'undone', rows_undone: 1, rows_blocked: 1 })
    const { rows } = await inSchool(db => sql<{ n: number }>`select count(*)::int as n from guardian_link g join person p on p.school_id = g.school_id and p.user_id = g.parent_user_id where p.mobile = '16900629999'`.execute(db))
    expect(rows[0]?.n).toBe(1)
  })

  test('waits for a later import that built on it', async () => {
    const first = await imported('student', [pupil(63, 0)])
    const second = await imported('student', [pupil(63, 0, { remark: '第二批' }), pupil(63, 1, { p1_name: '家长0', p1_mobile: '16900630000' })])
    expect((await by.undo(first.batch_no)).batch).toMatchObject({ state: 'applied', rows_blocked: 1 })
    expect((await by.undo(second.batch_no)).batch.state).toBe('undone')
    expect((await by.undo(first.batch_no)).batch.state).toBe('undone')
  })

  test('of the parent sheet brings links, first contact and what is known of parents back', async () => {
    await imported('student', [pupil(64, 0), pupil(64, 1)])
    const before = await contents(app.running.database, school_id)
    const of = (n: number, more: Line): Line => ({ student_no: `64000${n}`, student_name: '王子涵', relation: '母亲', is_first: '是', ...more })
    const batch = await imported('parent', [
      of(0, { name: '何美', mobile: '16900649990', work: '(虚构)医院', edu: '大学本科毕业' }),
      of(0, { name: '家长0', mobile: '16900640000', relation: '爷爷', is_first: '否', work: '(虚构)工厂' }),
      of(1, { name: '何美', mobile: '16900649990', is_first: '否' }),
    ])
    expect(batch).toMatchObject({ rows_applied: 3, rows_recheck: 0 })
    expect((await by.undo(batch.batch_no)).batch).toMatchObject({ state: 'undone', rows_undone: 3 })
    expect(await contents(app.running.database, school_id)).toEqual(before)
  })
})

describe('an undo', () => {
  test('is refused for what was never written, for a stranger and without the permission', async () => {
    const open = await by.dryRun('student', [pupil(65, 0)])
    expect([(await by.undo(open.batch_no)).status, (await by.undo(open.batch_no)).msg]).toEqual([409, '该批次没有可撤销的数据'])
    const batch = await by.apply(open.batch_no)
    const colleague = await app.as({ school_id, codes })
    expect((await app.call(importApi.undo, { batch_no: batch.batch_no }, { token: colleague.token })).status).toBe(404)
    const answers = await Promise.all([1, 2, 3].map(() => app.call(importApi.undo, { batch_no: batch.batch_no }, { token: registrar.token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect((await by.settled(batch.batch_no)).state).toBe('undone')
  })

  test('broken off half-way goes on with the rows that are left', async () => {
    const before = await contents(app.running.database, school_id)
    const batch = await imported('student', Array.from({ length: 700 }, (_, n) => pupil(66, n)))
    const started = importApi.undo.details.reply.parse((await app.call(importApi.undo, { batch_no: batch.batch_no }, { token: registrar.token })).body.data)
    for (;;) {
      const job = jobApi.one.details.reply.parse((await app.call(jobApi.one, { job_no: started.job_no ?? '' }, { token: registrar.token })).body.data)
      if (job.done > 0 || (job.state !== 'queued' && job.state !== 'running')) break
    }
    await app.call(jobApi.cancel, { job_no: started.job_no ?? '' }, { token: registrar.token })
    const halted = await by.settled(batch.batch_no)
    const rest = halted.state === 'applied' ? (await by.undo(batch.batch_no)).batch : halted
    expect(rest).toMatchObject({ state: 'undone', rows_undone: 700, rows_blocked: 0 })
    expect(await contents(app.running.database, school_id)).toEqual(before)
  }, 120_000)

  test('is too late after 30 days', async () => {
    const batch = await imported('student', [pupil(67, 0)])
    app.clock.advance(31 * day_ms)
    registrar = await app.as({ school_id, codes })
    await inSchool(db => sql`update import_batch set created_by = ${registrar.user_id} where school_id = ${school_id} and batch_no = ${batch.batch_no}`.execute(db))
    by = importer(app, registrar)
    const late = await by.undo(batch.batch_no)
    expect([late.status, late.msg]).toEqual([409, '已超过30天的撤销期限'])
  })
})
