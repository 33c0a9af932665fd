import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { openNumber, sealNumber } from '../sealed-parts.ts'

type Desk = { app: App; db: Db; school_id: number }

/** Before somebody is erased whose face a device holds or has held: his number is kept sealed, nothing else of him. */
export async function keepNumbers({ app, db, school_id, now }: Desk & { now: Date }, user_ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ user_id: string; user_no: string }>`
    select s.user_id::text, s.user_no from subject s where s.school_id = ${school_id} and s.user_id = any(${[...user_ids]}::bigint[]) and (
      exists (select from device_held h where h.school_id = ${school_id} and h.user_id = s.user_id)
      or exists (select from sync_row r where r.school_id = ${school_id} and r.user_id = s.user_id and r.kind = 'credential' and r.row_key like 'f%' and r.sent_at is not null))`.execute(db)
  if (rows.length === 0) return
  const kept = rows.map(({ user_id, user_no }) => ({ school_id, user_id, no_sealed: sealNumber(app.secrets.data_key, school_id, user_no), erased_at: now }))
  await db.insertInto('erased_subject').values(kept).onConflict(conflict => conflict.doNothing()).execute()
}

/** Who had a number and is erased; of several the last. */
export async function findErased({ app, db, school_id }: Desk, user_no: string): Promise<string | undefined> {
  const kept = await db.selectFrom('erased_subject').select(['user_id', 'no_sealed']).where('school_id', '=', school_id).orderBy('erased_at', 'desc').execute()
  return kept.find(one => openNumber(app.secrets.data_key, school_id, one.no_sealed) === user_no)?.user_id
}
