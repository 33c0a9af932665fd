import { StateRow, SyncCounts } from '@campus/devices/contract'
import { nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { readQueues } from '../sync/pace.ts'
import type { RowFact } from './row.sentence.ts'

type Of = { school_id: number; device_id: string }
export type RowFilter = Of & { kind?: string; state?: string; keyword?: string }
/** A row with whose it is. */
export type FoundRow = RowFact & Pick<StateRow, 'user_id' | 'user_name' | 'user_no' | 'dept_name' | 'rule_name'> & { sent_at: Date | null }

/** What needs somebody comes first, what is over last. */
const in_order = ['refused', 'blocked', 'unknown', 'sent', 'pending', 'applied', 'proven', 'gone']
const ranked = sql<number>`array_position(${in_order}::text[], state::text)`
/** States in which the device has not said its last word; as the index of due rows has them. */
const on_the_way = sql`('pending', 'sent', 'unknown')`

const Time = z.date().nullable()
const Found = StateRow.pick({ kind: true, row_key: true, user_id: true, user_name: true, user_no: true, dept_name: true, rule_name: true, want_op: true, state: true, attempts: true }).extend({ reason_code: z.string().nullable(), reason_text: z.string().nullable(), next_at: z.date(), sent_at: Time, acked_at: Time, proven_at: Time })

function selectRows(db: Db, { school_id, device_id, kind, state, keyword }: RowFilter) {
  // Whom the keyword names is found first, so that his rows come by their index.
  const named = sql`array(select s.user_id from subject s where s.school_id = ${school_id} and (strpos(s.name_key, ${nameKey(keyword ?? '')}) > 0 or strpos(lower(s.user_no), ${numberKey(keyword ?? '')}) > 0))`
  return db
    .selectFrom('sync_row')
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .$if(kind !== undefined, query => query.where('kind', '=', kind ?? ''))
    .$if(state !== undefined, query => query.where('state', '=', state ?? ''))
    .$if(keyword !== undefined, query => query.where(sql<boolean>`user_id = any(${named})`))
}

/** A page of the rows of a device, what is the matter with first; the page is cut before anybody's name is looked up. */
export async function readStateRows(db: Db, filter: RowFilter, most: { limit: number; offset: number }): Promise<FoundRow[]> {
  const cut = selectRows(db, filter)
    .select(['school_id', 'kind', 'row_key', 'user_id', 'want_op', 'state', 'attempts', 'reason_code', 'reason_text', 'next_at', 'sent_at', 'acked_at', 'proven_at', ranked.as('rank')])
    .orderBy('rank')
    .orderBy('kind')
    .orderBy('row_key')
    .limit(most.limit)
    .offset(most.offset)
  const rows = await db
    .selectFrom(cut.as('r'))
    .leftJoin('subject as s', join => join.on('s.school_id', '=', filter.school_id).onRef('s.user_id', '=', 'r.user_id'))
    .leftJoin('ai_rule as a', join => join.on('a.school_id', '=', filter.school_id).on(sql<boolean>`r.row_key = case r.kind when 'rule' then 'ai:' || a.rule_id end`))
    .select(['r.kind', 'r.row_key', 'a.rule_name', 'r.user_id', 's.user_name', 's.user_no', 's.dept_name', 'r.want_op', 'r.state', 'r.attempts', 'r.reason_code', 'r.reason_text', 'r.next_at', 'r.sent_at', 'r.acked_at', 'r.proven_at'])
    .orderBy('r.rank')
    .orderBy('r.kind')
    .orderBy('r.row_key')
    .execute()
  return z.array(Found).parse(rows)
}

/** How many there are. */
export async function countStateRows(db: Db, filter: RowFilter): Promise<number> {
  const { count } = await selectRows(db, filter).select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return count
}

const Counted = SyncCounts.omit({ eta_s: true, oldest_pending_at: true }).extend({ device_id: z.string() })
export const nothing_wanted: SyncCounts = { want: 0, applied: 0, proven: 0, pending: 0, refused: 0, blocked: 0, eta_s: null, oldest_pending_at: null }

/** How many rows of each of these devices are in effect, on their way, refused and blocked; devices without rows are not there. */
export async function countSync(db: Db, school_id: number, device_ids: readonly string[], now: Date): Promise<ReadonlyMap<string, SyncCounts>> {
  if (device_ids.length === 0) return new Map()
  // Each state by itself: counted in its index, where a condition over all of them would read the rows.
  const { rows } = await sql`
    select device_id::text, sum(n)::int as want, (coalesce(sum(n) filter (where state in ('applied', 'proven')), 0))::int as applied, (coalesce(sum(n) filter (where state = 'proven'), 0))::int as proven,
      (coalesce(sum(n) filter (where state in ${on_the_way}), 0))::int as pending, (coalesce(sum(n) filter (where state = 'refused'), 0))::int as refused, (coalesce(sum(n) filter (where state = 'blocked'), 0))::int as blocked
    from unnest(${[...device_ids]}::bigint[]) u(device_id) cross join unnest(${in_order.filter(state => state !== 'gone')}::text[]) s(state)
    cross join lateral (select count(*) as n from sync_row r where r.school_id = ${school_id} and r.device_id = u.device_id and r.state = s.state) counted
    group by device_id having sum(n) > 0`.execute(db)
  const counted = z.array(Counted).parse(rows)
  const waits = await readQueues(db, school_id, counted.flatMap(one => (one.pending > 0 ? [one.device_id] : [])), now)
  return new Map(counted.map(({ device_id, ...counts }) => [device_id, { ...counts, ...(waits.get(device_id) ?? { eta_s: null, oldest_pending_at: null }) }]))
}

/** Of how many people a device may hold something: what it was ever sent and has not said to be gone. */
export async function countHeld(db: Db, { school_id, device_id }: Of): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct coalesce(user_id::text, row_key))::int as count from sync_row
    where school_id = ${school_id} and device_id = ${device_id} and kind in ('person', 'credential') and state <> 'gone' and sent_at is not null`.execute(db)
  return rows[0]?.count ?? 0
}

/** Whether a device `d` has not yet said its last word about something. */
export const hasQueue = (school_id: number) => sql<boolean>`exists (select from sync_row r where r.school_id = ${school_id} and r.device_id = d.device_id and r.state in ${on_the_way})`
/** Since when waits what goes to it next: found in its index without a look at the rest. */
export const nextWait = (school_id: number) => sql<Date>`(select r.wanted_at from sync_row r where r.school_id = ${school_id} and r.device_id = d.device_id and r.state in ${on_the_way} order by r.prio, ((r.want_op = 'delete') = (r.kind = 'content')), r.want_version limit 1)`
/** Since when the oldest of that waits. */
export const oldestWait = (school_id: number) => sql<Date>`(select min(r.wanted_at) from sync_row r where r.school_id = ${school_id} and r.device_id = d.device_id and r.state in ${on_the_way})`
