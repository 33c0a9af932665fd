import { appealApi, committeeApi, myStarApi, recordApi, starShowApi, starTypeApi } from '@campus/evaluation/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { enrolled } from './people.ts'

let made = 0
const as = ({ me }: World) => ({ token: me.token })
const draft = (superior_id: string | null = null) => ({ superior_id, star_name: `星${(made += 1)}` })

/** A dimension without indicators. */
async function dimension(world: World): Promise<string> {
  return dataOf(starTypeApi.add, await world.app.call(starTypeApi.add, draft(), as(world))).id
}

async function indicator(world: World, more: object = {}): Promise<string> {
  return dataOf(starTypeApi.add, await world.app.call(starTypeApi.add, { ...draft(await dimension(world)), ...more }, as(world))).id
}

/** One star for one pupil of nobody. */
async function given(
  world: World,
  more: object = {},
): Promise<{ record_id: string; batch_no: string; user_id: string; dept_id: string; star_type_id: string }> {
  const pupil = await enrolled(world)
  const star_type_id = await indicator(world, more)
  const { batch_no } = dataOf(
    recordApi.give,
    await world.app.call(recordApi.give, { subject_ids: [pupil.user_id], star_type_id, reason: '主动帮助同学' }, as(world)),
  )
  const { list } = dataOf(recordApi.page, await world.app.call(recordApi.page, { user_id: pupil.user_id }, as(world)))
  return { ...pupil, record_id: list[0]?.record_id ?? '', batch_no, star_type_id }
}

/** The caller becomes a parent of a pupil. */
async function adopt({ app, school_id, me }: World, student_user_id: string): Promise<void> {
  await app.running.database.tenant<unknown, unknown>(school_id, async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${me.user_id}, '李可',
      'like', 'lk', '1') on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${me.user_id}) on conflict do nothing`.execute(db)
    return sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id},
      ${student_user_id}, ${me.user_id}, '51', '2026-09-01')`.execute(db)
  })
}

async function mine(world: World) {
  const star = await given(world)
  await adopt(world, star.user_id)
  return star
}

/** An appeal of another parent: who asks does not decide. */
async function appealed(world: World): Promise<string> {
  const parent = await world.app.as({ school_id: world.school_id, codes: [] })
  const star = await given(world)
  await adopt({ ...world, me: parent }, star.user_id)
  return dataOf(
    myStarApi.add,
    await world.app.call(myStarApi.add, { record_id: star.record_id, text: '请再核实' }, { token: parent.token }),
  ).appeal_id
}

async function waiting(world: World): Promise<string> {
  const { record_id } = await given(world)
  await world.app.running.database.tenant<unknown, unknown>(world.school_id, db =>
    sql`update star_record set state = 0, given_by = null where school_id = ${world.school_id} and record_id = ${record_id}`.execute(db),
  )
  return record_id
}

async function settled(world: World): Promise<string> {
  return dataOf(starShowApi.settle, await world.app.call(starShowApi.settle, await past(world), as(world))).period_id
}

/** Each call settles a week of its own. */
async function past({ app }: World) {
  made += 1
  return { kind: '1' as const, day: new Date(app.clock.now().getTime() - (14 + made * 7) * 86_400_000).toISOString().slice(0, 10) }
}

const committee = async (world: World) => {
  const { dept_id, user_id } = await enrolled(world)
  return {
    dept_id,
    from: new Date(world.app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10),
    row_version: 0,
    posts: [{ post_code: '1', user_id }],
  }
}
/** Version of the school's limits: each call finds the one before it. */
const limitVersion = async (world: World) => dataOf(committeeApi.limits, await world.app.call(committeeApi.limits, {},
  as(world))).row_version
const ofClass: Builder<{ dept_id: string }> = async world => ({ input: { dept_id: (await enrolled(world)).dept_id } })

export const evaluationCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(starTypeApi, {
    tree: () => ({ input: {} }),
    add: async world => ({ input: draft(await dimension(world)) }),
    order: async world => ({ input: { star_type_ids: [await dimension(world)] } }),
    update: async world => {
      const { superior_id: _superior_id, ...rest } = draft()
      return { input: { ...rest, id: await indicator(world), row_version: 1 } }
    },
    remove: async world => ({ input: { id: await indicator(world) } }),
  }),
  ...buildersOf(recordApi, {
    page: async world => {
      const { dept_id, user_id, star_type_id } = await given(world)
      return { input: { dept_id, user_id, star_type_id } }
    },
    export: async world => {
      const { dept_id, user_id, star_type_id } = await given(world)
      return { input: { dept_id, user_id, star_type_id } }
    },
    options: () => ({ input: {} }),
    pupils: ofClass,
    give: async world => ({ input: { subject_ids: [(await enrolled(world)).user_id], star_type_id: await indicator(world) } }),
    undo: async world => ({ input: { batch_no: (await given(world)).batch_no } }),
    approve: async world => ({ input: { record_id: await waiting(world), agree: true } }),
    revoke: async world => ({ input: { record_id: (await given(world)).record_id, reason: '登记有误' } }),
    profile: async world => ({ input: { user_id: (await given(world)).user_id } }),
  }),
  ...buildersOf(appealApi, {
    page: () => ({ input: {} }),
    decide: async world => ({ input: { appeal_id: await appealed(world), decision: 1 as const, opinion: '情况属实' } }),
  }),
  ...buildersOf(myStarApi, {
    subjects: () => ({ input: {} }),
    list: async world => ({ input: { user_id: (await mine(world)).user_id } }),
    add: async world => ({ input: { record_id: (await mine(world)).record_id, text: '请再核实' } }),
  }),
  ...buildersOf(starShowApi, {
    ranking: async world => ({ input: { dept_id: (await enrolled(world)).dept_id, period_id: await settled(world) } }),
    history: () => ({ input: {} }),
    settle: async world => ({ input: await past(world) }),
    wall: ofClass,
    display: ofClass,
    setDisplay: async world => ({ input: { dept_id: (await enrolled(world)).dept_id, top_n: 5, name_mode: 1, row_version: 0 } }),
    optOut: async world => ({ input: { user_id: (await enrolled(world)).user_id, shown: false } }),
  }),
  ...buildersOf(committeeApi, {
    list: ofClass,
    save: async world => ({ input: await committee(world) }),
    teachers: ofClass,
    limits: () => ({ input: {} }),
    setLimits: async world => ({ input: { limits: { 1: 1 }, row_version: await limitVersion(world) } }),
    classes: () => ({ input: {} }),
  }),
])
