import { loginApi } from '@campus/identity/contract'
import { freshmenApi, freshmenArrivalApi, freshmenPlaceApi, freshmenSeasonApi, registerPublicApi } from '@campus/people/contract'
import { createDepts } from '@campus/people/server'
import type { FreshmenSeason, SeasonDraft } from '@campus/people/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let made = 0
const hour_ms = 3_600_000
const first_year = 3000

/** A season nobody else has: the years go on beyond those of people. */
function draftOf({ app }: World): SeasonDraft {
  made += 1
  const now = app.clock.now().getTime()
  return {
    school_year: `${first_year + made}-${first_year + made + 1}`, stage: '1', open_at: new Date(now - hour_ms).toISOString(), close_at: new Date(now + hour_ms).toISOString(), quota: 100, form_fields: [], materials: [{ name: '户口簿', upload: 'optional' }],
    min_birthday: null, max_birthday: null, dup_policy: 'warn', review_levels: 1, import_passed: false, class_plan: { dept_ids: [] }, number_rule: { prefix: `B${made}n`, digits: 4, start: 1 },
  }
}

async function season(world: World): Promise<FreshmenSeason> {
  return dataOf(freshmenSeasonApi.save, await world.app.call(freshmenSeasonApi.save, draftOf(world), { token: world.me.token }))
}

/** A season that takes applications and documents. */
export async function opened(world: World): Promise<FreshmenSeason> {
  const { id, row_version } = await season(world)
  return dataOf(freshmenSeasonApi.turn, await world.app.call(freshmenSeasonApi.turn, { id, row_version, state: 'open' }, { token: world.me.token }))
}

/** An application as a family sends it. @returns its season and its id */
async function applied(world: World): Promise<{ season_id: string; id: string }> {
  const { app, me, school_id } = world
  const { id: season_id, register_key } = await opened(world)
  await app.running.database.tenant<unknown, unknown>(school_id, db => sql`delete from register_hit where school_id = ${school_id}`.execute(db))
  const { key: cap_key } = dataOf(loginApi.captcha, await app.call(loginApi.captcha, { type: 'login' }))
  const values = { user_name: '赵小满', sex: '女', id_type: '护照', id_no: `FS${school_id}N${made}`, guardian: '赵大山', relation: '父亲' }
  await app.call(registerPublicApi.act, { key: register_key, act: 'submit' as const, mobile: `1692${String(made).padStart(7, '0')}`, values, cap_key, captcha: '2222' })
  const { list } = dataOf(freshmenApi.page, await app.call(freshmenApi.page, { season_id }, { token: me.token }))
  return { season_id, id: list[0]?.id ?? '' }
}

/** One that was passed. */
async function passed(world: World): Promise<{ season_id: string; id: string }> {
  const one = await applied(world)
  await world.app.call(freshmenApi.review, { ids: [one.id], verdict: 'pass' as const }, { token: world.me.token })
  return one
}

/** A season with one child who is admitted and two classes to choose from; it takes no more applications. */
async function admitted(world: World): Promise<{ season_id: string; run_id: string; code: string }> {
  const { app, me, school_id, ids } = world
  const as = { token: me.token }
  const { season_id, id } = await passed(world)
  await app.call(freshmenApi.admit, { ids: [id], is_admitted: true }, as)
  const cohort = { tree: 'student' as const, grade: '11', enrol_year: 2026, stage: '1' }
  const depts = await app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => createDepts(db, school_id, [
    { key: 'grade', parent: ids.dept ?? '', dept_name: `新生年级${made}`, dept_type: 3, ...cohort },
    { key: 'class', parent: 'grade', dept_name: `新生班级${made}`, dept_type: 4, class_no: 1, ...cohort },
  ], '2026-09-01'))
  const { list } = dataOf(freshmenSeasonApi.list, await app.call(freshmenSeasonApi.list, {}, as))
  const found = list.find(one => one.id === season_id)
  if (!found) throw new Error(`no season ${season_id}`)
  const { state: _state, is_open: _open, register_key: _key, lottery_seed_hash: _hash, lottery_seed: _seed, counts: _counts, ...draft } = found
  const saved = dataOf(freshmenSeasonApi.save, await app.call(freshmenSeasonApi.save, { ...draft, class_plan: { dept_ids: [depts.get('class') ?? ''] } }, as))
  await app.call(freshmenSeasonApi.turn, { id: season_id, row_version: saved.row_version, state: 'closed' as const }, as)
  const { run_id } = dataOf(freshmenPlaceApi.run, await app.call(freshmenPlaceApi.run, { season_id }, as))
  const { list: rows } = dataOf(freshmenApi.page, await app.call(freshmenApi.page, { season_id }, as))
  return { season_id, run_id, code: rows[0]?.apply_no ?? '' }
}

export const freshmenCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(freshmenSeasonApi, {
    list: async world => {
      await season(world)
      return { input: {} }
    },
    numbers: () => ({ input: { prefix: '2031', digits: 4, start: 1 } }),
    save: async world => {
      const { id, row_version } = await season(world)
      return { input: { ...draftOf(world), id, row_version } }
    },
    turn: async world => {
      const { id, row_version } = await season(world)
      return { input: { id, row_version, state: 'open' as const } }
    },
  }),
  ...buildersOf(freshmenApi, {
    page: async world => ({ input: { season_id: (await applied(world)).season_id } }),
    detail: async world => ({ input: { id: (await applied(world)).id } }),
    update: async world => ({ input: { id: (await applied(world)).id, row_version: 1, score: 91.5 } }),
    review: async world => ({ input: { ids: [(await applied(world)).id], verdict: 'refuse' as const, reason: '户口簿不清晰' } }),
    admit: async world => ({ input: { ids: [(await passed(world)).id], is_admitted: true } }),
    giveUp: async world => ({ input: { ids: [(await applied(world)).id], reason: '随父母迁往外地' } }),
  }),
  ...buildersOf(freshmenArrivalApi, {
    checkin: async world => {
      const { season_id, run_id, code } = await admitted(world)
      await world.app.call(freshmenPlaceApi.adopt, { run_id }, { token: world.me.token })
      return { input: { season_id, code } }
    },
    export: async world => ({ input: { season_id: (await applied(world)).season_id } }),
  }),
  ...buildersOf(freshmenPlaceApi, {
    current: async world => ({ input: { season_id: (await admitted(world)).season_id } }),
    run: async world => ({ input: { season_id: (await admitted(world)).season_id } }),
    adopt: async world => ({ input: { run_id: (await admitted(world)).run_id } }),
  }),
])
