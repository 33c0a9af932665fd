import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from '../db.ts'
import { deriveRows } from './derive.ts'
import type { Facts, GrantFact, WantedRow } from './derive.ts'
import { followHeld, holdMass } from '../proof/hold.ts'
import { readCredentials, readGrantsAt, readPermissions, readSubjects, readTargets } from './facts.queries.ts'
import type { Target } from './facts.queries.ts'
import { writeRowsOf } from './row.write.ts'
import { changesOf, delete_prio, prioOfDelete } from './changes.ts'
import type { Known } from './changes.ts'
import { isWanted } from './same.ts'
import { unchangedDevices } from './unchanged.ts'
import type { Change } from './row.write.ts'

/** How long after a device was moved its rows may change altogether without a signature. */
const move_ms = 600_000
type Of = { db: Db; school_id: number; now: Date }
/** What came of a device: how many rows are to be sent, how many people have no room, how many deletions of people wait for a signature from now on, and who has left and is still held. */
export type Planned = { device_id: string; pending: number; no_room: number; held: number; max_persons: number; left: string[]; /** by how many people it is to hold more than before */ grown: number }
type AtDevice = Known & { device_id: string }
/** A device whose rows may have to change, with what it is to hold and what is known of them. */
type Case = { target: Target; wanted: readonly WantedRow[]; known: readonly AtDevice[] }

/**
 * Brings the rows that devices must hold in line with what is declared: of some people, or of everybody. Devices are derived together, so that what is the same for all of them is read and written once. What is right already
 * gets no new version, so that deriving twice sends nothing (chapter 30 rule 3).
 * @param most_read so many devices at most of which all rows are read, where everybody is derived
 * @returns what came of them, those of which something has changed and that were not derived, since they were more, and those with a change that waits for a signature, or did until now
 */
export async function planDevices(of: Of, device_ids: readonly string[], users: readonly string[] | null, most_read = device_ids.length): Promise<{ planned: Planned[]; later: string[]; holding: string[] }> {
  const { db, school_id, now } = of
  const targets = await readTargets(db, school_id, device_ids, now)
  if (targets.length === 0) return { planned: [], later: [], holding: [] }
  const { cases, later } = await readCases(of, targets, users, most_read)
  const isLive = await readLive(of, cases)
  const planned: (Planned & { changes: Change[] })[] = []
  for (const one of cases) planned.push(await planCase(of, one, users, isLive))
  await writeRowsOf(of, planned)
  const held = await followHeld(db, school_id, device_ids, now)
  const freed = [...held].map(([device_id, pending]): Planned => ({ device_id, pending, no_room: 0, held: 0, max_persons: 0, left: [], grown: 0 }))
  return { planned: [...planned, ...freed], later, holding: [...held.keys()] }
}

async function planCase({ db, now }: Of, one: Case, users: readonly string[] | null, isLive: (user_id: string | null) => boolean): Promise<Planned & { changes: Change[] }> {
  const { target, wanted } = one
  const people = new Set(wanted.filter(row => row.kind === 'person').map(row => row.user_id))
  const hasLeft = (user_id: string | null) => user_id !== null && !people.has(user_id) && !isLive(user_id)
  const { deletes, displaced, puts } = changesOf(one, await othersPermissions(db, one, users, now), row => prioOfDelete(row, people, hasLeft))
  const changes = [...(isMove(target, now) ? deletes : await holdMass(db, target, deletes, now, user_id => people.has(user_id))), ...displaced, ...puts]
  const no_room = changes.filter(change => change.kind === 'person' && (change.blocked_after ?? change.reason_code) === 'capacity').length
  const held = changes.filter(change => change.kind === 'person' && change.reason_code === 'held').length
  const left = deletes.flatMap(({ prio, state, user_id }) => (prio === delete_prio.leaver && state === 'pending' ? (user_id ?? []) : []))
  return { device_id: target.device_id, changes, pending: changes.filter(change => change.state === 'pending').length, no_room, held, max_persons: target.bounds.max_persons, left, grown: people.size - one.known.filter(row => row.kind === 'person' && isWanted(row)).length }
}

/** Whether a change comes of the device being put somewhere else, or nowhere: somebody has just done that on purpose. */
function isMove({ placed_at }: Target, now: Date): boolean {
  return placed_at === null || now.getTime() - placed_at.getTime() < move_ms
}

async function readCases({ db, school_id, now }: Of, targets: readonly Target[], users: readonly string[] | null, most_read: number): Promise<{ cases: Case[]; later: string[] }> {
  const grants = await readGrantsAt(db, targets, now, users)
  const ids = [...new Set([...grants.values()].flat().map(grant => grant.user_id))]
  const [subjects, credentials] = [await readSubjects(db, school_id, ids), await readCredentials(db, school_id, ids)]
  const wanted = deriveAll(targets, grants, { subjects, credentials })
  const same = users === null ? await unchangedDevices(db, school_id, wanted) : new Set<string>()
  const all_turned = targets.filter(target => !same.has(target.device_id))
  const [turned, later] = users === null ? [all_turned.slice(0, most_read), all_turned.slice(most_read)] : [all_turned, []]
  const known = turned.length === 0 ? new Map<string, AtDevice[]>() : Map.groupBy(await knownRows({ db, school_id }, turned, users), row => row.device_id)
  const cases = turned.map(target => ({ target, wanted: wanted.get(target.device_id) ?? [], known: known.get(target.device_id) ?? [] }))
  return { cases, later: later.map(target => target.device_id) }
}

/** What each device is to hold; devices at which the same is granted and that can hold the same are to hold the same rows. */
function deriveAll(targets: readonly Target[], grants: ReadonlyMap<string, GrantFact[]>, facts: Pick<Facts, 'subjects' | 'credentials'>): Map<string, WantedRow[]> {
  const derived = new Map<readonly GrantFact[], Map<string, WantedRow[]>>()
  return new Map(targets.map(({ device_id, bounds }) => {
    const granted = grants.get(device_id) ?? []
    const alike = derived.get(granted) ?? new Map<string, WantedRow[]>()
    const rows = alike.get(JSON.stringify(bounds)) ?? deriveRows({ ...facts, grants: granted, bounds })
    derived.set(granted, alike.set(JSON.stringify(bounds), rows))
    return [device_id, rows]
  }))
}

/** Their rows as they are known; of some people theirs and the permissions, without looking at everybody's. */
async function knownRows({ db, school_id }: Pick<Of, 'db' | 'school_id'>, targets: readonly Target[], users: readonly string[] | null): Promise<AtDevice[]> {
  const ids = targets.map(target => target.device_id)
  const of = (kinds: readonly string[], who: RawBuilder<unknown>) => sql<AtDevice>`
    select device_id::text as device_id, kind, row_key, want_op, want_hash, state, reason_code, blocked_after, user_id::text as user_id, have_hash is not null or state in ('sent', 'unknown') as is_there from sync_row
    where school_id = ${school_id} and device_id = any(${ids}::bigint[]) and kind = any(${[...kinds]}::text[])${who}`
  const query = users === null ? of(['permission', 'person', 'credential'], sql``) : sql<AtDevice>`${of(['permission'], sql``)} union all ${of(['person', 'credential'], sql` and user_id = any(${[...users]}::bigint[])`)}`
  const { rows } = await runKept(db, users === null ? 'devices.known_rows_all' : 'devices.known_rows', query.compile(db))
  return rows
}

/** The permissions that somebody has, where not everybody was looked at and the device holds one that those who were do not have. */
async function othersPermissions(db: Db, { target, wanted, known }: Case, users: readonly string[] | null, now: Date): Promise<ReadonlySet<string> | null> {
  if (users === null) return null
  const own = new Set(wanted.filter(row => row.kind === 'permission').map(row => row.row_key))
  const is_other = known.some(row => row.kind === 'permission' && row.want_op === 'put' && !own.has(row.row_key))
  return is_other ? new Set((await readPermissions(db, target, now)).map(permission => permission.id)) : own
}

/** Who of those that are to go somewhere still belongs to the school. */
async function readLive({ db, school_id }: Of, cases: readonly Case[]): Promise<(user_id: string | null) => boolean> {
  const going = new Set<string>()
  for (const { wanted, known } of cases) {
    const people = new Set(wanted.filter(row => row.kind === 'person').map(row => row.user_id))
    for (const row of known) if (isWanted(row) && row.user_id !== null && !people.has(row.user_id)) going.add(row.user_id)
  }
  if (going.size === 0) return () => true
  const alive = await db.selectFrom('subject').select('user_id').where('school_id', '=', school_id).where('live', '=', true).where(sql<boolean>`user_id = any(${[...going]}::bigint[])`).execute()
  const live = new Set(alive.map(row => row.user_id))
  return user_id => user_id !== null && live.has(user_id)
}
