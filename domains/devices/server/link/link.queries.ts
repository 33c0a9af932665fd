import { placeThen } from '@campus/places/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Span } from '../export-span.ts'

/** Which turns. `device_ids`: of these devices alone, null = of all; `now`: the moment of the list. */
export type LinkFilter = { school_id: number; device_ids: readonly string[] | null; now: Date; span: Span }

const Row = z.object({ at: z.coerce.date(), position: z.string(), device_id: z.string(), device_name: z.string(), device_sn: z.string(), node_path_name: z.string().nullable(), then_name: z.string().nullable(), kind: z.enum(['online', 'offline', 'kicked', 'refused']), reason: z.string().nullable(), client_ip: z.string().nullable() })
/** A turn of a line, with the device and where it stands. */
export type LinkRecord = z.output<typeof Row>

function turns({ school_id, device_ids, now, span }: LinkFilter) {
  const mine = device_ids === null ? sql`` : sql` and device_id = any(${[...device_ids]}::bigint[])`
  return sql`from device_link_event where school_id = ${school_id} and at >= ${span.from}::timestamptz and at < ${span.to}::timestamptz and at <= ${now}::timestamptz${mine}`
}

/** How many there are, up to one more than `most`. */
export async function countTurns(db: Db, filter: LinkFilter, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (select ${turns(filter)} limit ${most + 1}) counted`.execute(db)
  return rows[0]?.n ?? 0
}

/** Turns of lines, the latest first; the next ones are `behind` the last of these. */
export async function readTurns(db: Db, filter: LinkFilter, { behind, limit }: { behind: LinkRecord | null; limit: number }): Promise<LinkRecord[]> {
  const { school_id } = filter
  const after = behind === null ? sql`` : sql` and (at, device_id, kind) < (${behind.position}::timestamptz, ${behind.device_id}::bigint, ${behind.kind})`
  const { rows } = await sql`
    select l.at, l.at::text as position, l.device_id::text, d.device_name, d.device_sn, p.node_path_name, nullif(${placeThen(school_id, 'dp.place_id', 'l.at')}, p.node_path_name) as then_name, l.kind, l.reason, l.client_ip
    from (select at, device_id, kind, reason, client_ip ${turns(filter)}${after} order by at desc, device_id desc, kind desc limit ${limit}) l
    join device d on d.school_id = ${school_id} and d.device_id = l.device_id
    left join device_place dp on dp.school_id = ${school_id} and dp.device_id = l.device_id and dp.valid @> l.at
    left join place_path_v p on p.school_id = ${school_id} and p.place_id = dp.place_id
    order by l.at desc, l.device_id desc, l.kind desc`.execute(db)
  return z.array(Row).parse(rows)
}
