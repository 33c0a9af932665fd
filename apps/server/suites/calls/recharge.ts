import { rechargeApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const rules = {
  is_open: true, channels: ['1' as const, '2' as const], min_fen: 1000, max_fen: 50_000, quick_fen: [5000, 10_000, 20_000], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: true,
}
/** A kind that every school of the suites has, whatever its type. */
const person_kind = 1 as const
const numbers_a_school = 1000

async function latestOf(world: World): Promise<number> {
  const { list } = dataOf(rechargeApi.config, await world.app.call(rechargeApi.config, {}, { token: world.me.token }))
  return list.find(card => card.person_kind === person_kind)?.latest ?? 0
}

const draft = async (world: World) => ({ person_kind, latest: await latestOf(world), ...rules })

/** A version that somebody else has submitted. */
async function submitted(world: World): Promise<number> {
  const other = await world.app.as({ school_id: world.school_id, codes: ['people.recharge.edit'] })
  const sent = await draft(world)
  dataOf(rechargeApi.save, await world.app.call(rechargeApi.save, sent, { token: other.token }))
  return ownVersion(world, sent.latest + 1)
}

/** Schools count their versions for themselves; here each gets one that no other school has. */
async function ownVersion({ app, school_id }: World, version: number): Promise<number> {
  const own = Math.max(version, school_id * numbers_a_school)
  await app.running.database.tenant(school_id, db => sql`update recharge_config set version = ${own} where school_id = ${school_id} and person_kind = ${person_kind} and version = ${version}`.execute(db))
  return own
}

export const rechargeCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(rechargeApi, {
    config: () => ({ input: {} }),
    save: async world => ({ input: await draft(world) }),
    approve: async world => ({ input: { version_no: await submitted(world), person_kind } }),
  }),
)
