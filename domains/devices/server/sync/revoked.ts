import { devicesEvents } from '@campus/devices/contract'
import { runKept } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { AtRow } from './rows.queries.ts'

type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
const { rowAcked } = devicesEvents

/** A device has not said yet that it is as it should be: of a deletion until it is gone, of a row that stays until the device has it. One that is retired is asked by nobody. */
const isOpen = (school_id: number) => sql`exists (select from sync_row o join device d on d.school_id = o.school_id and d.device_id = o.device_id and d.lifecycle <> 'retired'
    where o.school_id = ${school_id} and o.user_id = w.user_id and o.kind = w.kind and o.row_key = w.row_key
      and (o.state in ('pending', 'sent', 'unknown', 'refused') or (o.state = 'blocked' and (o.want_op = 'delete' or o.have_hash is not null))))`
/** What he is to be at a device is not derived yet; of a device that is derived whole, where it holds anything of him. */
const isDue = (school_id: number) => sql`(exists (select from sync_due u where u.school_id = ${school_id} and u.user_id = w.user_id)
    or exists (select from sync_row h join sync_due u on u.school_id = h.school_id and u.device_id = h.device_id and u.user_id <= 0 where h.school_id = ${school_id} and h.user_id = w.user_id and h.state <> 'gone'))`

/** Notes what a source takes back, before it is gone from the tables; where nobody listens nothing is written. */
export async function noteRevoked({ app, db, school_id, now }: Desk, source: string, source_refs: readonly string[]): Promise<void> {
  if (!isHeard(app)) return
  await sql`
    insert into source_revoked (school_id, source, source_ref, kind, row_key, user_id, revoked_at)
    select school_id, source, source_ref, 'credential', case when cred_kind = 'face' then 'f' || user_id else 'c' || credential_id end, user_id, ${now}::timestamptz
    from subject_credential where school_id = ${school_id} and source = ${source} and source_ref = any(${[...source_refs]}::text[])
    union all select school_id, source, source_ref, 'person', user_id::text, user_id, ${now}::timestamptz from subject_grant where school_id = ${school_id} and source = ${source} and source_ref = any(${[...source_refs]}::text[])
    on conflict (school_id, source, source_ref, kind) do update set row_key = excluded.row_key, user_id = excluded.user_id, revoked_at = excluded.revoked_at`.execute(db)
}

/**
 * Tells the sources of what they have taken back and is now gone from every device that held it (chapter 30 §7): of a grant, that each of them has the person as he is now to be, or has him no more.
 * @param rows what devices have just acknowledged: only whom these concern is looked at; null: everybody, for what no device had and for what is left by devices that were retired meanwhile
 */
export async function tellRevoked(desk: Desk, rows: readonly AtRow[] | null): Promise<void> {
  const { app, db, school_id } = desk
  if (!isHeard(app)) return
  const named = JSON.stringify((rows ?? []).map(({ device_id, kind, row_key }) => ({ device_id, kind, row_key })))
  const concerned = rows === null ? sql<boolean>`true` : sql<boolean>`v.user_id in (select r.user_id from jsonb_to_recordset(${named}::jsonb) k(device_id bigint, kind text, row_key text)
    cross join lateral (select user_id from sync_row where school_id = ${school_id} and device_id = k.device_id and kind = k.kind and row_key = k.row_key and user_id is not null limit 1) r)`
  const { rows: gone } = await runKept(db, rows === null ? 'devices.revoked_all' : 'devices.revoked_of', sql<{ source: string; source_ref: string }>`
    delete from source_revoked v where v.school_id = ${school_id} and ${concerned}
      and not exists (select from source_revoked w where w.school_id = ${school_id} and w.source = v.source and w.source_ref = v.source_ref and (${isOpen(school_id)} or ${isDue(school_id)}))
    returning v.source, v.source_ref`.compile(db))
  const sources = new Map(gone.map(one => [`${one.source} ${one.source_ref}`, one])).values()
  await publishEach(desk, rowAcked, [...sources].map(({ source, source_ref }) => ({ source, source_ref })))
}

function isHeard(app: App): boolean {
  return (app.consumers.get(rowAcked.name) ?? []).length > 0
}
