import { read_back_span_hours } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db } from '../db.ts'
import { wakeSenders } from '../notice.ts'
import { readSetting } from '../setting/setting.queries.ts'
import type { Found } from './reading.ts'

type Of = { school_id: number; device_id: string }
const zone = 'Asia/Shanghai'
/** The nightly read-backs are spread over so many minutes (chapter 30 rule 9). */
const [night_minutes, again_minutes] = [read_back_span_hours * 60, 10]

/** Asks for a read-back of a device; it is made when nothing else waits for it. One that waits already is enough. */
export async function askProof(db: QueryExecutorProvider, { school_id, device_id }: Of, now: Date, { asked_by = null, is_rebuild = false }: { asked_by?: string | null; /** everything was sent anew before */ is_rebuild?: boolean }): Promise<void> {
  await sql`insert into sync_proof (school_id, device_id, asked_at, asked_by, state, is_rebuild) values (${school_id}, ${device_id}, ${now}, ${asked_by}, 'waiting', ${is_rebuild}) on conflict do nothing`.execute(db)
  await wakeSenders({ db, school_id }, [device_id])
}

/** When the read-back that waits was asked for, as text (a date loses its microseconds); undefined: none waits. */
export async function waitingProof(db: Db, { school_id, device_id }: Of): Promise<string | undefined> {
  const { rows } = await sql<{ asked_at: string }>`select asked_at::text from sync_proof where school_id = ${school_id} and device_id = ${device_id} and state = 'waiting'`.execute(db)
  return rows[0]?.asked_at
}

/** Ends a read-back. @returns whether it was the one of a rebuild */
export async function endProof(db: Db, { school_id, device_id }: Of, { asked_at, found, state, now }: { asked_at: string; found: Found; state: 'done' | 'failed'; now: Date }): Promise<boolean> {
  const { rows } = await sql<{ is_rebuild: boolean }>`
    update sync_proof set state = ${state}, ended_at = ${now}, rows_checked = ${found.checked}, rows_missing = ${found.missing}, rows_different = ${found.different}, rows_foreign = ${found.foreign}
    where school_id = ${school_id} and device_id = ${device_id} and asked_at = ${asked_at}::timestamptz and state = 'waiting' returning is_rebuild`.execute(db)
  return rows[0]?.is_rebuild ?? false
}

/** What was sent again is read back once more, for the same reason, unless that was done a moment ago: a device that loses what it is given is not read without end. */
export async function askAgain(db: Db, of: Of, now: Date, is_rebuild: boolean): Promise<void> {
  const { rows } = await sql`
    select from sync_proof where school_id = ${of.school_id} and device_id = ${of.device_id} and state = 'done' and ended_at > ${now}::timestamptz - ${again_minutes} * interval '1 minute' offset 1 limit 1`.execute(db)
  if (rows.length === 0) await askProof(db, of, now, { is_rebuild })
}

/** Asks for tonight's read-backs of the devices of a school whose minute has come: each has its own in the three hours from the one that the school has set, which may begin before midnight. */
export async function askTonight(db: Db, school_id: number, now: Date): Promise<void> {
  const { read_back_hour } = await readSetting(db, school_id)
  const { rows } = await sql<{ device_id: string }>`
    with night as (select here, date_trunc('day', here - ${read_back_hour} * interval '1 hour') + ${read_back_hour} * interval '1 hour' as begin from (select ${now}::timestamptz at time zone ${zone} as here) h)
    insert into sync_proof (school_id, device_id, asked_at, state)
    select d.school_id, d.device_id, ${now}::timestamptz, 'waiting' from device d join device_model m on m.model_code = d.model_code cross join night
    where d.school_id = ${school_id} and d.online and d.lifecycle = 'active' and m.driver in ('jdev', 'vf105') and here >= begin + (d.device_id % ${night_minutes}) * interval '1 minute' and here < begin + ${night_minutes} * interval '1 minute'
      and not exists (select from sync_proof p where p.school_id = ${school_id} and p.device_id = d.device_id and p.asked_at >= night.begin at time zone ${zone})
    on conflict do nothing returning device_id::text`.execute(db)
  await wakeSenders({ db, school_id }, rows.map(row => row.device_id))
}

/** Whether a device is of a model that shows what it is told (boards, screens). */
export async function showsContent(db: Db, { school_id, device_id }: Of): Promise<boolean> {
  return (await showing(db, school_id, [device_id])).length > 0
}

/** Those of these devices that show what they are told. */
export async function showing(db: Db, school_id: number, device_ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select('d.device_id').where('d.school_id', '=', school_id).where(sql<boolean>`d.device_id = any(${[...device_ids]}::bigint[])`).where(sql<boolean>`coalesce((m.capabilities->>'content')::boolean, false)`).execute()
  return rows.map(row => row.device_id)
}
