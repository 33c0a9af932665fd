import type { WantedRow } from './derive.ts'
import type { Change } from './row.write.ts'
import { isSame, isWanted } from './same.ts'
import type { KnownRow } from './same.ts'

/** How soon a deletion goes: what somebody is known by who stays, who has left, whose right has shrunk, a permission that nobody has. */
export const delete_prio = { lost: 0, leaver: 1, right: 2, stale: 6 } as const
/** A row as it is known, and whose it is. */
export type Known = KnownRow & { kind: string; user_id: string | null }

/** Why a row is not sent for now, and what the device holds of it stays until then: another photograph of somebody is being made. */
const passing_reason = 'photo_waiting'

/** What has to change. `in_force`: the permissions that anybody has, where not everybody was looked at. `displaced`: what may not be there for now and is, so that it is taken off before it counts as blocked. */
export function changesOf({ wanted, known }: { wanted: readonly WantedRow[]; known: readonly Known[] }, in_force: ReadonlySet<string> | null, prioOf: (row: Known) => number): { deletes: Change[]; displaced: Change[]; puts: Change[] } {
  const held = new Map(known.map(row => [`${row.kind} ${row.row_key}`, row]))
  const [displaced, puts]: [Change[], Change[]] = [[], []]
  for (const row of wanted) {
    const before = held.get(`${row.kind} ${row.row_key}`)
    held.delete(`${row.kind} ${row.row_key}`)
    if (before && isSame(before, row)) continue
    const change = { kind: row.kind, row_key: row.row_key, user_id: row.user_id, want_hash: row.hash }
    if (before?.is_there && row.blocked !== null && row.blocked !== passing_reason) displaced.push({ ...change, want_op: 'delete', prio: prioOf(before), state: 'pending', reason_code: null, blocked_after: row.blocked })
    else puts.push({ ...change, want_op: 'put', prio: row.prio, state: row.blocked === null ? 'pending' : 'blocked', reason_code: row.blocked })
  }
  const gone = [...held.values()].filter(row => isWanted(row) && (row.kind !== 'permission' || !in_force?.has(row.row_key)))
  const deletes = gone.map((row): Change => ({ kind: row.kind, row_key: row.row_key, user_id: row.user_id, want_op: 'delete', want_hash: row.want_hash, prio: prioOf(row), state: row.state === 'blocked' && !row.is_there ? 'gone' : 'pending', reason_code: null }))
  return { deletes, displaced, puts }
}

/** What somebody is known by who stays, as a lost card, goes first, then who may no longer pass; a permission goes when nobody has it any more, after the people (chapter 30 rule 4). */
export function prioOfDelete(row: Known, people: ReadonlySet<string | null>, hasLeft: (user_id: string | null) => boolean): number {
  if (row.kind === 'permission') return delete_prio.stale
  if (row.kind === 'credential' && people.has(row.user_id)) return delete_prio.lost
  return hasLeft(row.user_id) ? delete_prio.leaver : delete_prio.right
}
