import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

let made = 0

/** A draft of a year of its own in which every cohort stays as it is, so that carrying it out changes nothing of the others' world. */
async function draft({ app, me, school_id }: World) {
  made += 1
  await app.running.database.tenant(school_id, db => sql`update upgrade_plan set state = 'failed' where school_id = ${school_id} and state in ('draft', 'simulated', 'signed')`.execute(db))
  const school_year = `${2100 + made}-${2101 + made}`
  const plan = dataOf(upgradeApi.create, await app.call(upgradeApi.create, { school_year, effective_on: today(app.clock.now()) }, { token: me.token }))
  const items = plan.items.map(({ dept_id }) => ({ dept_id, action: 'HOLD' as const }))
  return dataOf(upgradeApi.update, await app.call(upgradeApi.update, { id: plan.plan_id, row_version: plan.row_version, items }, { token: me.token }))
}

async function simulated(world: World) {
  const { plan_id } = await draft(world)
  const { plan_hash } = dataOf(upgradeApi.simulate, await world.app.call(upgradeApi.simulate, { id: plan_id }, { token: world.me.token }))
  return { plan_id, plan_hash }
}

/** As if another person had drawn the plan up. */
async function ofAnother(world: World) {
  const plan = await simulated(world)
  await world.app.running.database.tenant(world.school_id, db => sql`update upgrade_plan set created_by = -1 where school_id = ${world.school_id} and id = ${plan.plan_id}`.execute(db))
  return plan
}

async function signed(world: World) {
  const plan = await ofAnother(world)
  dataOf(upgradeApi.sign, await world.app.call(upgradeApi.sign, { id: plan.plan_id, plan_hash: plan.plan_hash, recheck_token: await recheckOf(world) }, { token: world.me.token }))
  return { ...plan, recheck_token: await recheckOf(world) }
}

async function ran(world: World): Promise<string> {
  const { plan_id } = dataOf(upgradeRunApi.run, await world.app.call(upgradeRunApi.run, await signed(world), { token: world.me.token }))
  return plan_id
}

/** The day in Asia/Shanghai. */
function today(now: Date): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
}

/** A year for which no draft of the builder stands in the way. */
async function freeYear(world: World): Promise<string> {
  const { plan_id } = await draft(world)
  await world.app.running.database.tenant(world.school_id, db => sql`update upgrade_plan set state = 'failed' where school_id = ${world.school_id} and id = ${plan_id}`.execute(db))
  return `${2100 + made}-${2101 + made}`
}

export const upgradeCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(upgradeApi, {
    current: () => ({ input: {} }),
    create: async world => ({ input: { school_year: await freeYear(world), effective_on: today(world.app.clock.now()) } }),
    update: async world => {
      const { plan_id, row_version, effective_on } = await draft(world)
      return { input: { id: plan_id, row_version, effective_on, items: [], people: [] } }
    },
    simulate: async world => ({ input: { id: (await draft(world)).plan_id } }),
    diff: async world => ({ input: { id: (await simulated(world)).plan_id } }),
    sign: async world => {
      const { plan_id, plan_hash } = await ofAnother(world)
      return { input: { id: plan_id, plan_hash, recheck_token: await recheckOf(world) } }
    },
    rollback: async world => ({ input: { id: await ran(world), reason: '方案有误', recheck_token: await recheckOf(world) } }),
  }),
  ...buildersOf(upgradeRunApi, {
    run: async world => ({ input: await signed(world) }),
    graduates: () => ({ input: {} }),
  }),
])
