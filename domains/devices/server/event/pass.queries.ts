import { inPlaces, placeThen } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { nameKey, numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Span } from '../export-span.ts'
import { dayOf } from './timing.ts'

const day_ms = 86_400_000

/** Which passes. `place_ids`: at these places alone, null = at all and at none; `until`: what came later does not belong to them. */
export type PassFilter = { school_id: number; place_ids: readonly string[] | null; until: Date; device_id?: string | undefined; keyword?: string | undefined; pass_state?: string | undefined }

const Row = z.object({
  at: z.coerce.date(), position: z.string(), event_date: z.string(), device_id: z.string(), device_seq: z.string(), time_state: z.number(), user_id: z.string().nullable(), user_name: z.string().nullable(), user_no: z.string().nullable(),
  dept_name: z.string().nullable(), node_path_name: z.string().nullable(), then_name: z.string().nullable(), device_name: z.string(), direction: z.number().nullable(), verify_mode: z.number(), pass_state: z.number(), code_masked: z.string().nullable(), temp_tenths: z.number().nullable(),
})
/** A pass with the names of what it is about; `at` of one whose time is not known is when it was told. */
export type PassRecord = z.output<typeof Row>

/**
 * The passes of a span, those after `behind` in its order. A clock that can be put right is wrong by a day at most, so those of a known time lie in the days of the span and their neighbours; of the others, whose days mean nothing, there is an
 * index of their own.
 */
function passes(filter: PassFilter, { from, to }: Span, behind: PassRecord | null) {
  const { school_id, until } = filter
  const known = sql`event_date between ${dayOf(new Date(from.getTime() - day_ms))}::date and ${dayOf(new Date(to.getTime() + day_ms))}::date`
  const arm = (at: RawBuilder<unknown>, which: RawBuilder<unknown>) => sql`
    select event_date, device_id, device_seq, ${at} as at, time_state, user_id, place_id, direction, verify_mode, pass_state, code_masked, temp_tenths
    from pass_event where school_id = ${school_id} and ${which} and ${at} >= ${from}::timestamptz and ${at} < ${to}::timestamptz and received_at <= ${until}::timestamptz${sql.join(conditions(filter), sql``)}
      ${behind === null ? sql`` : sql`and (${at}, event_date, device_id, device_seq) < (${behind.position}::timestamptz, ${behind.event_date}::date, ${behind.device_id}::bigint, ${behind.device_seq})`}`
  return sql`(${arm(sql`event_time`, known)} union all ${arm(sql`received_at`, sql`event_time is null`)})`
}

function conditions({ school_id, place_ids, device_id, keyword, pass_state }: PassFilter): RawBuilder<unknown>[] {
  return [
    sql``,
    ...(place_ids === null ? [] : [sql` and place_id = any(${[...place_ids]}::bigint[])`]),
    ...(device_id === undefined ? [] : [sql` and device_id = ${device_id}::bigint`]),
    ...(pass_state === undefined ? [] : [sql` and pass_state = ${pass_state}::smallint`]),
    ...(keyword === undefined ? [] : [sql` and user_id in (select s.user_id from subject s where s.school_id = ${school_id} and (strpos(s.name_key, ${nameKey(keyword)}) > 0 or strpos(lower(s.user_no), ${numberKey(keyword)}) > 0))`]),
  ]
}

/** How many there are in a span, up to one more than `most`. */
export async function countPasses(db: Db, filter: PassFilter, span: Span, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select from ${passes(filter, span, null)} e limit ${most + 1}) counted`.execute(db)
  return rows[0]?.n ?? 0
}

/** Passes of a span, the latest first; the next ones are `behind` the last of these. */
export async function readPasses(db: Db, filter: PassFilter, span: Span, { behind, limit }: { behind: PassRecord | null; limit: number }): Promise<PassRecord[]> {
  const { school_id } = filter
  const { rows } = await sql`
    select e.at, e.at::text as position, e.event_date::text, e.device_id::text, e.device_seq, e.time_state::int, e.user_id::text, s.user_name, s.user_no, s.dept_name, p.node_path_name, nullif(${placeThen(school_id, 'e.place_id', 'e.at')}, p.node_path_name) as then_name, d.device_name,
      e.direction::int, e.verify_mode::int, e.pass_state::int, e.code_masked, e.temp_tenths::int
    from (select * from ${passes(filter, span, behind)} w order by at desc, event_date desc, device_id desc, device_seq desc limit ${limit}) e
    join device d on d.school_id = ${school_id} and d.device_id = e.device_id
    left join place_path_v p on p.school_id = ${school_id} and p.place_id = e.place_id
    left join subject s on s.school_id = ${school_id} and s.user_id = e.user_id
    order by e.at desc, e.event_date desc, e.device_id desc, e.device_seq desc`.execute(db)
  return z.array(Row).parse(rows)
}

/** The name of a device that has ever stood where somebody may look; what it did elsewhere is not his to see all the same. */
export async function nameOfOnceSeen(db: Db, { school_id, scope, device_id }: { school_id: number; scope: PlaceScope; device_id: string }): Promise<string | undefined> {
  const stood = scope === 'all' ? sql<boolean>`true` : sql<boolean>`exists (
    select from device_place dp join place_live_v p on p.school_id = dp.school_id and p.place_id = dp.place_id where dp.school_id = ${school_id} and dp.device_id = d.device_id and ${inPlaces('p.node_path', scope)})`
  const found = await db.selectFrom('device as d').select('d.device_name').where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).where(stood).executeTakeFirst()
  return found?.device_name
}
