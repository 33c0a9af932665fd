import { AI_WARN_KIND, aiChannel } from '@campus/devices/contract'
import { claimOfDevice, deviceForm, release } from '@campus/files/server'
import type { LookWords } from '@campus/files/server'
import { Refusal } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import type { Timer, TimerKind } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { ImageItem } from '@kit/terminal-protocol'
import type { UploadAsked } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db, DevicesDb } from '../db.ts'
import type { Item } from '../event/heard.ts'
import type { Line } from '../link/line.ts'
import type { Session, Sessions } from '../link/sessions.ts'
import { nameOf, StoredImages } from './merge.ts'
import type { Image } from './merge.ts'

const day_ms = 86_400_000
/** Pictures go after ninety days; what was found 违规 keeps its own as long as it is kept itself (chapter 30 rule 31). */
const [picture_days, warning_days] = [90, 400] as const
/** A box that was away is asked again for pictures of so many days. */
const asked_days = 2
const illegal = 2
const look = 'devices.ai_pictures'
const image_use = 'devices.ai_image'
/** Large enough to see who does what. */
const fit = { width: 1280, height: 1280 }

/** First use of a picture that a box has sent, for the transaction that stores what it says. */
export type Enter = Awaited<ReturnType<typeof claimOfDevice>>

/** Who uses the file of a picture. */
export function imageUse(image: Pick<Image, 'box' | 'ref'>) {
  return { ref_kind: image_use, ref_id: nameOf(image) }
}

/** Which warning a picture belongs to, for the journal of who looked at it. */
export const lookedWarning: LookWords = async (handle, { school_id, refs }) => {
  const [box, image] = refs.find(ref => ref.ref_kind === image_use)?.ref_id.split('/') ?? []
  if (box === undefined || image === undefined) return {}
  const { rows: [found] } = await sql<{ warn_kind: string; device_name: string; at: string }>`
    select w.warn_kind, d.device_name, to_char(w.begin_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD HH24:MI') as at from ai_hit h
    join ai_warning w on w.school_id = h.school_id and w.warning_id = h.warning_id join device d on d.school_id = w.school_id and d.device_id = w.camera_device_id
    where h.school_id = ${school_id} and w.school_id = ${school_id} and d.school_id = ${school_id} and h.device_id = ${box} and h.image_ref = ${image} limit 1`.execute(handle)
  const kind = Object.entries(AI_WARN_KIND.names).find(([code]) => code === found?.warn_kind)?.[1] ?? ''
  return found ? { about: `${found.device_name} ${kind} ${found.at}` } : {}
}

/** When the pictures of a warning are looked at for the first time to see whether they go. */
export function firstLook(warning_id: string, now: Date): Timer {
  return { kind: look, ref: warning_id, due_at: new Date(now.getTime() + picture_days * day_ms) }
}

/** Forms by which a box sends these pictures. None when the store takes none just now: at its next hello the box is asked again. */
export async function askPictures(sessions: Sessions, { school_id }: Session, refs: readonly string[]): Promise<UploadAsked[]> {
  if (refs.length === 0) return []
  const form = await deviceForm(sessions.fileDesk(), school_id, refs.length).catch(unlessRefused)
  return form ? refs.map(image => ({ image, key: `${form.dir}${image}`, url: form.host, fields: form.fields, max_bytes: form.max_size, expires_at: form.expire_at })) : []
}

/** The pictures of the last days that a box has and that never came. */
export async function wantedPictures({ db, school_id, device_id, now }: Line): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select i ->> 'ref' as ref from ai_warning w cross join jsonb_array_elements(w.images) i
    where w.school_id = ${school_id} and w.begin_at > ${new Date(now.getTime() - asked_days * day_ms)} and w.merged_into is null and i ->> 'box' = ${device_id} and i ->> 'file_key' is null`.execute(db)
  return rows.map(row => row.ref)
}

/** Looks at the pictures that items tell of, before their transaction; one that nobody waits for is left alone, and goes within a day. */
export async function lookAtPictures(sessions: Sessions, { school_id, device }: Session, items: readonly Item[]): Promise<ReadonlyMap<number, Enter>> {
  const looked = new Map<number, Enter>()
  for (const { seq, image, key } of items.flatMap(item => (item['type'] === 'image' ? (ImageItem.safeParse(item).data ?? []) : []))) {
    const waits = device && (await sessions.tenant(school_id, db => findWaiting(db, { school_id, box: device.device_id, ref: image })))
    const enter = waits && (await claimOfDevice(sessions.fileDesk(), school_id, { file_key: key, fit }).catch(unlessRefused))
    if (enter) looked.set(seq, enter)
  }
  return looked
}

/** Puts a picture that has come into its warning; told twice it is there once. */
export async function keepPicture({ app, db, school_id, device_id, now }: Line, { image }: ImageItem, enter: Enter): Promise<void> {
  const found = await findWaiting(db, { school_id, box: device_id, ref: image })
  if (!found) return
  const { file_key } = await enter({ app, db, school_id, now }, imageUse({ box: device_id, ref: image }))
  const images = found.images.map(one => (one.box === device_id && one.ref === image ? { ...one, file_key } : one))
  await sql`update ai_warning set images = ${JSON.stringify(images)}::jsonb where school_id = ${school_id} and warning_id = ${found.warning_id}`.execute(db)
  for (const place_id of found.node_path.split('/').filter(Boolean)) await push({ db, school_id }, aiChannel, [{ warning_id: found.warning_id, is_new: false }], { of: place_id })
}

/** The warning that waits for a picture, held until the transaction ends. */
async function findWaiting(db: Db, { school_id, box, ref }: { school_id: number; box: string; ref: string }) {
  const row = await db
    .selectFrom('ai_hit as h')
    .innerJoin('ai_warning as w', join => join.onRef('w.school_id', '=', 'h.school_id').onRef('w.warning_id', '=', 'h.warning_id'))
    .innerJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'w.school_id').onRef('p.place_id', '=', 'w.place_id'))
    .select(['w.warning_id', 'w.images', 'p.node_path'])
    .where('h.school_id', '=', school_id)
    .where('h.device_id', '=', box)
    .where('h.image_ref', '=', ref)
    .forUpdate('w')
    .executeTakeFirst()
  const images = StoredImages.parse(row?.images ?? [])
  return row && images.some(one => one.box === box && one.ref === ref && one.file_key === null) ? { ...row, images } : undefined
}

/** Lets the pictures of a warning go when their time has come. */
export const pictureLook: TimerKind = {
  kind: look,
  async run(handle, { app, school_id, ref: warning_id, now }) {
    const db = asTables<DevicesDb>(handle)
    const warning = await db.selectFrom('ai_warning').select(['begin_at', 'state', 'images']).where('school_id', '=', school_id).where('warning_id', '=', warning_id).forUpdate().executeTakeFirst()
    if (!warning) return
    const last = new Date(warning.begin_at.getTime() + (warning_days - 1) * day_ms)
    if (warning.state === illegal && now < last) return setTimer({ app, db, school_id }, { kind: look, ref: `${warning_id}`, due_at: last })
    await dropPictures({ app, db, school_id, now }, warning_id, StoredImages.parse(warning.images))
  },
}

/** A warning without its pictures. */
async function dropPictures(place: Pick<Line, 'app' | 'db' | 'school_id' | 'now'>, warning_id: string, images: readonly Image[]): Promise<void> {
  for (const image of images) await release(place, imageUse(image))
  await sql`update ai_warning set images = '[]' where school_id = ${place.school_id} and warning_id = ${warning_id}`.execute(place.db)
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof Refusal) return undefined
  throw error
}
