import { row_kinds } from '@kit/terminal-protocol'
import type { RowResult } from '@kit/terminal-protocol'
import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { facesWiped, noteFaces } from '../erasure/held.write.ts'
import { noteHeld, noteLost } from '../rule/told.write.ts'
import type { OutRow, RowName } from './out-row.ts'
import { oneMessage, sortRead, sortSaid } from './sorting.ts'

type Of = { school_id: number; device_id: string }
/** A row with the device that it is of. */
export type AtRow<R extends RowName = RowName> = R & { device_id: string }
const Out = z.object({ kind: z.enum(row_kinds), row_key: z.string(), want_op: z.enum(['put', 'delete']), want_hash: z.string(), want_version: z.string(), prio: z.number() })
/** Rows of these priorities go out whatever is paused (chapter 30 rule 4). */
const never_paused = 2
const [first_wait_s, longest_wait_s, most_attempts, ask_again_s] = [5, 300, 8, 10]

/** A put of this kind at a device `u` that does not go out with what is due now: it is on its way, or comes later. */
function isOpen(school_id: number, kind: 'permission' | 'person', now: Date) {
  return sql`exists (select from sync_row o where o.school_id = ${school_id} and o.device_id = u.device_id and o.kind = ${kind} and o.want_op = 'put' and (o.state in ('sent', 'unknown') or (o.state = 'pending' and o.next_at > ${now})))`
}

/** A device, and how many rows of it are wanted at most. */
export type Asked = { device_id: string; most: number }

/**
 * Rows of each device that are due, the most urgent first; of a paused device only what takes rights away. Nobody is put before the permissions he has are there, and no
 * permission goes before everybody who had it has another one: at no moment is somebody between two rules without either (chapter 30 §9.6). Deletions go before puts, of content
 * after them: what plays needs its files until the next plan is there.
 */
export async function dueRows(db: Db, school_id: number, asked: readonly Asked[], now: Date): Promise<ReadonlyMap<string, OutRow[]>> {
  const { rows } = await runKept(db, 'devices.due_rows_of', sql`
    select u.device_id::text as device_id, x.* from unnest(${asked.map(one => one.device_id)}::bigint[], ${asked.map(one => one.most)}::int[]) u(device_id, most)
    join device d on d.school_id = ${school_id} and d.device_id = u.device_id
    cross join lateral (
      select r.kind, r.row_key, r.want_op, r.want_hash, r.want_version::text as want_version, r.prio from sync_row r
      where r.school_id = ${school_id} and r.device_id = u.device_id and r.state = 'pending' and r.next_at <= ${now} and ((d.is_push and d.lifecycle = 'active') or r.prio <= ${never_paused})
        and not (r.kind = 'person' and r.want_op = 'put' and ${isOpen(school_id, 'permission', now)}) and not (r.kind = 'permission' and r.want_op = 'delete' and ${isOpen(school_id, 'person', now)})
      order by r.prio, (r.want_op = 'delete') = (r.kind = 'content'), r.want_version limit u.most) x`.compile(db))
  const due = Map.groupBy(z.array(Out.extend({ device_id: z.string() })).parse(rows), row => row.device_id)
  return new Map([...due].map(([device_id, of_device]) => [device_id, oneMessage(of_device.map(({ device_id: _device_id, ...row }) => row))]))
}

/** Whether something is due that waits for nobody's turn: a deletion of a lost card, of a leaver, of a right that shrinks. */
export async function urgentIsDue(db: Db, { school_id, device_id }: Of, now: Date): Promise<boolean> {
  const { rows } = await sql`select from sync_row where school_id = ${school_id} and device_id = ${device_id} and state = 'pending' and next_at <= ${now} and prio <= ${never_paused} limit 1`.execute(db)
  return rows.length > 0
}

/** What a device waits for: rows of which nobody knows, rows that are due, a package that it is to fetch, a read-back. Asked before every message, so that one question answers it where there is nothing. */
export type Waits = { is_unknown: boolean; is_due: boolean; has_package: boolean; has_proof: boolean }

/** What is to be asked of devices or said to them next, by device. */
export async function whatWaits(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, Waits>> {
  // A line of its own for each question: as conditions they were answered for the whole school at once, from all of its rows.
  const found = (name: string, what: ReturnType<typeof sql>) => sql`left join lateral (select true as is_there from ${what} limit 1) ${sql.id(name)} on true`
  const row = (state: 'unknown' | 'pending') => sql`sync_row where school_id = ${school_id} and device_id = u.device_id and state = ${sql.lit(state)} and next_at <= ${now}`
  const { rows } = await runKept(db, 'devices.waits_of', sql<Waits & { device_id: string }>`
    select u.device_id::text as device_id, a.is_there is true as is_unknown, b.is_there is true as is_due, c.is_there is true as has_package, d.is_there is true as has_proof from unnest(${[...device_ids]}::bigint[]) u(device_id)
    ${found('a', row('unknown'))} ${found('b', row('pending'))}
    ${found('c', sql`firmware_task_device where school_id = ${school_id} and device_id = u.device_id and state = 'INITIATED' and sent_at is null`)}
    ${found('d', sql`sync_proof where school_id = ${school_id} and device_id = u.device_id and state = 'waiting'`)}`.compile(db))
  return new Map(rows.map(({ device_id, ...waits }) => [device_id, waits]))
}

/** Devices of a school at which something is due, or of whose rows nobody knows what became of them. */
export async function waitingDevices(db: Db, school_id: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ device_id: string }>`
    select distinct device_id::text as device_id from sync_row where school_id = ${school_id} and state in ('pending', 'unknown') and next_at <= ${now}`.execute(db)
  return rows.map(row => row.device_id)
}

/** Rows of which nobody knows whether the device has them, of one kind. */
export async function unknownRows(db: Db, { school_id, device_id }: Of, now: Date): Promise<OutRow[]> {
  const { rows } = await sql`
    select kind, row_key, want_op, want_hash, want_version::text as want_version, prio from sync_row
    where school_id = ${school_id} and device_id = ${device_id} and state = 'unknown' and next_at <= ${now}
      and kind = (select kind from sync_row where school_id = ${school_id} and device_id = ${device_id} and state = 'unknown' and next_at <= ${now} order by prio limit 1)`.execute(db)
  return z.array(Out).parse(rows)
}

/** These rows are on their way. */
export async function markSent(db: Db, school_id: number, rows: readonly AtRow<OutRow>[], now: Date): Promise<void> {
  await update(db, school_id, rows, 'sent', sql`state = 'sent', sent_at = ${now}, fetched_at = null, attempts = r.attempts + 1`)
}

/** Nobody knows what became of them: they are read back before anything is sent again (chapter 30 rule 6). */
export async function markUnknown(db: Db, school_id: number, rows: readonly AtRow[]): Promise<void> {
  await update(db, school_id, rows, 'unknown', sql`state = 'unknown'`)
}

/** The device did not say what it holds: what it was to forget is not taken for forgotten, it is asked again a little later. */
async function askLater(db: Db, school_id: number, rows: readonly AtRow[], now: Date): Promise<void> {
  await update(db, school_id, rows, 'ask_later', sql`next_at = ${now}::timestamptz + ${ask_again_s} * interval '1 second'`)
}

/** Everything that was on its way when the last session ended. */
export async function forgetSent(db: Db, { school_id, device_id }: Of): Promise<void> {
  await db.updateTable('sync_row').set({ state: 'unknown' }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('state', '=', 'sent').execute()
}

/** The device lost everything: what it is to hold is sent again, what it is not to hold is gone, or blocked (chapter 30 rule 11). @returns what is gone */
export async function startOver(db: Db, { school_id, device_id }: Of, now: Date): Promise<Pick<OutRow, 'kind' | 'row_key'>[]> {
  const { rows } = await sql`
    with turned as (
    update sync_row set state = case when want_op = 'delete' then case when blocked_after is null then 'gone' else 'blocked' end when state = 'blocked' then state else 'pending' end,
      want_op = case when blocked_after is null then want_op else 'put' end, reason_code = coalesce(blocked_after, reason_code), blocked_after = null,
      have_hash = null, attempts = 0, next_at = ${now}, wanted_at = ${now}, acked_at = case when want_op = 'delete' then ${now}::timestamptz end, proven_at = null
    where school_id = ${school_id} and device_id = ${device_id} and state <> 'gone'
    returning kind, row_key, state)
    select kind, row_key from turned where state = 'gone'`.execute(db)
  await noteLost(db, { school_id, device_id }, now)
  await facesWiped(db, { school_id, device_id }, now)
  return z.array(Out.pick({ kind: true, row_key: true })).parse(rows)
}

/** What a device has said of rows that were on their way to it. */
export type Said = { device_id: string; rows: readonly RowName[]; results: readonly RowResult[] }

/** What devices have said of each row; a row without a line is unknown. However many devices have said so at once, what they took is written together. */
export async function settleAll(db: Db, school_id: number, said: readonly Said[], now: Date): Promise<void> {
  const sorted = said.map(({ device_id, rows, results }) => ({ device_id, ...sortSaid(rows, results) }))
  const all = (which: 'held' | 'unknown' | 'later') => sorted.flatMap(one => at(one.device_id, one[which]))
  await markHeld(db, school_id, all('held'), now, false)
  await markUnknown(db, school_id, all('unknown'))
  for (const { device_id, refused } of sorted) for (const { result, ...row } of refused) await refuse(db, school_id, { ...row, device_id }, { code: result.code ?? 'refused', text: result.text ?? '' })
  await putOff(db, school_id, all('later'), now)
}

/** What one device has said. */
export function settleRows(db: Db, { school_id, device_id }: Of, rows: readonly RowName[], results: readonly RowResult[], now: Date): Promise<void> {
  return settleAll(db, school_id, [{ device_id, rows, results }], now)
}

/** What a read-back has shown: `held` = hash by key, undefined when the device did not say. What is right is proven, what is not is sent again. */
export async function compareRows(db: Db, { school_id, device_id }: Of, out: readonly OutRow[], held: ReadonlyMap<string, string> | undefined, now: Date): Promise<void> {
  if (!held) return askLater(db, school_id, at(device_id, out), now)
  const { right, wrong } = sortRead(out, held)
  await markHeld(db, school_id, at(device_id, right), now, true)
  await sendOnceMore(db, school_id, at(device_id, wrong), now)
}

/** Whether a device is to hold a credential under this key. */
export async function wantsKey(db: Db, { school_id, device_id }: Of, row_key: string): Promise<boolean> {
  const found = await db.selectFrom('sync_row').select('row_key').where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', '=', 'credential').where('row_key', '=', row_key).where('want_op', '=', 'put').executeTakeFirst()
  return found !== undefined
}

/** These rows are to be sent again. */
export async function sendOnceMore(db: Db, school_id: number, rows: readonly AtRow[], now: Date): Promise<void> {
  await update(db, school_id, rows, 'again', sql`state = 'pending', next_at = ${now}`)
}

async function markHeld(db: Db, school_id: number, rows: readonly AtRow[], now: Date, proven: boolean): Promise<void> {
  const put_state = proven ? 'proven' : 'applied'
  await update(db, school_id, rows, 'held', sql`
    state = case when r.want_op = 'put' then ${put_state} when r.blocked_after is null then 'gone' else 'blocked' end, want_op = case when r.blocked_after is null then r.want_op else 'put' end, reason_code = r.blocked_after, blocked_after = null, reason_text = null,
    have_hash = case when r.want_op = 'put' then r.want_hash end, acked_at = case when ${proven} then coalesce(r.acked_at, ${now}::timestamptz) else ${now}::timestamptz end, proven_at = case when ${proven} then ${now}::timestamptz end`)
  await noteFaces(db, school_id, rows, now, proven)
  const ruled = new Set(rows.filter(row => row.kind === 'rule').map(row => row.device_id))
  if (ruled.size > 0) await noteHeld(db, school_id, [...ruled], now)
}

async function refuse(db: Db, school_id: number, row: AtRow, { code, text }: { code: string; text: string }): Promise<void> {
  await update(db, school_id, [row], 'refused', sql`state = 'refused', reason_code = ${code}, reason_text = ${text}`)
}

/** Later: twice as late each time; puts give up in the end, deletions never do. */
async function putOff(db: Db, school_id: number, rows: readonly AtRow[], now: Date): Promise<void> {
  await update(db, school_id, rows, 'put_off', sql`
    state = case when r.want_op = 'put' and r.attempts >= ${most_attempts} then 'refused' else 'pending' end, reason_code = case when r.want_op = 'put' and r.attempts >= ${most_attempts} then 'retry_exhausted' end,
    next_at = ${now}::timestamptz + least(${first_wait_s} * power(2, r.attempts), ${longest_wait_s}) * interval '1 second'`)
}

/** Rows whose content has just changed: they are derived anew in a moment. */
export async function putOffRows(db: Db, school_id: number, rows: readonly AtRow[], now: Date): Promise<void> {
  await update(db, school_id, rows, 'underived', sql`next_at = ${now}::timestamptz + interval '2 seconds'`)
}

/** A row that was to be deleted, or may have been: `want_op` spares the question where it is known to be a put. */
export type Deleted = Pick<OutRow, 'kind' | 'row_key'> & { device_id: string; want_op?: string }

/** People whose rows were to be deleted at devices and of whom those hold nothing any more. */
export async function goneUsers(db: Db, school_id: number, rows: readonly Deleted[]): Promise<{ device_id: string; user_id: string }[]> {
  const asked = rows.filter(row => row.want_op !== 'put' && row.kind !== 'permission')
  if (asked.length === 0) return []
  const keys = JSON.stringify(asked.map(({ device_id, kind, row_key }) => ({ device_id, kind, row_key })))
  const { rows: found } = await runKept(db, 'devices.gone_users', sql<{ device_id: string; user_id: string }>`
    with going as materialized (
      select distinct g.device_id, g.user_id from jsonb_to_recordset(${keys}::jsonb) k(device_id bigint, kind text, row_key text)
      cross join lateral (select device_id, user_id from sync_row where school_id = ${school_id} and device_id = k.device_id and kind = k.kind and row_key = k.row_key and want_op = 'delete' and user_id is not null limit 1) g)
    select r.device_id::text as device_id, r.user_id::text as user_id from going join sync_row r on r.school_id = ${school_id} and r.device_id = going.device_id and r.user_id = going.user_id
    group by r.device_id, r.user_id having bool_and(r.state = 'gone') order by 1, 2`.compile(db))
  return found
}

/** Rows of a device with the device. */
export function at<R extends RowName>(device_id: string, rows: readonly R[]): AtRow<R>[] {
  return rows.map(row => ({ ...row, device_id }))
}

/** What a row cannot be without. */
export const row_columns = sql`school_id, device_id, kind, row_key, want_op, want_hash, want_version, prio, state, next_at`

/**
 * Changes rows that are still of the version that was sent; `name` stands for what is set. Each row is found by its key, whatever the statistics say, and written as one that is there already, which goes by the key as well: as a plain
 * update all rows of the school were read for each message while the terminals of a new school were filled, whose statistics are of an empty table.
 */
async function update(db: Db, school_id: number, rows: readonly AtRow[], name: string, set: ReturnType<typeof sql>): Promise<void> {
  if (rows.length === 0) return
  const keys = JSON.stringify(rows.map(({ device_id, kind, row_key, want_version }) => ({ of_device: device_id, of_kind: kind, of_key: row_key, of_version: want_version })))
  await runKept(db, `devices.rows_by_key_${name}`, sql`
    insert into sync_row as r (${row_columns}) select ${row_columns} from jsonb_to_recordset(${keys}::jsonb) k(of_device bigint, of_kind text, of_key text, of_version bigint)
    cross join lateral (select ${row_columns} from sync_row where school_id = ${school_id} and device_id = k.of_device and kind = k.of_kind and row_key = k.of_key and want_version = k.of_version limit 1 for update) found
    on conflict (school_id, device_id, kind, row_key) do update set ${set}`.compile(db))
}
