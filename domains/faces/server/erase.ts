import { facesEvents } from '@campus/faces/contract'
import type { CredentialHolder } from '@campus/devices/server'
import { eraseFile } from '@campus/files/server'
import { insertMany } from '@kit/server/db'
import { publish, setTimer } from '@kit/server/event'
import { sql } from 'kysely'
import { closeOverdue } from './alarm.ts'
import type { Act } from './db.ts'
import { dropFace } from './push.ts'

export const [watch_kind, failed_kind, redetect_kind] = ['faces.erasure_watch', 'faces.failed_end', 'faces.redetect'] as const
/** How long a picture that has failed waits for a person before it goes (chapter 40 rule 38). */
export const failed_ms = 7 * 86_400_000
/** Devices are to be clear of a face within a day (chapter 40 rule 37). */
const due_ms = 86_400_000
const next_look_ms = 600_000
const [picture, thumb, vector, device] = [1, 2, 4, 8] as const

export type Ending = { cause: number; reason?: string | undefined }
type Ended = { face_id: string; user_id: string; file_key: string | null; thumb_file_key: string | null }

/** Somebody's faces end: terminals forget them at once, pictures and vectors go, and an erasure counts what is left until it is proven (chapter 40 §2.4). */
export async function endFaces(act: Act, user_ids: readonly string[], ending: Ending): Promise<number> {
  const { db, school_id } = act
  const open = await db.selectFrom('face').select(['face_id', 'user_id']).where('school_id', '=', school_id).where('user_id', 'in', ['0', ...user_ids]).where('ended_at', 'is', null).orderBy('face_id').forUpdate().execute()
  const dropped = new Map<string, CredentialHolder[]>()
  for (const { user_id, face_id } of open) {
    const holders = dropped.get(user_id) ?? (await dropFace(act, user_id))
    dropped.set(user_id, [])
    await endFace(act, face_id, ending, holders)
  }
  return new Set(open.map(one => one.user_id)).size
}

/** One face ends; `holders`: the devices that have it. */
export async function endFace(act: Act, face_id: string, { cause, reason }: Ending, holders: readonly CredentialHolder[]): Promise<void> {
  const { app, db, school_id, now, by } = act
  const before = await db.selectFrom('face').select(['face_id', 'user_id', 'file_key', 'thumb_file_key']).where('school_id', '=', school_id).where('face_id', '=', face_id).where('ended_at', 'is', null).executeTakeFirst()
  if (!before) return
  await db
    .updateTable('face')
    .set({ ended_at: now, erase_state: 2, file_key: null, thumb_file_key: null, photo_sha256: null, quality: null, width: null, height: null, bytes: null, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('face_id', '=', face_id)
    .execute()
  for (const file_key of [before.file_key, before.thumb_file_key]) if (file_key !== null) await eraseFile({ app, db, school_id, now }, file_key)
  await db.deleteFrom('face_template').where('school_id', '=', school_id).where('face_id', '=', face_id).execute()
  await db.updateTable('face_case').set({ state: 2, decided_at: now, reason: '照片已删除' }).where('school_id', '=', school_id).where('state', '=', 0).where(one => one.or([one('face_id', '=', face_id), one('other_face_id', '=', face_id)])).execute()
  const { erasure_id } = await db
    .insertInto('face_erasure')
    .values({ school_id, face_id, user_id: before.user_id, cause, ordered_at: now, due_at: new Date(now.getTime() + due_ms), closed_at: holders.length === 0 ? now : null, by_user_id: by, reason: reason ?? null })
    .returning('erasure_id')
    .executeTakeFirstOrThrow()
  await noteItems(act, erasure_id, before, holders)
  await publish({ app, db, school_id, now }, facesEvents.erasureOpened, { erasure_id, user_id: before.user_id })
  await publish({ app, db, school_id, now }, facesEvents.ended, { user_id: before.user_id })
  if (holders.length > 0) await setTimer({ app, db, school_id }, { kind: watch_kind, ref: erasure_id, due_at: new Date(now.getTime() + next_look_ms) })
}

/** What lies in the house is gone with this transaction; a device counts when it has said so. */
async function noteItems({ db, school_id, now }: Act, erasure_id: string, { face_id }: Ended, holders: readonly CredentialHolder[]): Promise<void> {
  const own = [picture, thumb, vector].map(target => ({ school_id, erasure_id, target, target_id: face_id, row_key: '', device_name: null, place_name: null, acked_at: now, proven_at: now }))
  const devices = holders.map(({ device_id, row_key, device_name, place_name }) => ({ school_id, erasure_id, target: device, target_id: device_id, row_key, device_name, place_name, acked_at: null, proven_at: null }))
  await insertMany(db, 'face_erasure_item', [...own, ...devices])
}

/** The school uses faces no more. */
export async function eraseAll(act: Act, cause: number): Promise<void> {
  const { db, school_id } = act
  const people = await db.selectFrom('face').select('user_id').distinct().where('school_id', '=', school_id).where('ended_at', 'is', null).execute()
  await endFaces(act, people.map(one => one.user_id), { cause })
}

/** Keeps when each device confirmed and proved by reading back, since devices keep receipts for a month alone; closes what is proven everywhere. @returns the erasures that are still open */
export async function settleErasures(act: Act, erasure_ids: readonly string[]): Promise<string[]> {
  const { app, db, school_id, now } = act
  const ids = [...erasure_ids]
  // A device that shows another picture of the same person by now has overwritten this one; one that never said it held the face has nothing to prove.
  await sql`
    update face_erasure_item i set acked_at = coalesce(i.acked_at, g.acked_at), proven_at = coalesce(i.proven_at, g.proven_at)
    from (
      select n.erasure_id, n.target_id, v.acked_at, case when v.want_op = 'put' or h.device_id is null then v.acked_at else h.proven_gone_at end as proven_at
      from face_erasure_item n
      join face_erasure e on e.school_id = ${school_id} and e.erasure_id = n.erasure_id
      join sync_credential_v v on v.school_id = ${school_id} and v.device_id = n.target_id and v.row_key = n.row_key
      left join device_held_v h on h.school_id = ${school_id} and h.device_id = n.target_id and h.user_id = e.user_id
      where n.school_id = ${school_id} and n.target = ${device} and n.erasure_id = any(${ids}::bigint[]) and n.proven_at is null
        and ((v.want_op = 'delete' and v.state = 'gone') or (v.want_op = 'put' and v.state in ('applied', 'proven') and v.acked_at > e.ordered_at))) g
    where i.school_id = ${school_id} and i.target = ${device} and i.erasure_id = g.erasure_id and i.target_id = g.target_id
      and (i.acked_at is null or g.proven_at is not null)`.execute(db)
  const { rows } = await sql<{ erasure_id: string; user_id: string; is_alarmed: boolean }>`
    update face_erasure e set closed_at = ${now}::timestamptz
    where e.school_id = ${school_id} and e.closed_at is null and e.erasure_id = any(${ids}::bigint[])
      and not exists (select 1 from face_erasure_item i where i.school_id = ${school_id} and i.erasure_id = e.erasure_id and i.proven_at is null)
    returning e.erasure_id::text as erasure_id, e.user_id::text as user_id, e.alarmed_at is not null as is_alarmed`.execute(db)
  for (const { is_alarmed, ...row } of rows) {
    await publish({ app, db, school_id, now }, facesEvents.erasureClosed, row)
    if (is_alarmed) await closeOverdue(act, row.erasure_id)
  }
  const closed = new Set(rows.map(row => row.erasure_id))
  return erasure_ids.filter(id => !closed.has(id))
}
