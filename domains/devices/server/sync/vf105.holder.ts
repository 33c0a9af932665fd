import type { Reply, Request, SyncRow } from '@kit/terminal-protocol'
import { resolveHolder } from '@kit/terminal-protocol/vf105'
import type { Memory, RowBook, Whole } from './vf105.talk.ts'

/** How the school names what it puts on a device: `c` with the number of a credential, `f` with that of a person. */
const own_key = /^[cf]\d+$/u
/** A credential that the device would not take because another key has its code, and what is asked about it next. */
export type Conflict = { row: SyncRow; next: Request }

/** Asks who holds a credential that is taken, or deletes what holds it; null when none is (chapter 31 §5.7.5). */
export function nextOfConflicts(memory: Memory): Whole | null {
  const [conflict] = memory.conflicts.values()
  return conflict ? { request: conflict.next, rows: [], reads: 'holder' } : null
}

/**
 * What the device says of it: a key of the school's that is not to be there any more is deleted, then the credential goes again; what is not the school's stays and is told as a
 * difference. @returns whether the answer was to such a question
 */
export async function takeHolder(memory: Memory, book: RowBook, request: Request, reply: Reply): Promise<boolean> {
  const conflict = [...memory.conflicts.values()].find(one => one.next === request)
  if (!conflict) return false
  const { row } = conflict
  const holder = request.is_read ? resolveHolder(reply, key_id => own_key.test(key_id)) : 'gone'
  if (holder !== 'gone' && 'delete_key' in holder && !(await book.wants(holder.delete_key))) {
    memory.conflicts.set(row.key, { row, next: { action: 'delKey', data: { keyIds: [holder.delete_key], userIds: [] }, rows: [], is_read: false } })
    return true
  }
  memory.conflicts.delete(row.key)
  // Its row is read next, is not there, and goes again.
  if (holder === 'gone') return true
  if ('foreign' in holder) await book.foreign(row.k, holder.foreign)
  const held_by = 'foreign' in holder ? holder.foreign : holder.delete_key
  await book.said([{ kind: row.k, row_key: row.key, want_version: String(row.ver) }], [{ k: row.k, key: row.key, ver: row.ver, status: 'refused', code: 'duplicate', text: `设备上的“${held_by}”已占用此凭证，请在“差异”中处理后重新下发` }])
  return true
}
