import { loginApi } from '@campus/identity/contract'
import { registerApi, registerCoreApi, registerEntryApi, registerFieldApi, registerPublicApi } from '@campus/people/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { opened as openSeason } from './freshmen.ts'

let made = 0
const hour_ms = 3_600_000
const from = '2026-09-01'

async function info({ app, me, school_id }: World) {
  return dataOf(registerCoreApi.info, await app.call(registerCoreApi.info, { school_id }, { token: me.token }))
}

/** The form for pupils, open for an hour and asking for a name alone. */
async function opened(world: World): Promise<string> {
  const { app, me } = world
  const { row_version } = await info(world)
  const open_register_end_time = new Date(app.clock.now().getTime() + hour_ms).toISOString()
  const { register_key } = dataOf(registerApi.openStudents, await app.call(registerApi.openStudents, { is_register: true, open_register_end_time, row_version }, { token: me.token }))
  const { list } = dataOf(registerFieldApi.list, await app.call(registerFieldApi.list, { field_scene: 1 }, { token: me.token }))
  await app.call(registerFieldApi.save, { field_scene: 1, list: list.map(({ field_code }) => ({ field_code, shown: field_code === 'user_name', required: false })) }, { token: me.token })
  return register_key ?? ''
}

async function act({ app }: World) {
  return { cap_key: dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' })).key, captcha: '2222' }
}

/** An entry as a family sends it; the addresses of earlier ones are forgotten, for all calls of the suites come from one. */
async function filled(world: World) {
  made += 1
  const key = await opened(world)
  await world.app.running.database.tenant<unknown, unknown>(world.school_id, db => sql`delete from register_hit where school_id = ${world.school_id}`.execute(db))
  return { key, act: 'submit' as const, mobile: `1691${String(made).padStart(7, '0')}`, values: { user_name: '赵小满' }, ...(await act(world)) }
}

async function sentIn(world: World): Promise<string> {
  const { app, me } = world
  const { apply_no } = dataOf(registerPublicApi.act, await app.call(registerPublicApi.act, await filled(world)))
  const { list } = dataOf(registerEntryApi.page, await app.call(registerEntryApi.page, { keyword: apply_no }, { token: me.token }))
  return list[0]?.id ?? ''
}

/** The number of a pupil of the school, made beside the calls. */
async function pupilNo({ app, school_id, ids }: World): Promise<string> {
  const student_no = `RG${school_id}n${made}`
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  await app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `登记年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `登记班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const pupil = { user_name: '赵小慢', sex: '1', student_no, enrol_month: '202609', dept_id: depts.get('class') ?? '', from }
    return enrolStudents(db, app.running.app.secrets, school_id, [pupil])
  })
  return student_no
}

export const registerCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(registerCoreApi, { info: ({ school_id }) => ({ input: { school_id } }) }),
  ...buildersOf(registerApi, {
    openStudents: async world => ({ input: { is_register: false, register_msg: '登记已结束', row_version: (await info(world)).row_version } }),
    openTeachers: async world => ({ input: { is_teacher_register: false, teacher_register_msg: '请联系人事处', row_version: (await info(world)).row_version } }),
  }),
  ...buildersOf(registerFieldApi, {
    list: () => ({ input: { field_scene: 1 } }),
    save: async ({ app, me }) => {
      const { list } = dataOf(registerFieldApi.list, await app.call(registerFieldApi.list, { field_scene: 1 }, { token: me.token }))
      return { input: { field_scene: 1, list: list.map(({ field_code, shown, required }) => ({ field_code, shown, required })) } }
    },
  }),
  ...buildersOf(registerPublicApi, {
    look: async world => ({ input: { key: await opened(world) } }),
    act: async world => ({ input: await filled(world) }),
    upload: async world => {
      const { register_key } = await openSeason(world)
      await world.app.running.database.tenant<unknown, unknown>(world.school_id, db => sql`delete from register_hit where school_id = ${world.school_id}`.execute(db))
      return { input: { key: register_key, ...(await act(world)) } }
    },
  }),
  ...buildersOf(registerEntryApi, {
    page: async world => {
      await sentIn(world)
      return { input: { state: 'waiting' as const } }
    },
    pass: async world => {
      const id = await sentIn(world)
      return { input: { ids: [id], added: { [id]: { cells: { student_no: await pupilNo(world) }, is_new: false } } } }
    },
    refuse: async world => ({ input: { ids: [await sentIn(world)], reason: '资料不全，请补充后重新提交' } }),
  }),
])
