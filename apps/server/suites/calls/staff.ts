import { loginApi } from '@campus/identity/contract'
import { parentFileApi, passwordLookupApi, photoApi, staffApi, staffExportApi, staffFileApi } from '@campus/people/contract'
import { createDepts, enrolStudents, linkGuardians } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0
/** An archive of nothing: the job that opens it says so. */
const archive = { name: '照片.zip', body: new Uint8Array([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)]) }

/** What a new member of staff needs, in an office of its own. */
async function draft({ app, school_id, ids }: World) {
  made += 1
  const depts = await app.running.database.tenant(school_id, (db: PeopleHandle) =>
    createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `办公室${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01'))
  const numbers = { teacher_no: `W${school_id}x${made}`, mobile: `1691200${String(made).padStart(4, '0')}` }
  return { user_name: '钱小川', sex: '1', kind: '11', join_month: '202609', ...numbers, depts: [{ dept_id: depts.get('office') ?? '' }] }
}

async function hired(world: World): Promise<string> {
  return dataOf(staffFileApi.create, await world.app.call(staffFileApi.create, await draft(world), { token: world.me.token })).user_id
}

/** A guardian of a pupil of the school, made beside the calls. */
async function guardian({ app, school_id, ids }: World): Promise<string> {
  made += 1
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `家长年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `家长班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], '2026-09-01')
    const pupil = { user_name: '赵小满', sex: '1', student_no: `PG${school_id}n${made}`, enrol_month: '202609', dept_id: depts.get('class') ?? '', from: '2026-09-01' }
    const [student_user_id = ''] = await enrolStudents(db, secrets, school_id, [pupil])
    const [parent] = await linkGuardians(db, secrets, school_id, [{ student_user_id, user_name: '赵大满', mobile: `1691900${String(made).padStart(4, '0')}`, relation: '51', is_first: true, is_guardian: true, from: '2026-09-01' }])
    return parent ?? ''
  })
}

export const staffCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(staffApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }), all: () => ({ input: {} }) }),
  ...buildersOf(staffFileApi, {
    create: async world => ({ input: await draft(world) }),
    detail: async world => ({ input: { user_id: await hired(world) } }),
    update: async world => ({ input: { user_id: await hired(world), row_version: 1, remark: '兼任工会' } }),
  }),
  ...buildersOf(parentFileApi, {
    detail: async world => ({ input: { id: await guardian(world) } }),
    plates: async world => ({ input: { id: await guardian(world), row_version: 1, plates: [] } }),
  }),
  ...buildersOf(photoApi, { student: () => ({ input: {}, file: archive }), teacher: () => ({ input: {}, file: archive }) }),
  ...buildersOf(passwordLookupApi, {
    byPhone: async ({ app }) => ({ input: { kind: 'teacher' as const, phone: '16912000001', cap_key: dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' })).key, cap_value: '2222' } }),
  }),
  ...buildersOf(staffExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对名册' } }) }),
])
