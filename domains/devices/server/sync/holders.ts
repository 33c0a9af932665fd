import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'

type By = { db: QueryExecutorProvider; school_id: number }

/** One device that holds a credential, or is about to: `row_key` names it in `sync_credential_v`. */
export type CredentialHolder = { source_ref: string; device_id: string; row_key: string; user_id: string; device_name: string; place_name: string | null }

/**
 * Which devices have, or are about to have, the credentials of a source: ask before `revoke`, since afterwards nothing names them any more (chapter 40 rule 5).
 * @returns one row a device and credential; devices that are retired, and rows that are gone, are not among them
 */
export async function credentialHolders({ db, school_id }: By, source: string, source_refs: readonly string[]): Promise<CredentialHolder[]> {
  const { rows } = await sql<CredentialHolder>`
    select c.source_ref, d.device_id::text as device_id, r.row_key, r.user_id::text as user_id, d.device_name, p.node_path_name as place_name
    from subject_credential c
    join sync_row r on r.school_id = ${school_id} and r.user_id = c.user_id and r.kind = 'credential' and r.state not in ('gone', 'blocked')
      and r.row_key = case when c.cred_kind = 'face' then 'f' || c.user_id else 'c' || c.credential_id end
    join device_live_v d on d.school_id = ${school_id} and d.device_id = r.device_id
    left join place_path_v p on p.school_id = ${school_id} and p.place_id = d.place_id
    where c.school_id = ${school_id} and c.source = ${source} and c.source_ref = any(${[...source_refs]}::text[])
    order by d.device_id`.execute(db)
  return rows
}
