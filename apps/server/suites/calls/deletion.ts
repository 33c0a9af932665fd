import { changeApi, deleteApi, quitApi, userDeleteApi } from '@campus/people/contract'
import { createDepts, enrolStudents, hireStaff, recordStaffLeaves } from '@campus/people/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]

const from = '2026-09-01'
let made = 0

/** A pupil who has left, made beside the calls. */
async function gone(world: World): Promise<string> {
  made += 1
  const { app, school_id, ids, me } = world
  const { database, app: running } = app.running
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  const user_id = await database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `离校年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `离校班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const pupil = { user_name: '赵小别', sex: '1', student_no: `Q${school_id}-${made}`, enrol_month: '202609', dept_id: depts.get('class') ?? '', from }
    const [id = ''] = await enrolStudents(db, running.secrets, school_id, [pupil])
    return id
  })
  const effective_on = new Date(app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
  const draft = { kind: 'OUT' as const, subjects: [{ user_id }], effective_on, reason: '迁居' }
  const { plan_hash } = dataOf(changeApi.preview, await app.call(changeApi.preview, { draft }, { token: me.token }))
  dataOf(changeApi.apply, await app.call(changeApi.apply, { draft, plan_hash }, { token: me.token }))
  return user_id
}

/** Somebody of the staff who has left. */
async function goneTeacher({ app, school_id }: World): Promise<string> {
  made += 1
  const { database, app: running } = app.running
  return database.tenant(school_id, async (db: PeopleHandle) => {
    const [user_id = ''] = await hireStaff(db, running.secrets, school_id, [{ user_name: `钱别${made}`, teacher_no: `QT${school_id}n${made}`, kind: '11', join_month: '202609', from, depts: [] }])
    await recordStaffLeaves(db, school_id, [{ user_id, on: '2026-10-01', reason: '调出', to_where: null }])
    return user_id
  })
}

const wish = async (world: World) => ({ reason: '已离校', recheck_token: await recheckOf(world) })

/** A batch that is held, with its one person. */
async function held(world: World): Promise<{ no: string; user_id: string }> {
  const user_id = await gone(world)
  const answer = await world.app.call(deleteApi.run, { user_ids: [user_id], ...(await wish(world)) }, { token: world.me.token })
  return { no: await ownNumber(world, dataOf(deleteApi.run, answer).batch_no ?? ''), user_id }
}

/** Schools count their batches for themselves; here each gets a number that no other school has. */
async function ownNumber({ app, school_id }: World, batch_no: string): Promise<string> {
  made += 1
  const own = `D${school_id}${String(made).padStart(8, '0')}`
  await app.running.database.tenant(school_id, async db => {
    await sql`insert into user_delete_batch select (jsonb_populate_record(b, jsonb_build_object('batch_no', ${own}::text))).* from user_delete_batch b where b.school_id = ${school_id} and b.batch_no = ${batch_no}`.execute(db)
    await sql`update user_delete_detail set batch_no = ${own} where school_id = ${school_id} and batch_no = ${batch_no}`.execute(db)
    await sql`delete from user_delete_batch where school_id = ${school_id} and batch_no = ${batch_no}`.execute(db)
  })
  return own
}

/** A batch that waits for somebody to confirm it, as the nightly search proposes one. */
async function proposed(world: World): Promise<string> {
  const { no } = await held(world)
  const { app, school_id } = world
  await app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    await db.updateTable('user_delete_batch').set({ state: 'checking', confirmed_by: null }).where('school_id', '=', school_id).where('batch_no', '=', no).execute()
    await db.updateTable('user_delete_detail').set({ state: 'checking' }).where('school_id', '=', school_id).where('batch_no', '=', no).execute()
  })
  return no
}

/** A batch whose one person could not be erased. */
async function failed(world: World): Promise<string> {
  const { no } = await held(world)
  const { app, school_id } = world
  await app.running.database.tenant(school_id, (db: PeopleHandle) => db.updateTable('user_delete_detail').set({ state: 'blocked' }).where('school_id', '=', school_id).where('batch_no', '=', no).execute())
  return no
}

async function settings(world: World) {
  const { config, row_version } = dataOf(userDeleteApi.config, await world.app.call(userDeleteApi.config, {}, { token: world.me.token }))
  return { config, row_version }
}

export const deletionCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(deleteApi, {
    run: async world => ({ input: { user_ids: [await gone(world)], ...(await wish(world)) } }),
    runTeacher: async world => ({ input: { id: await goneTeacher(world), ...(await wish(world)) } }),
    runTeachers: async world => ({ input: { user_ids: await goneTeacher(world), ...(await wish(world)) } }),
    precheck: async world => ({ input: { user_ids: [await gone(world)] } }),
    operators: async world => {
      await held(world)
      return { input: {} }
    },
  }),
  ...buildersOf(userDeleteApi, {
    config: () => ({ input: {} }),
    saveConfig: async world => {
      const { config, row_version } = await settings(world)
      return { input: { ...config, archive_years: 10, operator_user_ids: [world.me.user_id], row_version } }
    },
    due: async world => ({ input: (await settings(world)).config }),
    batches: async world => ({ input: { batch_no: (await held(world)).no } }),
    details: async world => ({ input: { batch_no: (await held(world)).no } }),
    exportErrors: async world => ({ input: { batch_no: (await held(world)).no } }),
    exportAll: async world => ({ input: { batch_no: (await held(world)).no } }),
    confirm: async world => ({ input: { no: await proposed(world), recheck_token: await recheckOf(world) } }),
    cancel: async world => ({ input: { no: (await held(world)).no } }),
    retry: async world => ({ input: { no: await failed(world) } }),
    proof: async world => ({ input: await held(world) }),
  }),
  ...buildersOf(quitApi, {
    page: async world => {
      await gone(world)
      return { input: {} }
    },
    years: async world => {
      await gone(world)
      return { input: {} }
    },
    export: async world => {
      await gone(world)
      return { input: {} }
    },
    detail: async world => ({ input: { id: await gone(world) } }),
  }),
])
