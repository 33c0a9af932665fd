import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Of = { school_id: number; device_id: string }
/** Whoever has been asked and has brought nothing is asked again after so long; less than the pictures are apart. */
const patience_ms = 4000

/** Whether a picture is to be asked for now: however many watch, one asks. */
export async function claimShot(db: Db, { school_id, device_id }: Of, now: Date): Promise<boolean> {
  await db.insertInto('camera').values({ school_id, device_id }).onConflict(conflict => conflict.doNothing()).execute()
  const { numUpdatedRows } = await db
    .updateTable('camera')
    .set({ shot_asked_at: now })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where(eb => eb.or([eb('shot_asked_at', 'is', null), eb('shot_asked_at', '<=', new Date(now.getTime() - patience_ms))]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** A picture has come that was asked for at a moment; an older one than there is counts for nothing, and neither does the same twice. */
export async function enterShot(db: Db, { school_id, device_id }: Of, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('camera')
    .set({ snapshot_at: at })
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .where(eb => eb.or([eb('snapshot_at', 'is', null), eb('snapshot_at', '<', at)]))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** What a recorder is asked for: the camera below it by its number and channel. Undefined when it is not there any more. */
export async function findShot(db: Db, { school_id, device_id }: Of, recorder_id: string): Promise<{ sn: string; channel: number | null } | undefined> {
  const { rows } = await sql<{ sn: string; channel: number | null }>`
    select d.device_sn as sn, c.channel from device d left join camera c on c.school_id = d.school_id and c.device_id = d.device_id
    where d.school_id = ${school_id} and d.device_id = ${device_id} and d.parent_device_id = ${recorder_id} and d.lifecycle in ('active', 'disabled')`.execute(db)
  return rows[0]
}
