import { eraseFile } from '@campus/files/server'
import { schoolDay } from '@campus/school/server'
import { asTables, insertMany } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PassDb, Work } from './db.ts'

const photo_timer = 'access.photos'
const [kept_days, look_minutes_ms, at_once] = [90, 30 * 60_000, 1000] as const
/** VERIFY_MODE: a face, a face and a card. */
const by_face: readonly number[] = [1, 7]

type PassKey = { event_date: string; device_id: string; device_seq: string }
type Photo = { school_id: number; file_key: string }
type Photographed = PassKey & { subject_id: string | null; verify_mode: number; snapshot_key: string | null }

/** Keeps which pictures came with passes, and until when (chapter 35 R31). */
export async function keepPhotos(work: Work, rows: readonly Photographed[]): Promise<void> {
  const { db, school_id } = work
  const photos = rows.flatMap(({ event_date, device_id, device_seq, subject_id, verify_mode, snapshot_key: file_key }) => {
    if (file_key === null) return []
    const key = { school_id, event_date, device_id, device_seq }
    const until = { delete_after: addDays(event_date, kept_days) }
    return [{ ...key, user_id: subject_id, is_by_face: by_face.includes(verify_mode), file_key, ...until }]
  })
  if (photos.length === 0) return
  await insertMany(db, 'access_pass_photo', photos, {})
  await planLook(work)
}

/** The picture of a pass that is still there. */
export async function photoOf({ db, school_id }: Pick<Work, 'db' | 'school_id'>, key: PassKey): Promise<Photo | null> {
  const live = db.selectFrom('access_pass_photo').select(['school_id', 'file_key']).where('deleted_at', 'is', null)
  const own = live.where('school_id', '=', school_id).where('event_date', '=', key.event_date).where('device_id', '=', key.device_id).where('device_seq', '=', key.device_seq)
  return (await own.executeTakeFirst()) ?? null
}

/** Pictures of somebody go at once, passes stay: those by his face with his consent, all of them with the person. @returns how many */
export function dropPhotosOf(work: Work, user_id: string, cause: 'consent' | 'person'): Promise<number> {
  return drop(work, sql<boolean>`user_id = ${user_id}${cause === 'consent' ? sql` and is_by_face` : sql``}`, cause)
}

async function drop(work: Work, which: RawBuilder<boolean>, cause: 'consent' | 'person' | 'time'): Promise<number> {
  const { db, school_id, now } = work
  const live = db.selectFrom('access_pass_photo').select(['event_date', 'device_id', 'device_seq', 'file_key'])
  const photos = await live.where('school_id', '=', school_id).where('deleted_at', 'is', null).where(which).limit(at_once).execute()
  for (const { file_key, event_date, device_id, device_seq } of photos) {
    await eraseFile(work, file_key)
    await db.updateTable('access_pass_photo').set({ deleted_at: now, cause }).where('school_id', '=', school_id)
      .where('event_date', '=', event_date).where('device_id', '=', device_id).where('device_seq', '=', device_seq).execute()
  }
  return photos.length < at_once ? photos.length : photos.length + (await drop(work, which, cause))
}

/** Sets the next night's look; one that is set already stays. */
async function planLook({ app, db, school_id, now }: Work): Promise<void> {
  const due_at = new Date(startOfDate(addDays(schoolDay(now), 1)).getTime() + look_minutes_ms)
  await setTimer({ app, db, school_id }, { kind: photo_timer, ref: String(school_id), due_at })
}

/** Every night, as long as there are pictures: those whose time is over go. */
export const photoTimer: TimerKind = {
  kind: photo_timer,
  async run(db, due) {
    const work: Work = { ...due, db: asTables<PassDb>(db) }
    await drop(work, sql<boolean>`delete_after <= ${schoolDay(work.now)}::date`, 'time')
    const live = work.db.selectFrom('access_pass_photo').select('file_key').where('school_id', '=', work.school_id)
    if (await live.where('deleted_at', 'is', null).limit(1).executeTakeFirst()) await planLook(work)
  },
}
