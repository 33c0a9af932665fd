import { startTestApp } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { enrolStudents } from '../student.create.ts'
import { line } from './import.builders.ts'
import { importer } from '../testing/importer.ts'
import type { Line } from '../testing/importer.ts'

const school_id = 1001
const nobody = { p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '' }
/** More lines than one step of an apply has. */
const many = 520

let app: TestApp
let school: SmallSchool
let by: ReturnType<typeof importer>

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  by = importer(app, await app.as({ school_id, codes: ['people.student.import', 'people.parent.import'] }))
})
afterAll(() => app.close())

function inSchool<R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> {
  return app.running.database.tenant<PeopleDb, R>(school_id, fn)
}
const pupil = (n: number, more: Line = {}) =>
  line({ student_no: `3000${n}`, school_roll_no: '', id_type: '护照', id_no: `E3000${n}`, birthday: '20180512', p1_name: `家长${n}`, p1_mobile: `1697000000${n}`, ...nobody, ...more })
const known = (more: Line): Line => ({ student_no: '20260101', ...more })

describe('what changed between dry run and apply', () => {
  test.each<[string, () => Line[], () => Promise<unknown>]>([
    ['somebody took the number', () => [pupil(1), pupil(2)], () => inSchool(db => enrolStudents(db, app.running.app.secrets, school_id, [{ user_name: '先到', student_no: '30001', enrol_month: '202609', from: school.from, dept_id: school.class_2 }]))],
    ['the mobile went to another name', () => [pupil(3), pupil(4)], () => inSchool(db => sql`update person set mobile = '16970000003' where school_id = ${school_id} and user_name = '单大山'`.execute(db))],
    ['the class was closed', () => [pupil(5, { class_name: '2班' }), pupil(6)], () => inSchool(db => sql`update dept set closed_on = current_date where school_id = ${school_id} and id = ${school.class_2}`.execute(db))],
    ['the pupil was edited', () => [known({ remark: '新' }), pupil(7)], () => inSchool(db => sql`update person set row_version = row_version + 1 where school_id = ${school_id} and user_id = ${school.pupils[0]}`.execute(db))],
    ['a guardian was edited', () => [known({ p1_name: '王志强', p1_relation: '父亲', p1_mobile: '16900000001', p1_guardian: '是', p1_work: '甲厂' }), pupil(8)], () => inSchool(db => sql`update parent set work = '乙厂' where school_id = ${school_id}`.execute(db))],
    ['the pupil left', () => [{ student_no: '20260102', remark: '新' }, pupil(9)], () => inSchool(db => sql`update student_span set valid_to = date '2026-09-02' where school_id = ${school_id} and user_id = ${school.pupils[1]}`.execute(db))],
  ])('%s: that row says 需重新核对, the other goes in', async (_, lines, meanwhile) => {
    const batch = await by.dryRun('student', lines())
    expect(batch).toMatchObject({ state: 'parsed', rows_error: 0 })
    await meanwhile()
    expect(await by.apply(batch.batch_no)).toMatchObject({ state: 'applied', rows_applied: 1, rows_recheck: 1 })
    const rows = await by.rows(batch.batch_no)
    expect(rows.map(row => [row.needs_recheck, row.errors.map(({ msg }) => msg)])).toEqual([[true, ['需重新核对']], [false, []]])
  })
})

describe('one parent in several lines', () => {
  test('work, education and number that an earlier line wrote do not stop the later one', async () => {
    const numbers = Array.from({ length: many }, (_, n) => `4${String(n).padStart(4, '0')}`)
    const parentOf = (n: number) => (n === 0 || n === many - 1 ? { name: '家长共', mobile: '16970019999' } : { name: `家长${n}`, mobile: `1697001${String(n).padStart(4, '0')}` })
    await inSchool(async db => {
      const { secrets } = app.running.app
      const ids = await enrolStudents(db, secrets, school_id, numbers.map(student_no => ({ user_name: '童', student_no, enrol_month: '202609', from: school.from, dept_id: school.class_1 })))
      await linkGuardians(db, secrets, school_id, ids.map((student_user_id, n) => {
        const { name, mobile } = parentOf(n)
        return { student_user_id, user_name: name, mobile, relation: '51', is_first: true, is_guardian: true, from: school.from }
      }))
    })
    const lines = numbers.map((student_no, n) => ({
      student_no, student_name: '童', relation: '父亲', is_first: '是', ...parentOf(n), work: '(虚构)工厂', edu: '大学本科毕业', ...(n === 0 || n === many - 1 ? { id_no: '370200198001010011' } : {}),
    }))
    const batch = await by.dryRun('parent', lines)
    expect(batch).toMatchObject({ rows_change: many, rows_error: 0 })
    expect(await by.apply(batch.batch_no)).toMatchObject({ rows_applied: many, rows_recheck: 0 })
    expect((await by.dryRun('parent', lines)).rows_same).toBe(many)
  })
})
