import { deptApi, parentApi, parentExportApi, personApi, studentApi, studentExportApi, studentFileApi } from '@campus/people/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]

const from = '2026-09-01'
let made = 0

/** A class of its own with one pupil, made beside the calls. */
async function enrolled({ app, school_id, ids }: World): Promise<{ dept_id: string; user_id: string }> {
  made += 1
  const { database, app: running } = app.running
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const dept_id = depts.get('class') ?? ''
    const pupil = { user_name: '赵小满', sex: '1', student_no: `S${school_id}-${made}`, enrol_month: '202609', dept_id, from }
    const [user_id = ''] = await enrolStudents(db, running.secrets, school_id, [pupil])
    return { dept_id, user_id }
  })
}

export const peopleCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(deptApi, {
    tree: world => ({ input: { school_id: world.school_id } }),
    lazyTree: world => ({ input: { school_id: world.school_id, parent_id: world.ids.dept } }),
  }),
  ...buildersOf(studentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
  ...buildersOf(parentApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }) }),
  ...buildersOf(studentExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对学籍' } }) }),
  ...buildersOf(parentExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对家长' } }) }),
  ...buildersOf(studentFileApi, {
    create: async world => {
      const { dept_id } = await enrolled(world)
      const parents = [{ user_name: '赵大满', mobile: '16900008001', relation: '51' }]
      return { input: { dept_id, user_name: '赵小禾', sex: '2', student_no: `N${world.school_id}-${made}`, parents } }
    },
    update: async world => ({ input: { user_id: (await enrolled(world)).user_id, row_version: 1, remark: '走读' } }),
  }),
  ...buildersOf(personApi, {
    detail: async world => ({ input: { id: (await enrolled(world)).user_id } }),
    reveal: async world => ({ input: { user_id: (await enrolled(world)).user_id, fields: ['id_no' as const], reason: '核对学籍' } }),
  }),
])
