import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { deriveRows } from './derive.ts'
import type { WantedRow } from './derive.ts'
import { followHeld, holdMass } from '../proof/hold.ts'
import { readCredentials, readGrants, readPermissions, readSubjects, readTarget } from './facts.queries.ts'
import type { Target } from './facts.queries.ts'
import { writeRows } from './row.write.ts'
import type { Change } from './row.write.ts'

const delete_prio = { lost: 0, leaver: 1, right: 2, stale: 6 } as const
/** How long after a device was moved its rows may change altogether without a signature. */
const move_ms = 600_000
type Known = { kind: string; row_key: string; want_op: string; want_hash: string; state: string; reason_code: string | null; user_id: string | null }

/**
 * Brings the rows a device must hold in line with what is declared: of some people, or of everybody. What is right already gets no new version, so that
 * deriving twice sends nothing (chapter 30 rule 3). @returns how many rows are to be sent, how many people have no room, and who has left and is still held
 */
export async function planDevice(db: Db, school_id: number, device_id: string, users: readonly string[] | null, now: Date): Promise<{ pending: number; no_room: number; max_persons: number; left: string[] }> {
  const target = await readTarget(db, school_id, device_id, now)
  if (!target) return { pending: 0, no_room: 0, max_persons: 0, left: [] }
  const wanted = await wantedRows(db, target, users, now)
  const known = await knownRows(db, target, users)
  const people = new Set(wanted.filter(row => row.kind === 'person').map(row => row.user_id))
  const hasLeft = await readLeavers(db, target, people, known)
  const { deletes, puts } = changesOf(wanted, known, await othersPermissions(db, target, { wanted, known, users }, now), row => prioOfDelete(row, people, hasLeft))
  const changes = [...(isMove(target, now) ? deletes : await holdMass(db, target, deletes, now, user_id => people.has(user_id))), ...puts]
  if (changes.length > 0) await writeRows(db, target, changes, now)
  const freed = await followHeld(db, target, now)
  const no_room = changes.filter(change => change.kind === 'person' && change.reason_code === 'capacity').length
  return { pending: freed + changes.filter(change => change.state === 'pending').length, no_room, max_persons: target.bounds.max_persons, left: deletes.flatMap(({ prio, state, user_id }) => (prio === delete_prio.leaver && state === 'pending' ? (user_id ?? []) : [])) }
}

/** Whether a change comes of the device being put somewhere else, or nowhere: somebody has just done that on purpose. */
function isMove({ placed_at }: Target, now: Date): boolean {
  return placed_at === null || now.getTime() - placed_at.getTime() < move_ms
}

async function wantedRows(db: Db, target: Target, users: readonly string[] | null, now: Date): Promise<WantedRow[]> {
  const grants = await readGrants(db, target, now, users)
  const ids = [...new Set(grants.map(grant => grant.user_id))]
  const [subjects, credentials] = [await readSubjects(db, target.school_id, ids), await readCredentials(db, target.school_id, ids)]
  return deriveRows({ subjects, credentials, grants, bounds: target.bounds })
}

/** Its rows as they are known; of some people theirs and the permissions, without looking at everybody's. */
async function knownRows(db: Db, { school_id, device_id }: Target, users: readonly string[] | null): Promise<Known[]> {
  const of = (...kinds: string[]) => db.selectFrom('sync_row').select(['kind', 'row_key', 'want_op', 'want_hash', 'state', 'reason_code', 'user_id']).where('school_id', '=', school_id).where('device_id', '=', device_id).where('kind', 'in', kinds)
  if (users === null) return of('permission', 'person', 'credential').execute()
  const { rows } = await runKept(db, 'devices.known_rows', of('permission').unionAll(of('person', 'credential').where(sql<boolean>`user_id = any(${[...users]}::bigint[])`)).compile())
  return rows
}

/** The permissions that somebody has, where not everybody was looked at and the device holds one that those who were do not have. */
async function othersPermissions(db: Db, target: Target, { wanted, known, users }: { wanted: readonly WantedRow[]; known: readonly Known[]; users: readonly string[] | null }, now: Date): Promise<ReadonlySet<string> | null> {
  if (users === null) return null
  const own = new Set(wanted.filter(row => row.kind === 'permission').map(row => row.row_key))
  const is_other = known.some(row => row.kind === 'permission' && row.want_op === 'put' && !own.has(row.row_key))
  return is_other ? new Set((await readPermissions(db, target, now)).map(permission => permission.id)) : own
}

/** Those who are to go and are nobody any more at the school. */
async function readLeavers(db: Db, { school_id }: Target, people: ReadonlySet<string | null>, known: readonly Known[]): Promise<(user_id: string | null) => boolean> {
  const going = [...new Set(known.flatMap(row => (row.want_op === 'put' && row.user_id !== null && !people.has(row.user_id) ? [row.user_id] : [])))]
  if (going.length === 0) return () => false
  const alive = await db.selectFrom('subject').select('user_id').where('school_id', '=', school_id).where('live', '=', true).where(sql<boolean>`user_id = any(${going}::bigint[])`).execute()
  const live = new Set(alive.map(row => row.user_id))
  return user_id => user_id !== null && !people.has(user_id) && !live.has(user_id)
}

/** What has to change. `in_force`: the permissions that anybody has, where not everybody was looked at. */
function changesOf(wanted: readonly WantedRow[], known: readonly Known[], in_force: ReadonlySet<string> | null, prioOf: (row: Known) => number): { deletes: Change[]; puts: Change[] } {
  const held = new Map(known.map(row => [`${row.kind} ${row.row_key}`, row]))
  const puts = wanted.flatMap((row): Change[] => {
    const before = held.get(`${row.kind} ${row.row_key}`)
    held.delete(`${row.kind} ${row.row_key}`)
    const same = before !== undefined && before.want_op === 'put' && before.want_hash === row.hash && (before.state === 'blocked' ? before.reason_code : null) === row.blocked
    return same ? [] : [{ kind: row.kind, row_key: row.row_key, user_id: row.user_id, want_op: 'put', want_hash: row.hash, prio: row.prio, state: row.blocked === null ? 'pending' : 'blocked', reason_code: row.blocked }]
  })
  const gone = [...held.values()].filter(row => row.want_op === 'put' && (row.kind !== 'permission' || !in_force?.has(row.row_key)))
  const deletes = gone.map((row): Change => ({ kind: row.kind, row_key: row.row_key, user_id: row.user_id, want_op: 'delete', want_hash: row.want_hash, prio: prioOf(row), state: row.state === 'blocked' ? 'gone' : 'pending', reason_code: null }))
  return { deletes, puts }
}

/** What somebody is known by who stays, as a lost card, goes first, then who may no longer pass; a permission goes when nobody has it any more, after the people (chapter 30 rule 4). */
function prioOfDelete(row: Known, people: ReadonlySet<string | null>, hasLeft: (user_id: string | null) => boolean): number {
  if (row.kind === 'permission') return delete_prio.stale
  if (row.kind === 'credential' && people.has(row.user_id)) return delete_prio.lost
  return hasLeft(row.user_id) ? delete_prio.leaver : delete_prio.right
}
