import { createHash } from 'node:crypto'
import { eraseFile, keepMade, read } from '@campus/files/server'
import { Refusal } from '@kit/contract'
import { fitJpeg } from '@kit/server/image'
import type { App, Pre } from '@kit/server/http'
import type { Db } from '../db.ts'
import { dueOf } from '../sync/due.ts'
import { dropPhotos, settlePhotos, takePhotos } from './photo.queries.ts'
import type { PhotoResult, WaitingPhoto } from './photo.queries.ts'

/** What every terminal takes: longest sides in pixels, and fewer bytes than any of them allows (chapter 30 rule 13). */
const bound = { landscape: 720, portrait: 1280, most_bytes: 400 * 1024 }
/** Pictures that are worked at side by side. */
const lanes = 2
const ref_kind = 'devices.photo'
const reasons = { unreadable: 'photo_not_jpg', too_big: 'photo_too_big', gone: 'photo_gone' } as const

export type PhotoDesk = { app: App; own: Pre['own']; tenant<R>(school_id: number, work: (db: Db) => Promise<R>): Promise<R> }
type Made = { result: PhotoResult; enter?: Awaited<ReturnType<typeof keepMade>> }

/** Makes the faces of a school fit for terminals, outside any transaction, and forgets those that nobody has any more. */
export async function preparePhotos(desk: PhotoDesk, school_id: number): Promise<void> {
  const { app } = desk
  await desk.tenant(school_id, async db => {
    for (const file_key of await dropPhotos(db, school_id)) await eraseFile({ app, db, school_id, now: app.clock.now() }, file_key)
  })
  for (let waiting = await take(desk, school_id); waiting.length > 0; waiting = await take(desk, school_id)) {
    const made = await makeAll(desk, school_id, waiting)
    await desk.tenant(school_id, async db => {
      const now = app.clock.now()
      for (const { result, enter } of made) await enter?.({ app, db, school_id, now }, { ref_kind, ref_id: result.sha256 })
      await dueOf({ db, school_id, now }, await settlePhotos(db, school_id, made.map(one => one.result)))
    })
  }
}

function take({ app, tenant }: PhotoDesk, school_id: number): Promise<WaitingPhoto[]> {
  return tenant(school_id, db => takePhotos(db, school_id, app.clock.now()))
}

async function makeAll(desk: PhotoDesk, school_id: number, waiting: readonly WaitingPhoto[]): Promise<Made[]> {
  const made: Made[] = []
  const left = [...waiting]
  const lane = async () => {
    for (let next = left.shift(); next; next = left.shift()) made.push(await makeFit(desk, school_id, next))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return made
}

/** One picture: as it is when it fits, written anew when it does not, or why there is none. The original stays where it is. */
async function makeFit({ app, own }: PhotoDesk, school_id: number, { sha256, file_key }: WaitingPhoto): Promise<Made> {
  const now = app.clock.now()
  const file = await read({ app, own, now }, { school_id, file_key }).catch(refusedAsNone)
  if (!file || hashOf(file.bytes) !== sha256) return { result: { sha256, reason: reasons.gone } }
  const picture = await fitJpeg(file.bytes, bound)
  if (typeof picture === 'string') return { result: { sha256, reason: reasons[picture] } }
  const { bytes, width, height } = picture
  if (bytes === file.bytes) return { result: { sha256, made_key: file_key, made_sha256: sha256, bytes: bytes.length } }
  const made_key = `${school_id}/0/${now.toISOString().slice(0, 10).replaceAll('-', '')}/terminal-${sha256.slice(0, 40)}.jpg`
  const enter = await keepMade({ app, own, now }, school_id, '0', { file_key: made_key, purpose: 'face', bytes, width, height })
  return { result: { sha256, made_key, made_sha256: hashOf(bytes), bytes: bytes.length }, enter }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function refusedAsNone(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
