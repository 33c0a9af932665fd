import { runKept } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { AtRow } from './rows.queries.ts'

/**
 * What sources have declared and is now, with these rows, as it is to be on every device that is to have it: of a credential its own row, of a grant the person, who goes to no device before his permissions. What was declared
 * anew and is not derived yet is not there; what a device has refused is not either.
 */
export async function settledSources(db: Db, school_id: number, rows: readonly AtRow[]): Promise<{ source: string; source_ref: string }[]> {
  const asked = rows.filter(({ kind }) => kind === 'person' || kind === 'credential').map(({ device_id, kind, row_key }) => ({ device_id, kind, row_key }))
  if (asked.length === 0) return []
  const { rows: found } = await runKept(db, 'devices.settled_sources', sql<{ source: string; source_ref: string }>`
    with told as materialized (
      select distinct r.kind, r.row_key, r.user_id from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) k(device_id bigint, kind text, row_key text)
      cross join lateral (select kind, row_key, user_id from sync_row where school_id = ${school_id} and device_id = k.device_id and kind = k.kind and row_key = k.row_key and user_id is not null limit 1) r),
    done as materialized (
      select t.* from told t where not exists (select from sync_row o where o.school_id = ${school_id} and o.user_id = t.user_id and o.kind = t.kind and o.row_key = t.row_key and o.state in ('pending', 'sent', 'unknown', 'refused'))
        and not exists (select from sync_due u where u.school_id = ${school_id} and u.user_id = t.user_id))
    select c.source, c.source_ref from done d join subject_credential c on c.school_id = ${school_id} and c.user_id = d.user_id and d.row_key = case when c.cred_kind = 'face' then 'f' || c.user_id else 'c' || c.credential_id end where d.kind = 'credential'
    union select g.source, g.source_ref from done d join subject_grant g on g.school_id = ${school_id} and g.user_id = d.user_id where d.kind = 'person'
    order by 1, 2`.compile(db))
  return found
}
