import { setting_bounds } from '@campus/devices/contract'
import type { SchoolSetting } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { readSetting } from '../setting/setting.queries.ts'
import { credentialKey } from '../sync/derive.ts'

type Of = { school_id: number; device_id: string }
/** A row of a person that is to go, as the planner has it. */
export type Leaving = { kind: string; row_key: string; user_id: string | null; state: string; prio: number; reason_code: string | null }

/** No school holds back fewer people than this. */
const [least_held] = setting_bounds.mass_delete_min
const whole = 100
const [lost_prio, leaver_prio] = [0, 1]

/**
 * Holds back a change that takes more living people from a device at once than the school lets go without a signature: a wrong import or a slip in a rule must not shut a school's doors
 * (chapter 30 rule 10). Whoever has left, and every credential that counts no more, goes all the same.
 * @param leaving deletions as derived; `stays`: people who keep a right here
 * @returns the same deletions, those held marked as blocked
 */
export async function holdMass<R extends Leaving>(db: Db, of: Of, leaving: readonly R[], now: Date, stays: (user_id: string) => boolean): Promise<R[]> {
  const gone = leaving.filter(row => row.kind === 'person' && row.state === 'pending')
  if (gone.length <= least_held) return [...leaving]
  const setting = await readSetting(db, of.school_id)
  if (gone.length <= setting.mass_delete_min) return [...leaving]
  const living = await readLiving(db, of, gone.flatMap(row => row.user_id ?? []))
  const persons = gone.filter(row => living.users.has(row.user_id ?? '')).length
  const persons_total = await countPersons(db, of)
  if (persons <= heldFrom(persons_total, setting)) return [...leaving]
  await openPlan(db, of, { persons, persons_total, now })
  return leaving.map(row => {
    if (row.state !== 'pending') return row
    if (row.kind === 'permission') return held(row)
    if (row.user_id === null || stays(row.user_id) || !living.users.has(row.user_id)) return row
    return row.kind === 'credential' && !living.credentials.has(row.row_key) ? { ...row, prio: lost_prio } : held(row)
  })
}

/** So many people of a device that holds so many may go at once without a signature; of one more it is held. */
export function heldFrom(persons_total: number, { mass_delete_pct, mass_delete_min }: Pick<SchoolSetting, 'mass_delete_pct' | 'mass_delete_min'>): number {
  return Math.max(mass_delete_min, Math.floor((persons_total * mass_delete_pct) / whole))
}

function held<R extends Leaving>(row: R): R {
  return { ...row, state: 'blocked', reason_code: 'held' }
}

/** Who of these people is alive for devices, and the keys of what they may still be known by. */
async function readLiving(db: Db, { school_id }: Of, user_ids: readonly string[]): Promise<{ users: Set<string>; credentials: Set<string> }> {
  const users = await db.selectFrom('subject').select('user_id').where('school_id', '=', school_id).where('live', '=', true).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`).execute()
  const known = await db.selectFrom('subject_credential').select(['credential_id', 'user_id', 'cred_kind']).where('school_id', '=', school_id).where('usable', '=', true).where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`).execute()
  return { users: new Set(users.map(row => row.user_id)), credentials: new Set(known.map(credentialKey)) }
}

/** People a device is to hold as it stands in the rows, before the change. */
async function countPersons(db: Db, { school_id, device_id }: Of): Promise<number> {
  const { count } = await db.selectFrom('sync_row').select(sql<number>`count(*)::int`.as('count')).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'person').where(eb => eb.or([eb('want_op', '=', 'put'), eb('reason_code', '=', 'held')])).executeTakeFirstOrThrow()
  return count
}

async function openPlan(db: Db, { school_id, device_id }: Of, { persons, persons_total, now }: { persons: number; persons_total: number; now: Date }): Promise<void> {
  await sql`
    insert into sync_plan (school_id, device_id, persons, persons_total, state, held_at) values (${school_id}, ${device_id}, ${persons}, ${persons_total}, 'held', ${now})
    on conflict (school_id, device_id) where state = 'held' do nothing`.execute(db)
}

/** Follows changes that are held back: what must go at once after all goes (whoever has left meanwhile, and what counts no more), how many people it concerns is counted, and when nobody is held any more it is over. @returns how many rows go, by device that has or had such a change */
export async function followHeld(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, number>> {
  const plans = await db.selectFrom('sync_plan').select('device_id').where('school_id', '=', school_id).where(sql<boolean>`device_id = any(${[...device_ids]}::bigint[])`).where('state', '=', 'held').execute()
  const freed = new Map<string, number>()
  for (const { device_id } of plans) freed.set(device_id, await freeHeld(db, { school_id, device_id }, now))
  return freed
}

async function freeHeld(db: Db, of: Of, now: Date): Promise<number> {
  const { school_id, device_id } = of
  const { rows } = await sql`
    update sync_row r set state = 'pending', reason_code = null, attempts = 0, next_at = ${now}, wanted_at = ${now}, prio = ${leaver_prio}
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.state = 'blocked' and r.reason_code = 'held' and r.kind in ('person', 'credential')
      and (not exists (select from subject s where s.school_id = ${school_id} and s.user_id = r.user_id and s.live)
        or (r.kind = 'credential' and not exists (select from subject_credential c where c.school_id = ${school_id} and c.user_id = r.user_id and c.usable and r.row_key = case when c.cred_kind = 'face' then 'f' || c.user_id else 'c' || c.credential_id end)))
    returning row_key`.execute(db)
  await countPlan(db, of, now)
  return rows.length
}

/** How many people are held as it stands now: more of them, or fewer; of nobody it is over, since its people may pass again. */
async function countPlan(db: Db, { school_id, device_id }: Of, now: Date): Promise<void> {
  await sql`
    update sync_plan p set persons = case when h.count = 0 then p.persons else least(h.count, p.persons_total) end, state = case when h.count = 0 then 'over' else p.state end, ended_at = case when h.count = 0 then ${now}::timestamptz end
    from (select count(*)::int as count from sync_row where school_id = ${school_id} and device_id = ${device_id} and kind = 'person' and state = 'blocked' and reason_code = 'held') h
    where p.school_id = ${school_id} and p.device_id = ${device_id} and p.state = 'held'`.execute(db)
}

/** A device is taken out for good: what it was to lose is nobody's to sign any more. */
export async function endHold(db: Db, { school_id, device_id }: Of, now: Date): Promise<void> {
  await db.updateTable('sync_plan').set({ state: 'over', ended_at: now }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('state', '=', 'held').execute()
}
