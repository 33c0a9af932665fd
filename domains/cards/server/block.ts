import { blockChannel, cardsEvents } from '@campus/cards/contract'
import type { BlockRow, BlockState } from '@campus/cards/contract'
import { credentialHolders, declareCredentials, revoke } from '@campus/devices/server'
import type { CredentialHolder } from '@campus/devices/server'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Act, Db } from './db.ts'

/** The source under which devices know what this domain declares. */
export const source = 'cards'
/** How devices call a holding. */
export const refOf = (holding_id: string): string => `card ${holding_id}`
const day_ms = 86_400_000

type Credential = { holding_id: string; user_id: string; uid_hex: string; credential_version: number; valid_to: string | null }

/** Makes cards known to the devices of the places where their holders may pass; the online check refuses them after their last day (chapter 40 rule 12). */
export async function putCredentials({ app, db, school_id, now }: Act, cards: readonly Credential[]): Promise<void> {
  await declareCredentials({ app, db, school_id, now }, cards.map(({ holding_id, user_id, uid_hex, credential_version, valid_to }) => ({
    user_id, cred_kind: 'card', code: uid_hex, usable: true, source, source_ref: refOf(holding_id), version: credential_version,
    valid_until: endOf(valid_to),
  })))
}

/** The first moment after a card's last day at school; null: it has none. */
function endOf(valid_to: string | null): Date | null {
  return valid_to === null ? null : new Date(Date.parse(`${valid_to}T00:00:00+08:00`) + day_ms)
}

/** Takes cards back from every device. @returns the devices that have to forget them */
export async function dropCredentials({ app, db, school_id, now }: Act, holding_ids: readonly string[]): Promise<CredentialHolder[]> {
  const refs = holding_ids.map(refOf)
  const holders = await credentialHolders({ db, school_id }, source, refs)
  await revoke({ app, db, school_id, now }, source, refs)
  return holders
}

/** Freezes which devices must prove that a lost card is gone: one row a device, counted from this moment (chapter 40 rule 5). */
export async function openBlock({ db, school_id, now }: Act, op_id: string, holders: readonly CredentialHolder[]): Promise<void> {
  await insertMany(db, 'card_block', holders.map(({ source_ref: _ref, ...holder }) => ({ school_id, op_id, required_at: now, mode: 1, superseded: false, ...holder })))
}

/** The card is good again: what devices still had to forget is not waited for (chapter 40 rule 8). */
export async function closeBlock({ db, school_id }: Act, op_id: string): Promise<void> {
  await db.updateTable('card_block').set({ superseded: true }).where('school_id', '=', school_id).where('op_id', '=', op_id).where('acked_at', 'is', null).execute()
}

/** Open pages ask again for a loss that has come further. */
export function showBlock({ db, school_id }: Pick<Act, 'db' | 'school_id'>, op_id: string): Promise<void> {
  return push({ db, school_id }, blockChannel, [{ op_id }])
}

/** When a device has said that it forgot the card: kept for good, or still standing in its row. */
const acked = sql`coalesce(b.acked_at, case when v.want_op = 'delete' and v.state = 'gone' then v.acked_at end)`

/** How far losses have come, by the id of the loss. */
export async function blockStates(db: Db, school_id: number, op_ids: readonly string[]): Promise<Map<string, BlockState>> {
  if (op_ids.length === 0) return new Map()
  const { rows } = await sql<BlockState>`
    select b.op_id::text as op_id, count(*)::int as total, count(${acked})::int as done,
      count(*) filter (where ${acked} is null and not coalesce(d.online, false))::int as offline,
      max(extract(epoch from ${acked} - b.required_at) * 1000)::int as slowest_ms
    from card_block b
    left join sync_credential_v v on v.school_id = ${school_id} and v.device_id = b.device_id and v.row_key = b.row_key
    left join device_live_v d on d.school_id = ${school_id} and d.device_id = b.device_id
    where b.school_id = ${school_id} and not b.superseded and b.op_id = any(${[...op_ids]}::bigint[])
    group by b.op_id`.execute(db)
  return new Map(rows.map(row => [row.op_id, row]))
}

const Read = z.object({ device_id: z.string(), device_name: z.string(), place_name: z.string().nullable(), required_at: z.date(), acked_at: z.date().nullable(), online: z.boolean(), is_refused: z.boolean() })

/** Every device of one loss, the slowest first, those that have not answered before all others. */
export async function readBlock(db: Db, school_id: number, op_id: string, limit_s: number): Promise<BlockRow[]> {
  const { rows } = await sql`
    select b.device_id::text as device_id, b.device_name, b.place_name, b.required_at, ${acked} as acked_at, coalesce(d.online, false) as online, coalesce(v.state = 'refused', false) as is_refused
    from card_block b
    left join sync_credential_v v on v.school_id = ${school_id} and v.device_id = b.device_id and v.row_key = b.row_key
    left join device_live_v d on d.school_id = ${school_id} and d.device_id = b.device_id
    where b.school_id = ${school_id} and b.op_id = ${op_id} and not b.superseded
    order by ${acked} desc nulls first, b.device_id`.execute(db)
  return z.array(Read).parse(rows).map(({ required_at, acked_at, online, is_refused, ...row }) => {
    const ms = acked_at === null ? null : acked_at.getTime() - required_at.getTime()
    const open = is_refused ? 'failed' as const : online ? 'waiting' as const : 'offline' as const
    return { ...row, state: acked_at === null ? open : 'blocked', required_at: required_at.toISOString(), acked_at: acked_at?.toISOString() ?? null, ms, is_slow: ms !== null && ms > limit_s * 1000 }
  })
}

/** Keeps when each device confirmed, since devices keep their receipts for a month alone; says when a loss has reached all of them. */
export async function settleBlocks(act: Act, user_ids: readonly string[]): Promise<void> {
  const { db, school_id } = act
  const { rows } = await sql<{ op_id: string }>`
    update card_block b set acked_at = v.acked_at from sync_credential_v v
    where b.school_id = ${school_id} and v.school_id = ${school_id} and v.device_id = b.device_id and v.row_key = b.row_key and b.acked_at is null and not b.superseded
      and v.want_op = 'delete' and v.state = 'gone' and b.user_id = any(${[...user_ids]}::bigint[])
    returning b.op_id::text as op_id`.execute(db)
  const ops = [...new Set(rows.map(row => row.op_id))]
  for (const op_id of ops) await showBlock(act, op_id)
  const states = await blockStates(db, school_id, ops)
  for (const op_id of ops) {
    const state = states.get(op_id)
    if (state && state.done === state.total) await publish({ ...act, me: act.by }, cardsEvents.blockClosed, { op_id })
  }
}
