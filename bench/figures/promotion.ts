import { createHash, randomUUID } from 'node:crypto'
import { upgradeApi, upgradeRunApi } from '@campus/people/contract'
import { dataOf } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { sql } from 'kysely'
import { atMost, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median, timed } from '../measure.ts'
import { dayOf, fillWithPupils, install, settleStatistics } from '../school.ts'

const school_id = 1001
const base = 10_000_000
const rounds = 3

/** The promotion of a whole school. */
export const promotion: Figure = {
  name: 'promotion',
  title: 'The promotion of 3,906 pupils',
  how: 'Over HTTP on PostgreSQL: twelve grades go on, continue into the next stage or graduate. The simulation is the middle of three; the run is the one call that writes everything that has days of its own.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const installed = await install('postgres', bench)
  const { app } = installed
  const pupils = bench.quick ? 1000 : 3906
  await fillWithPupils(installed, { school_id, base, pupils, guardians: 'one or two' })
  await settleStatistics(installed)
  const drafter = await app.as({ school_id, codes: 'all', scope: 'all' })
  const signer = await app.as({ school_id, codes: 'all', scope: 'all' })
  const by = (who: TestUser) => ({ token: who.token })
  const tomorrow = dayOf(new Date(app.clock.now().getTime() + 86_400_000))
  const { plan_id } = dataOf(upgradeApi.create, await app.call(upgradeApi.create, { school_year: '2026-2027', effective_on: tomorrow }, by(drafter)))
  const looks: number[] = []
  for (let round = 0; round < rounds; round += 1) looks.push(await timed(async () => dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id: plan_id }, by(drafter)))))
  const { plan_hash, totals } = dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id: plan_id }, by(drafter)))
  dataOf(upgradeApi.sign, await app.call(upgradeApi.sign, { id: plan_id, plan_hash, recheck_token: await proof(app, signer) }, by(signer)))
  const recheck_token = await proof(app, drafter)
  const run_ms = await timed(async () => dataOf(upgradeRunApi.run, await app.call(upgradeRunApi.run, { plan_id, plan_hash, recheck_token }, by(drafter))))
  await app.close()
  return [
    atMost(`simulation of ${pupils.toLocaleString('en')} pupils`, median(looks), 3000, seconds, '20-A5'),
    atMost('run', run_ms, 5000, seconds, '20-A5'),
    reported('simulation, run', `${milliseconds(median(looks))}, ${milliseconds(run_ms)}`),
    reported('pupils before; graduate, continue', `${totals.before}; ${totals.graduated}, ${totals.continued}`),
  ]
}

async function proof(app: TestApp, { user_id }: TestUser): Promise<string> {
  const token = randomUUID()
  const expire_at = new Date(app.clock.now().getTime() + 3_600_000)
  await app.running.database.tenant(school_id, db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
}
