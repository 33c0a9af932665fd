import { createHash, randomUUID } from 'node:crypto'
import { memberApi, upgradeApi, upgradeRunApi } from '@campus/people/contract'
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
/** Pupils of one command of the change record. */
const moved = 500

/** The promotion of a whole school. */
export const promotion: Figure = {
  name: 'promotion',
  title: 'The promotion of 3,906 pupils',
  how: 'Over HTTP on PostgreSQL: first 500 pupils change places with the class beside theirs by one command, then twelve grades go on, continue into the next stage or graduate. The simulation is the middle of three; the run is the one call that writes everything that has days of its own.',
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
  const moves = await neighbours(app)
  const move_ms = await timed(async () => dataOf(memberApi.move, await app.call(memberApi.move, { kind: 'CLASS', subjects: moves, effective_on: dayOf(app.clock.now()), reason: '均衡班额' }, by(drafter))))
  const tomorrow = dayOf(new Date(app.clock.now().getTime() + 86_400_000))
  const { plan_id } = dataOf(upgradeApi.create, await app.call(upgradeApi.create, { school_year: '2026-2027', effective_on: tomorrow }, by(drafter)))
  const looks: number[] = []
  for (let round = 0; round < rounds; round += 1) looks.push(await timed(async () => dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id: plan_id }, by(drafter)))))
  const { plan_hash, totals } = dataOf(upgradeApi.simulate, await app.call(upgradeApi.simulate, { id: plan_id }, by(drafter)))
  dataOf(upgradeApi.sign, await app.call(upgradeApi.sign, { id: plan_id, plan_hash, recheck_token: await proof(app, signer) }, by(signer)))
  const recheck_token = await proof(app, drafter)
  let command_id = ''
  const run_ms = await timed(async () => {
    command_id = dataOf(upgradeRunApi.run, await app.call(upgradeRunApi.run, { plan_id, plan_hash, recheck_token }, by(drafter))).command_id
  })
  const { versions, stayed } = await writtenBy(app, command_id)
  await app.close()
  return [
    atMost(`moving ${moves.length} pupils, with the receipt`, move_ms, 3000, seconds, '20-A11'),
    atMost(`simulation of ${pupils.toLocaleString('en')} pupils`, median(looks), 3000, seconds, '20-A5'),
    atMost('run', run_ms, 5000, seconds, '20-A5'),
    atMost('rows of names and places of classes that the run wrote', versions, 250, String, '20-A5'),
    atMost('rows of membership that it wrote of pupils who go on in their class', stayed, 0, String, '20-A5'),
    reported('simulation, run', `${milliseconds(median(looks))}, ${milliseconds(run_ms)}`),
    reported('pupils before; graduate, continue', `${totals.before}; ${totals.graduated}, ${totals.continued}`),
  ]
}

/** Pupils, each with the class beside his own of the same grade: as many come into a class as leave it. */
async function neighbours(app: TestApp): Promise<{ user_id: string; from_dept_id: string; to_dept_id: string }[]> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { user_id: string; from_dept_id: string; to_dept_id: string }[] }>(school_id, db => sql<{ user_id: string; from_dept_id: string; to_dept_id: string }>`
    with pairs as (
      select id, lead(id, 1, first) over (partition by pname order by id) as beside from (
        select id, pname, first_value(id) over (partition by pname order by id) as first from dept_now where school_id = ${school_id} and dept_type = 4) c)
    select user_id::text, dept_id::text as from_dept_id, beside::text as to_dept_id from (
      select m.user_id, m.dept_id, p.beside, row_number() over (partition by m.dept_id order by m.user_id) as place
      from dept_member m join pairs p on p.id = m.dept_id
      where m.school_id = ${school_id} and m.member_kind = 'student' and p.beside <> p.id) x
    order by place, dept_id limit ${moved}`.execute(db))
  return rows
}

/** What the run wrote: versions of departments, and memberships of pupils who were in the same class before. */
async function writtenBy(app: TestApp, command_id: string): Promise<{ versions: number; stayed: number }> {
  const { rows } = await app.running.database.tenant<unknown, { rows: { versions: number; stayed: number }[] }>(school_id, db => sql<{ versions: number; stayed: number }>`
    select (select count(*)::int from dept_version where school_id = ${school_id} and command_id = ${command_id}) as versions,
      (select count(*)::int from dept_member n join dept_member o on o.school_id = n.school_id and o.user_id = n.user_id and o.dept_id = n.dept_id and o.id <> n.id
        where n.school_id = ${school_id} and o.school_id = ${school_id} and n.command_id = ${command_id}) as stayed`.execute(db))
  return rows[0] ?? { versions: 0, stayed: 0 }
}

async function proof(app: TestApp, { user_id }: TestUser): Promise<string> {
  const token = randomUUID()
  const expire_at = new Date(app.clock.now().getTime() + 3_600_000)
  await app.running.database.tenant(school_id, db => sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${createHash('sha256').update(token).digest()}, 'recheck', ${user_id}, ${school_id}, ${expire_at})`.execute(db))
  return token
}
