import type { Erasure } from '@campus/faces/contract'
import { erasure_causes } from '@campus/faces/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from './db.ts'

const shown_at_most = 200
const device = 8
type Asked = { now: Date; user_ids?: readonly string[]; open?: boolean }
const Head = z.object({ erasure_id: z.string(), user_id: z.string(), user_name: z.string(), cause: z.number(), ordered_at: z.date(), due_at: z.date(), closed_at: z.date().nullable() })
const Item = z.object({ erasure_id: z.string(), target: z.number(), device_name: z.string().nullable(), place_name: z.string().nullable(), acked_at: z.date().nullable(), proven_at: z.date().nullable(), online: z.boolean() })

/** The latest erasures with every device that held the face: confirmed, proven by reading back, or still open. */
export async function erasuresOf(db: Db, school_id: number, { now, user_ids, open = false }: Asked): Promise<Erasure[]> {
  const of = user_ids === undefined ? sql`true` : sql`e.user_id = any(${[...user_ids]}::bigint[])`
  const { rows } = await sql`
    select e.erasure_id::text as erasure_id, e.user_id::text as user_id, coalesce(l.display_name, '') as user_name, e.cause::int as cause, e.ordered_at, e.due_at, e.closed_at
    from face_erasure e left join person_label l on l.school_id = ${school_id} and l.user_id = e.user_id
    where e.school_id = ${school_id} and ${of} and ${open ? sql`e.closed_at is null` : sql`true`}
    order by e.closed_at is not null, e.erasure_id desc limit ${shown_at_most}`.execute(db)
  const heads = z.array(Head).parse(rows)
  const { rows: found } = await sql`
    select i.erasure_id::text as erasure_id, i.target::int as target, i.device_name, i.place_name, i.acked_at, i.proven_at, coalesce(d.online, false) as online
    from face_erasure_item i left join device_live_v d on d.school_id = ${school_id} and d.device_id = i.target_id
    where i.school_id = ${school_id} and i.erasure_id = any(${heads.map(one => one.erasure_id)}::bigint[]) order by i.proven_at nulls first, i.target, i.device_name`.execute(db)
  const items = Map.groupBy(z.array(Item).parse(found), one => one.erasure_id)
  return heads.map(({ cause, ordered_at, due_at, closed_at, ...head }) => {
    const own = items.get(head.erasure_id) ?? []
    const devices = own.filter(one => one.target === device)
    return {
      ...head, cause: Object.keys(erasure_causes).find(code => code === String(cause)) ?? '3', ordered_at: ordered_at.toISOString(), due_at: due_at.toISOString(), closed_at: closed_at?.toISOString() ?? null,
      total: devices.length, acked: devices.filter(one => one.acked_at !== null).length, proven: devices.filter(one => one.proven_at !== null).length, overdue: closed_at === null && due_at < now,
      lines: own.map(({ erasure_id: _id, acked_at, proven_at, ...line }) => ({ ...line, acked_at: acked_at?.toISOString() ?? null, proven_at: proven_at?.toISOString() ?? null })),
    }
  })
}
