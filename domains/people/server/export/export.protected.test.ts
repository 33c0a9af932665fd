import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { jobApi, JobNo } from '@campus/jobs/contract'
import { changeApi, deptExportApi, fieldApi, parentExportApi, personApi, quitApi, staffExportApi, staffFileApi, studentExportApi, studentFileApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { PeopleDb } from '../db.ts'
import { linkGuardians } from '../guardian.create.ts'
import type { SmallSchool } from '../people.builders.ts'
import { hireStaff } from '../staff.create.ts'
import { enrolStudents } from '../student.create.ts'
import { changer, dayOf, openSchool } from '../testing/changer.ts'

const school_id = 1001
/** Everything that may be read and exported but what shows protected values. */
const codes = [
  'people.student.view', 'people.parent.view', 'people.staff.view', 'people.quit.view', 'people.change.view', 'people.dept.view', 'people.student.export', 'people.parent.export', 'people.staff.export',
  'people.quit.export', 'people.change.export', 'people.dept.export',
]
const editing = [...codes, 'people.field.edit', 'people.student.edit', 'people.staff.edit', 'people.change.run']
/** What must leave in no sheet: identity numbers, telephones, addresses, and the school's own sensitive fields. */
const pupil = { id_no: '370200201805120013', tel: '16912345671', address: '朝阳路88号3单元' }
const leaver = { id_no: '370200201805120021', tel: '16912345672', address: '朝阳路99号4单元' }
const teacher = { id_no: '370200198005120016', mobile: '16912345673', address: '朝阳路77号2单元' }
const parent_mobile = '16912345674'
const [pupil_sealed, staff_sealed] = ['16912345675', '应急密语一四五九'] as const
const hidden = [...Object.values(pupil), ...Object.values(leaver), ...Object.values(teacher), parent_mobile, pupil_sealed, staff_sealed]

let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  const editor = await app.as({ school_id, codes: editing })
  const ids = await fillSchool()
  await sealFields(editor, ids)
  await changer(app, editor).give({ kind: 'OUT', subjects: [{ user_id: ids.leaver }], effective_on: dayOf(app), reason: '迁居', to_where: '市第二小学' })
})
afterAll(() => app.close())

/** A pupil with a mother, one who will leave, and a head teacher, each with everything that is protected. */
function fillSchool(): Promise<Record<'pupil' | 'leaver' | 'teacher', string>> {
  const { secrets } = app.running.app
  const { class_1, office, from } = school
  return app.running.database.tenant<PeopleDb, Record<'pupil' | 'leaver' | 'teacher', string>>(school_id, async db => {
    const of_class = { sex: '1', enrol_month: '202609', dept_id: class_1, from, id_type: '1' }
    const [child = '', gone = ''] = await enrolStudents(db, secrets, school_id, [{ ...of_class, ...pupil, user_name: '金小雀', student_no: 'CANARY1' }, { ...of_class, ...leaver, user_name: '银小雀', student_no: 'CANARY2' }])
    await linkGuardians(db, secrets, school_id, [{ student_user_id: child, user_name: '金大雀', mobile: parent_mobile, relation: '52', is_first: true, is_guardian: true, from }])
    const [head = ''] = await hireStaff(db, secrets, school_id, [{ ...teacher, user_name: '铜老师', teacher_no: 'CANARY9', sex: '2', kind: '11', join_month: '202609', id_type: '1', from, depts: [{ dept_id: office }], duties: [{ dept_id: school.class_2, duty: 'head' }] }])
    return { pupil: child, leaver: gone, teacher: head }
  })
}

/** The school's own sensitive fields, filled for each of them. */
async function sealFields({ token }: TestUser, ids: Record<'pupil' | 'leaver' | 'teacher', string>): Promise<void> {
  const define = async (field_scene: number, field_code: string, type: 'mobile' | 'text') => dataOf(fieldApi.save, await app.call(fieldApi.save, { field_scene, list: [{ field_code, label: '应急联系', type, level: 3 }] }, { token }))
  await define(1, 'escort', 'mobile')
  await define(2, 'secret', 'text')
  for (const user_id of [ids.pupil, ids.leaver]) {
    const { row_version } = dataOf(personApi.detail, await app.call(personApi.detail, { id: user_id }, { token }))
    dataOf(studentFileApi.update, await app.call(studentFileApi.update, { user_id, row_version, ext: { escort: pupil_sealed } }, { token }))
  }
  const { row_version } = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id: ids.teacher }, { token }))
  dataOf(staffFileApi.update, await app.call(staffFileApi.update, { user_id: ids.teacher, row_version, ext: { secret: staff_sealed } }, { token }))
}

/** The sheet of an export: at once, or of the job that makes it. */
async function sheetOf(answering: Promise<Answer>): Promise<string> {
  const answer = await answering
  expect(answer.status).toBe(200)
  const started = Started.safeParse(answer.body.data)
  if (!started.success) return JSON.stringify(await sheetLines(answer))
  const { job_no } = started.data
  await expect.poll(async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: clerk.token })).state, { timeout: 60_000 }).toBe('succeeded')
  return JSON.stringify(await sheetLines(await app.call(jobApi.result, { job_no }, { token: clerk.token })))
}

const Started = z.object({ job_no: JobNo })
const by = () => ({ token: clerk.token })
const people = ['user_name', 'id_no', 'ext.escort'] as const
/** What is exported, what must be in it so that the sheet is not merely empty, and the export. */
const exports: readonly (readonly [string, string, () => Promise<Answer>])[] = [
  ['pupils', '金小雀', () => app.call(studentExportApi.export, { fields: [...people] }, by())],
  ['pupils by number', '金小雀', () => app.call(studentExportApi.export, { fields: [...people], keyword: pupil.id_no }, by())],
  ['parents', '金大雀', () => app.call(parentExportApi.export, {}, by())],
  ['parents by mobile', '金大雀', () => app.call(parentExportApi.export, { keyword: parent_mobile }, by())],
  ['staff', '铜老师', () => app.call(staffExportApi.export, {}, by())],
  ['staff with the own field', '铜老师', () => app.call(staffExportApi.export, { fields: ['user_name', 'mobile', 'ext.secret'] }, by())],
  ['staff by mobile', '铜老师', () => app.call(staffExportApi.export, { keyword: teacher.mobile }, by())],
  ['staff by number', '铜老师', () => app.call(staffExportApi.export, { keyword: teacher.id_no }, by())],
  ['departed', '银小雀', () => app.call(quitApi.export, {}, by())],
  ['departed by number', '银小雀', () => app.call(quitApi.export, { keyword: leaver.id_no }, by())],
  ['changes', '银小雀', () => app.call(changeApi.export, {}, by())],
  ['changes by number', '银小雀', () => app.call(changeApi.export, { keyword: leaver.id_no }, by())],
  ['departments', 'CANARY9', () => app.call(deptExportApi.export, { tree: 'student' }, by())],
  ['departments of staff', '教务处', () => app.call(deptExportApi.export, { tree: 'staff' }, by())],
]

test.each(exports)('20-A28 no protected value stands in the sheet of %s', async (_name, holds, start) => {
  const text = await sheetOf(start())
  expect(text).toContain(holds)
  expect(hidden.filter(value => text.includes(value))).toEqual([])
})

test('20-A28 nor in the jobs and the log that the exports leave behind', async () => {
  for (const table of ['job', 'operation_log', 'archive_log', 'work', 'outbox']) {
    const text = await app.running.database.tenant<unknown, string>(school_id, async db => (await sql<{ text: string | null }>`select string_agg(to_jsonb(t)::text, ' ') as text from ${sql.table(table)} t`.execute(db)).rows[0]?.text ?? '')
    expect({ table, leaks: hidden.filter(value => text.includes(value)) }).toEqual({ table, leaks: [] })
  }
})
