import type { Reply, Request, RowResult, SyncRow } from '@kit/terminal-protocol'
import { resolveHolder } from '@kit/terminal-protocol/vf105'
import type { RowName } from './out-row.ts'

/** How the school names what it puts on a device: `c` with the number of a credential, `f` with that of a person. */
const own_key = /^[cf]\d+$/u
/** A credential that the device would not take because another key has its code, and what is asked about it next. */
type Conflict = { row: SyncRow; next: Request }
/** Credentials of one connection that are taken, by key. */
export type Conflicts = Map<string, Conflict>
/** What is known of the device's rows, and what is noted of them. */
export interface HolderBook {
  /** what the device has said of rows that were sent */
  said(rows: readonly RowName[], results: readonly RowResult[]): Promise<void>
  /** whether it is to hold a credential under this key */
  wants(key_id: string): Promise<boolean>
  /** it holds something that the school has not put there */
  foreign(kind: string, row_key: string): Promise<void>
}

/** Asks who holds a credential that is taken, or deletes what holds it; null when none is (chapter 31 §5.7.5). */
export function nextOfConflicts(conflicts: Conflicts): { request: Request; rows: []; reads: 'holder' } | null {
  const [conflict] = conflicts.values()
  return conflict ? { request: conflict.next, rows: [], reads: 'holder' } : null
}

/**
 * What the device says of it: a key of the school's that is not to be there any more is deleted, then the credential goes again; what is not the school's stays and is told as a
 * difference. @returns whether the answer was to such a question
 */
export async function takeHolder(conflicts: Conflicts, book: HolderBook, request: Request, reply: Reply): Promise<boolean> {
  const conflict = [...conflicts.values()].find(one => one.next === request)
  if (!conflict) return false
  const { row } = conflict
  const holder = request.is_read ? resolveHolder(reply, key_id => own_key.test(key_id)) : 'gone'
  if (holder !== 'gone' && 'delete_key' in holder && !(await book.wants(holder.delete_key))) {
    conflicts.set(row.key, { row, next: { action: 'delKey', data: { keyIds: [holder.delete_key], userIds: [] }, rows: [], is_read: false } })
    return true
  }
  conflicts.delete(row.key)
  // Its row is read next, is not there, and goes again.
  if (holder === 'gone') return true
  if ('foreign' in holder) await book.foreign(row.k, holder.foreign)
  const held_by = 'foreign' in holder ? holder.foreign : holder.delete_key
  await book.said([{ kind: row.k, row_key: row.key, want_version: String(row.ver) }], [{ k: row.k, key: row.key, ver: row.ver, status: 'refused', code: 'duplicate', text: `设备上的“${held_by}”已占用此凭证，请在“差异”中处理后重新下发` }])
  return true
}
