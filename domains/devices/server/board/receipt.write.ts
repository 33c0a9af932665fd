import { boardChannel, devicesEvents } from '@campus/devices/contract'
import type { BoardItem, PlaystatItem } from '@kit/terminal-protocol'
import { publish, publishEach } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'
import { writeRows } from '../sync/row.write.ts'
import { forget } from './declare-content.ts'
import { isWithdrawal, prioOf } from './manifest.ts'

/** Faults after which a board needs another ticket for the same file. */
const fetch_faults: readonly string[] = ['expired', 'broken', 'corrupt']
const again_s = 5
type Said = { is_declared: boolean; hash: string }

/** Follows what a board says of its rows, in the order in which it came; what is older than its last word on a row changes nothing and is told nobody (chapter 30 §2.8). */
export async function followReceipts(line: Line, epoch: string, items: readonly BoardItem[]): Promise<void> {
  let is_new = false
  for (const item of items) {
    const said = await note(line, epoch, item)
    if (!said) continue
    is_new = true
    await tell(line, item)
    await settle(line, item, said)
  }
  if (is_new) await push(line, boardChannel, [{ device_id: line.device_id, what: 'content' }], { of: line.device_id })
}

/** How often what was shown is told on as it came. */
export async function tellPlaystats(line: Line, items: readonly PlaystatItem[]): Promise<void> {
  await publishEach(line, devicesEvents.boardPlaystat, items.map(({ seq, rows }) => ({ device_id: line.device_id, seq, rows })))
}

/** Writes the word of a board on a row of this content; undefined for an older word, and for one on content that is no longer wanted. */
async function note({ db, school_id, device_id }: Line, epoch: string, { seq, at, row_key, hash, state, bytes_done, fault_code, detail }: BoardItem): Promise<Said | undefined> {
  const { rows } = await sql<Said>`
    update board_content_row set reported = ${state}, bytes_done = coalesce(${bytes_done ?? null}::bigint, case when ${state} in ('staged', 'playing') then bytes_total else bytes_done end),
      fault_code = ${fault_code ?? null}, detail = ${detail ?? null}, reported_epoch = ${epoch}, reported_seq = ${seq}, reported_at = ${at}::timestamptz
    where school_id = ${school_id} and device_id = ${device_id} and row_key = ${row_key} and (hash = ${hash} or body->>'plan_hash' = ${hash})
      and (reported_seq is null or case when reported_epoch = ${epoch} then reported_seq < ${seq} else reported_at <= ${at}::timestamptz end)
    returning is_declared, hash`.execute(db)
  return rows[0]
}

async function tell(line: Line, { at, ...item }: BoardItem): Promise<void> {
  const { device_id } = line
  const { row_key, hash, state } = item
  await publish(line, devicesEvents.boardReceipt, { ...item, device_id, at_device: at })
  if (row_key === 'plan' && state === 'playing') await publish(line, devicesEvents.boardShown, { device_id, row_key, hash })
  if (isWithdrawal(row_key) && state === 'erased') await publish(line, devicesEvents.boardWithdrawn, { device_id, row_key })
}

/** What follows of a word: a file that could not be fetched goes out again with another ticket, what is gone from the board and not declared any more is forgotten. */
async function settle(line: Line, { row_key, state, fault_code }: BoardItem, { is_declared, hash }: Said): Promise<void> {
  const { db, school_id, device_id, now } = line
  const of = { school_id, device_id }
  if (state === 'fault' && fetch_faults.includes(fault_code ?? '')) {
    await sql`
      update sync_row set state = 'pending', attempts = 0, wanted_at = ${now}, next_at = ${now}::timestamptz + ${again_s} * interval '1 second'
      where school_id = ${school_id} and device_id = ${device_id} and kind = 'content' and row_key = ${row_key} and want_op = 'put' and state in ('applied', 'proven', 'sent', 'unknown')`.execute(db)
    return
  }
  if (is_declared || (state !== 'erased' && state !== 'stopped')) return
  if (isWithdrawal(row_key)) await writeRows(db, of, [{ kind: 'content', row_key, user_id: null, want_op: 'delete', want_hash: hash, prio: prioOf(row_key), state: 'pending', reason_code: null }], now)
  await forget(db, of, [row_key])
}
