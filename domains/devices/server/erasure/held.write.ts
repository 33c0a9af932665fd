import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Of = { school_id: number; device_id: string }
type Named = { device_id: string; kind: string; row_key: string }

/** Faces are kept apart: who has taken back his consent is owed a proof of each (chapter 30 §10.5). */
const kind = 'credential'
const face_key = 'f'

/** What devices have said of faces: that they hold them, or not any more; `proven`: they were seen so. */
export async function noteFaces(db: Db, school_id: number, rows: readonly Named[], now: Date, proven: boolean): Promise<void> {
  const faces = rows.filter(row => row.kind === kind && row.row_key.startsWith(face_key)).map(({ device_id, row_key }) => ({ device_id, row_key }))
  if (faces.length === 0) return
  const named = sql`jsonb_to_recordset(${JSON.stringify(faces)}::jsonb) k(device_id bigint, row_key text) join sync_row r on r.school_id = ${school_id} and r.device_id = k.device_id and r.kind = ${kind} and r.row_key = k.row_key`
  await sql`
    insert into device_held (school_id, device_id, kind, row_key, user_id, first_applied_at, last_applied_at)
    select r.school_id, r.device_id, r.kind, r.row_key, r.user_id, ${now}::timestamptz, ${now}::timestamptz from ${named} where r.state in ('applied', 'proven') and r.user_id is not null
    on conflict (school_id, device_id, kind, row_key) do update set last_applied_at = excluded.last_applied_at, delete_acked_at = null, proven_gone_at = null, closed_by = null`.execute(db)
  await sql`
    update device_held h set delete_acked_at = coalesce(h.delete_acked_at, ${now}), proven_gone_at = case when ${proven} then ${now}::timestamptz else h.proven_gone_at end, closed_by = case when ${proven} then 'proof' else h.closed_by end
    from ${named} where r.state in ('gone', 'blocked') and h.school_id = r.school_id and h.device_id = r.device_id and h.kind = r.kind and h.row_key = r.row_key`.execute(db)
}

/** A device was read to its end, and held these keys that it was not to hold: every other face that it had let go before is proven gone. */
export async function proveFaces(db: Db, { school_id, device_id }: Of, read: { kind: string; since: Date; there: readonly string[] }, now: Date): Promise<void> {
  if (read.kind !== kind) return
  await sql`
    update device_held set proven_gone_at = ${now}, closed_by = 'proof'
    where school_id = ${school_id} and device_id = ${device_id} and kind = ${kind} and proven_gone_at is null and delete_acked_at <= ${read.since} and row_key <> all(${[...read.there]}::text[])`.execute(db)
}

/** A device has lost everything it held. */
export async function facesWiped(db: Db, { school_id, device_id }: Of, now: Date): Promise<void> {
  await sql`
    update device_held set delete_acked_at = coalesce(delete_acked_at, ${now}), proven_gone_at = ${now}, closed_by = 'wiped'
    where school_id = ${school_id} and device_id = ${device_id} and proven_gone_at is null`.execute(db)
}

/** A device is lost with what it holds: nobody will ever know. */
export async function facesLost(db: Db, { school_id, device_id }: Of): Promise<void> {
  await db.updateTable('device_held').set({ closed_by: 'lost_device' }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('proven_gone_at', 'is', null).execute()
}
