import { collectAnswerApi, collectReviewApi, collectTaskApi } from '@campus/people/contract'
import { createDepts, enrolStudents, linkGuardians } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0
const from = '2026-09-01'
const hour_ms = 3_600_000
const user_name = '赵家长'
type Asked = { task_id: string; user_id: string; dept_id: string }

/** The mobile of the acting person, who gets a file when he has none. */
async function ownMobile(db: Parameters<typeof createDepts>[0], school_id: number, user_id: string): Promise<string> {
  const mobile = `1692${String(made).padStart(7, '0')}`
  const file = { school_id, user_id, user_name, name_py: 'zhaojiazhang', name_initials: 'zjz', sex: '1', mobile }
  await db.insertInto('person').values(file).onConflict(on => on.columns(['school_id', 'user_id']).doNothing()).execute()
  const kept = await db.selectFrom('person').select('mobile').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return kept?.mobile ?? mobile
}

/** A class with one pupil, whose guardian is the acting person. */
async function family({ app, school_id, ids, me }: World): Promise<{ user_id: string; dept_id: string }> {
  made += 1
  const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
  return app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const depts = await createDepts(db, school_id, [
      { key: 'grade', parent: ids.dept ?? '', dept_name: `采集年级${made}`, dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: `采集班级${made}`, dept_type: 4, class_no: 1, ...cohort },
    ], from)
    const dept_id = depts.get('class') ?? ''
    const { secrets } = app.running.app
    const [user_id = ''] = await enrolStudents(db, secrets, school_id, [{ user_name: '赵小采', sex: '1', student_no: `CL${school_id}n${made}`, enrol_month: '202609', dept_id, from }])
    const mobile = await ownMobile(db, school_id, me.user_id)
    await linkGuardians(db, secrets, school_id, [{ student_user_id: user_id, user_name, mobile, relation: '51', is_first: true, is_guardian: true, from }])
    return { user_id, dept_id }
  })
}

async function drafted(world: World): Promise<Asked> {
  const { app, me } = world
  const { user_id, dept_id } = await family(world)
  const close_at = new Date(app.clock.now().getTime() + hour_ms).toISOString()
  const draft = { title: '开学信息核对', field_codes: ['email', 'postcode'], audience: { dept_ids: [dept_id], user_ids: [] }, close_at, review_mode: 'review' as const }
  const { id } = dataOf(collectTaskApi.add, await app.call(collectTaskApi.add, draft, { token: me.token }))
  return { task_id: id, user_id, dept_id }
}

async function opened(world: World): Promise<Asked> {
  const asked = await drafted(world)
  dataOf(collectTaskApi.open, await world.app.call(collectTaskApi.open, { id: asked.task_id }, { token: world.me.token }))
  return asked
}

async function answered(world: World): Promise<Asked> {
  const asked = await opened(world)
  const { task_id, user_id } = asked
  dataOf(collectAnswerApi.answer, await world.app.call(collectAnswerApi.answer, { task_id, user_id, values: { postcode: '266000' } }, { token: world.me.token }))
  return asked
}

export const collectCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(collectTaskApi, {
    fields: () => ({ input: {} }),
    page: async world => {
      await opened(world)
      return { input: {} }
    },
    stat: async world => ({ input: { id: (await opened(world)).task_id } }),
    add: async world => {
      const { dept_id, user_id } = await family(world)
      const close_at = new Date(world.app.clock.now().getTime() + hour_ms).toISOString()
      return { input: { title: '开学信息核对', field_codes: ['email'], audience: { dept_ids: [dept_id], user_ids: [user_id] }, close_at, review_mode: 'auto' as const } }
    },
    update: async world => {
      const { task_id, dept_id } = await drafted(world)
      const close_at = new Date(world.app.clock.now().getTime() + 2 * hour_ms).toISOString()
      return { input: { id: task_id, row_version: 1, title: '信息核对', field_codes: ['email'], audience: { dept_ids: [dept_id], user_ids: [] }, close_at, review_mode: 'auto' as const } }
    },
    open: async world => ({ input: { id: (await drafted(world)).task_id } }),
    join: async world => ({ input: { id: (await opened(world)).task_id } }),
    close: async world => ({ input: { id: (await opened(world)).task_id } }),
    remind: async world => {
      const { task_id, dept_id } = await opened(world)
      return { input: { id: task_id, dept_ids: [dept_id] } }
    },
  }),
  ...buildersOf(collectAnswerApi, {
    mine: () => ({ input: {} }),
    form: async world => {
      const { task_id, user_id } = await opened(world)
      return { input: { task_id, user_id } }
    },
    answer: async world => {
      const { task_id, user_id } = await opened(world)
      return { input: { task_id, user_id, values: { postcode: '266000' } } }
    },
  }),
  ...buildersOf(collectReviewApi, {
    waiting: async world => {
      await answered(world)
      return { input: {} }
    },
    decide: async world => {
      const { task_id, user_id } = await answered(world)
      return { input: { task_id, lines: [{ user_id, field_codes: ['postcode'] }] } }
    },
  }),
])
