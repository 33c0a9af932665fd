import type { TestApp } from '@apps/server/testing'
import { createDepts, enrolStudents, hireStaff, linkGuardians } from '@campus/people/server'
import { sql } from 'kysely'
import { addDays, schoolDay } from '../day.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]

/** Classes and people that the figures are tried on. */
export type TriedSchool = { grade_1: string; grade_2: string; class_1: string; class_2: string; class_3: string; office: string; today: string }

const since = '2026-09-01'

/**
 * Two grades with three classes (capacity 45, 3, none; the third without head teacher), twelve pupils and two teachers. Within the last week one pupil was enrolled,
 * one moved from class 1 to class 2 and one left class 3; one will move and one will leave. One of class 2 is 休学 and one of class 1 has come back from it.
 */
export async function buildTriedSchool(app: TestApp, school_id: number): Promise<TriedSchool> {
  const today = schoolDay(app.clock.now())
  const keys = app.running.app.secrets
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const first = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
    const second = { tree: 'student' as const, grade: '12', enrol_year: 2025, stage: '1' }
    const ids = await createDepts(db, school_id, [
      { key: 'grade 1', parent: root.id, dept_name: '一年级', dept_type: 3, ...first },
      { key: 'grade 2', parent: root.id, dept_name: '二年级', dept_type: 3, ...second },
      { key: 'class 1', parent: 'grade 1', dept_name: '一年级1班', dept_type: 4, class_no: 1, capacity: 45, ...first },
      { key: 'class 2', parent: 'grade 1', dept_name: '一年级2班', dept_type: 4, class_no: 2, capacity: 3, ...first },
      { key: 'class 3', parent: 'grade 2', dept_name: '二年级1班', dept_type: 4, class_no: 1, ...second },
      { key: 'office', parent: root.id, dept_name: '教务处', dept_type: 5, tree: 'staff' },
    ], since)
    const id = (key: string) => ids.get(key) ?? ''
    const classes = [id('class 1'), id('class 2'), id('class 3')]
    const pupils = await enrolStudents(db, keys, school_id, classes.flatMap((dept_id, at) => [1, 2, 3, 4].map(no => ({
      user_name: `学生${at + 1}${no}`, sex: no % 2 === 0 ? '2' : '1', student_no: `${school_id}${at + 1}${no}`, enrol_month: '202609', dept_id,
      from: at === 0 && no === 4 ? addDays(today, -2) : since, study_method: no === 1 ? '2' : '1', ...(no === 3 ? {} : { id_type: '9', id_no: `A${school_id}${at}${no}` }),
    }))))
    await hireStaff(db, keys, school_id, [
      { user_name: '陈晓华', sex: '2', teacher_no: `T${school_id}1`, kind: '11', join_month: '202609', from: since, depts: [{ dept_id: id('office') }], duties: [{ dept_id: id('class 1'), duty: 'head' }] },
      { user_name: '周明', sex: '1', teacher_no: `T${school_id}2`, kind: '11', join_month: '202609', from: since, depts: [{ dept_id: id('office') }], duties: [{ dept_id: id('class 2'), duty: 'head' }] },
    ])
    await linkGuardians(db, keys, school_id, pupils.slice(0, 8).map((student_user_id, at) => ({
      student_user_id, user_name: `家长${at}`, mobile: `169${school_id}000${at}`.slice(0, 11), relation: '51', is_first: true, is_guardian: true, from: since,
    })))
    const pupil = (of_class: number, no: number) => pupils[(of_class - 1) * 4 + no - 1] ?? ''
    await move(db, school_id, pupil(1, 1), id('class 2'), addDays(today, -3))
    await move(db, school_id, pupil(1, 2), id('class 2'), addDays(today, 5))
    await leave(db, school_id, pupil(3, 1), today)
    await leave(db, school_id, pupil(3, 2), addDays(today, 9))
    await changeState(db, school_id, pupil(2, 2), '02', addDays(today, -1))
    await changeState(db, school_id, pupil(1, 3), '02', addDays(today, -20))
    await changeState(db, school_id, pupil(1, 3), '01', addDays(today, -4))
    return { grade_1: id('grade 1'), grade_2: id('grade 2'), class_1: id('class 1'), class_2: id('class 2'), class_3: id('class 3'), office: id('office'), today }
  })
}

async function move(db: PeopleHandle, school_id: number, user_id: string, dept_id: string, on: string): Promise<void> {
  await sql`update dept_member set valid_to = ${on} where school_id = ${school_id} and user_id = ${user_id} and valid_to is null`.execute(db)
  await sql`insert into dept_member (school_id, user_id, dept_id, member_kind, dept_type, valid_from) values (${school_id}, ${user_id}, ${dept_id}, 'student', 4, ${on})`.execute(db)
}

async function leave(db: PeopleHandle, school_id: number, user_id: string, on: string): Promise<void> {
  for (const table of ['dept_member', 'student_span']) {
    await sql`update ${sql.table(table)} set valid_to = ${on} where school_id = ${school_id} and user_id = ${user_id} and valid_to is null`.execute(db)
  }
}

async function changeState(db: PeopleHandle, school_id: number, user_id: string, state: string, on: string): Promise<void> {
  await sql`update student_span set valid_to = ${on} where school_id = ${school_id} and user_id = ${user_id} and valid_to is null`.execute(db)
  await sql`insert into student_span (school_id, user_id, state, valid_from, open_kind) values (${school_id}, ${user_id}, ${state}, ${on}, 'SUSPEND')`.execute(db)
}
