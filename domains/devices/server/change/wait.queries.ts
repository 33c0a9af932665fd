import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { everything, people_alone } from '../sync/due.ts'

type Of = { db: QueryExecutorProvider; school_id: number }
/** A command, or one part of a promotion. */
export type Part = { command_id: string; kind: string }
const Part = z.object({ command_id: z.string(), kind: z.string() })
/** A device that has not confirmed, and why. */
const Waiting = z.object({ device_name: z.string(), online: z.boolean(), is_paused: z.boolean(), is_held: z.boolean(), is_refused: z.boolean() })
export type Waiting = z.output<typeof Waiting>

/** A row of somebody that the device has not confirmed: it holds him still, or not yet as he is to be. What is not to be sent is not waited for. */
const is_open = sql`(case r.want_op when 'delete' then r.state <> 'gone' else r.state in ('pending', 'sent', 'unknown', 'refused') end)`

/** A device that has ever been here and still belongs to the school: one that never was holds nobody, and nobody waits for it. */
const has_been_here = sql`d.lifecycle <> 'retired' and d.last_seen_at is not null`

/** Devices that hold one of these people, or are to. */
export async function countHolding({ db, school_id }: Of, user_ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct r.device_id)::int as n from sync_row r join device d on d.school_id = r.school_id and d.device_id = r.device_id
    where r.school_id = ${school_id} and r.user_id = any(${[...user_ids]}::bigint[]) and ${has_been_here} and r.state not in ('gone', 'blocked')`.execute(db)
  return rows[0]?.n ?? 0
}

/** Every device that holds one of these people, or is to be derived for one, is waited for. @returns how many lines */
export async function insertWaits({ db, school_id }: Of, { command_id, kind }: Part, user_ids: readonly string[]): Promise<number> {
  const users = [...user_ids]
  const { numAffectedRows } = await sql`
    insert into change_wait (school_id, command_id, kind, user_id, device_id)
    select ${school_id}::int, ${command_id}::bigint, ${kind}, x.user_id, x.device_id from (
      select r.user_id, r.device_id from sync_row r where r.school_id = ${school_id} and r.user_id = any(${users}::bigint[]) and r.state <> 'gone' and (r.want_op = 'delete' or r.state <> 'blocked')
      union select s.user_id, s.device_id from sync_due s where s.school_id = ${school_id} and s.user_id = any(${users}::bigint[])) x
    join device d on d.school_id = ${school_id} and d.device_id = x.device_id where ${has_been_here}
    on conflict do nothing`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

/** Takes off what these devices have confirmed: nothing of the person is to be derived there, and nothing is on its way or refused. `row_keys`: of whom something was said, where that is known. @returns the commands it belonged to */
export async function takeConfirmed({ db, school_id }: Of, device_ids: readonly string[], row_keys: readonly string[] | null): Promise<Part[]> {
  const of_rows = row_keys === null ? sql`true` : sql`w.user_id in (select r.user_id from sync_row r where r.school_id = ${school_id} and r.device_id = any(${[...device_ids]}::bigint[]) and r.kind in ('person', 'credential') and r.row_key = any(${[...row_keys]}::text[]))`
  const { rows } = await runKept(db, row_keys === null ? 'devices.confirmed_all' : 'devices.confirmed', sql`
    delete from change_wait w where w.school_id = ${school_id} and w.device_id = any(${[...device_ids]}::bigint[]) and ${of_rows}
      and not exists (select from sync_due s where s.school_id = ${school_id} and s.device_id = w.device_id and s.user_id in (w.user_id, ${everything}::bigint, ${people_alone}::bigint))
      and not exists (select from sync_row r where r.school_id = ${school_id} and r.device_id = w.device_id and r.user_id = w.user_id and ${is_open})
    returning w.command_id::text as command_id, w.kind`.compile(db))
  return partsOf(rows)
}

function partsOf(rows: unknown): Part[] {
  return [...new Map(z.array(Part).parse(rows).map(part => [`${part.command_id} ${part.kind}`, part])).values()]
}

/** Takes off everything that waits for a device. @returns the commands it belonged to */
export async function takeWaits({ db, school_id }: Of, device_id: string): Promise<Part[]> {
  const { rows } = await sql`delete from change_wait where school_id = ${school_id} and device_id = ${device_id} returning command_id::text as command_id, kind`.execute(db)
  return partsOf(rows)
}

/** People who were erased and of whom a device may still hold something. */
export async function erasedUsers({ db, school_id }: Of, device_id: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct r.user_id::text as user_id from sync_row r
    where r.school_id = ${school_id} and r.device_id = ${device_id} and r.user_id is not null and r.state <> 'gone' and not exists (select from subject s where s.school_id = ${school_id} and s.user_id = r.user_id)
    order by 1`.execute(db)
  return rows.map(row => row.user_id)
}

/** Devices that a command still waits for, by name. */
export async function readWaiting({ db, school_id }: Of, { command_id, kind }: Part): Promise<Waiting[]> {
  const of_device = sql`from sync_row r join change_wait o on o.school_id = r.school_id and o.device_id = r.device_id and o.user_id = r.user_id
    where r.school_id = ${school_id} and o.school_id = ${school_id} and r.device_id = d.device_id and o.command_id = ${command_id} and o.kind = ${kind}`
  const { rows } = await sql`
    select d.device_name, d.online, not d.is_push or d.lifecycle = 'disabled' as is_paused, exists (select ${of_device} and r.reason_code = 'held') as is_held, exists (select ${of_device} and r.state = 'refused') as is_refused
    from device d where d.school_id = ${school_id} and d.device_id in (select w.device_id from change_wait w where w.school_id = ${school_id} and w.command_id = ${command_id} and w.kind = ${kind})
    order by d.device_name`.execute(db)
  return z.array(Waiting).parse(rows)
}
