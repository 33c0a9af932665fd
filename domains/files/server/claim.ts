import { createHash } from 'node:crypto'
import { file_kind, filesErrors, filesEvents } from '@campus/files/contract'
import type { BroughtPurpose, UploadPurpose } from '@campus/files/contract'
import { commonErrors, fail } from '@kit/contract'
import { publish, setTimer } from '@kit/server/event'
import type { App, Pre } from '@kit/server/http'
import { rewritePicture } from '@kit/server/image'
import type { PictureFit } from '@kit/server/image'
import type { QueryExecutorProvider, Selectable } from 'kysely'
import { replaceBytes, wholeBytes } from './bytes.ts'
import { asFiles } from './db.ts'
import type { Desk, FilesDb, FilesHandle } from './db.ts'
import { adoptRemote } from './adopt.ts'
import { measure } from './measure.ts'
import { addRef, changeBytes, changeFile, dropRefs, findFile, holdFile, isUsed, isUsedBy, state } from './object.queries.ts'
import type { Ref } from './object.queries.ts'
import { unusedTimer } from './unused.ts'
import { visitor_id } from './visitor.ts'

type File = Selectable<FilesDb['file_object']>
const { uploaded, ready, quarantined, orphan } = state

const in_use_or_waiting: ReadonlySet<number> = new Set([uploaded, ready, orphan])

/**
 * `purpose`: what it was uploaded for. `held_by`: the thing that may use this file already, which then stays allowed whoever uploaded it. `fit`: largest size of a picture.
 * `measured`: every file gets its hash, and a video must be an MP4 that plays while it arrives (chapter 60 rule 27).
 */
export type Wanted = { file_key: string; purpose: UploadPurpose; held_by?: Ref; fit?: PictureFit; measured?: true }
/** Where a file comes into use: a handler's ctx, or the same facts in background work. */
export type Place = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
export type Claimed = { file_key: string; kind: string; mime: string; size: number; width: number | null; height: number | null; sha256?: string | null; duration_ms?: number | null }

/**
 * First use of an uploaded file (F7), in two steps: before the transaction it is checked and a picture is written anew; the answer, run
 * inside the transaction, enters who uses it and makes it ready.
 * @throws Refusal 404 for a key of another school or person, or of another purpose; 415 for bytes that are not what they should be
 */
export async function claim(pre: Pre, wanted: Wanted): Promise<Enter> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  return check(pre, (await findOwn(pre, me, wanted)) ?? (await adoptRemote(pre, me, wanted)), wanted)
}

/** First use of what somebody without an account has brought; nobody but he knows its key. @throws Refusal 404, 415 as `claim` */
export async function claimOfVisitor(pre: Pre, school_id: number, wanted: Omit<Wanted, 'purpose'>): Promise<Enter> {
  const own = { ...wanted, purpose: 'material' } as const
  return check(pre, await findOwn(pre, { school_id, user_id: visitor_id }, own), own)
}

/** First use of a picture that a device was asked for; nobody but it knows its key. @throws Refusal 404, 415 as `claim` */
export async function claimOfDevice(desk: Desk, school_id: number, { file_key, fit }: Pick<Wanted, 'file_key' | 'fit'>): Promise<Enter> {
  const own = { file_key, purpose: 'warning', ...(fit ? { fit } : {}) } as const
  return check(desk, await findOwn(desk, { school_id, user_id: visitor_id }, own), own)
}

type Enter = (place: Place, ref: Ref) => Promise<Claimed>
type Brought = Omit<Wanted, 'purpose'> & { purpose: BroughtPurpose }

function findOwn(pre: Desk, { school_id, user_id }: { school_id: number; user_id: string }, { file_key, held_by }: Brought): Promise<File | undefined> {
  const key = { school_id, file_key }
  return pre.own(school_id, async (db: FilesHandle) => {
    const file = await findFile(db, key)
    const is_held = held_by !== undefined && file !== undefined && (await isUsedBy(db, key, held_by))
    return file && (file.uploaded_by === user_id || is_held) ? file : undefined
  })
}

async function check(pre: Desk, file: File | undefined, { purpose, fit, measured }: Brought): Promise<Enter> {
  if (!file || file.purpose !== purpose || !in_use_or_waiting.has(file.state)) throw fail(filesErrors.missing)
  const is_new = file.state === uploaded
  if (is_new && measured && file.kind !== file_kind.picture) {
    const { duration_ms, ...facts } = await measure(pre, file)
    return async (place, ref) => ({ ...(await enter(place, file, facts, ref)), duration_ms })
  }
  const facts = is_new ? await rewrite(pre, file, fit) : {}
  return (place, ref) => enter(place, file, facts, ref)
}

type Facts = { mime?: string; size?: string; sha256?: Buffer; width?: number | null; height?: number | null }

async function rewrite(pre: Desk, file: File, fit: PictureFit | undefined): Promise<Facts> {
  if (file.kind !== file_kind.picture) return {}
  const bytes = await wholeBytes(pre, file)
  if (!bytes) throw fail(filesErrors.missing)
  const picture = await rewritePicture(bytes, fit)
  if (!picture) {
    await pre.own(file.school_id, (db: FilesHandle) => changeBytes(db, file, [uploaded], { state: quarantined }))
    throw fail(filesErrors.noPicture)
  }
  const standing = await pre.own(file.school_id, (db: FilesHandle) => findFile(db, file))
  if (standing?.bytes_no !== file.bytes_no) throw fail(filesErrors.missing)
  // Somebody who used it in the same moment has written it anew already.
  if (standing.state !== uploaded) return {}
  await replaceBytes(pre, file, picture.bytes, picture.mime)
  const { width, height, mime } = picture
  return { mime, width, height, size: String(picture.bytes.length), sha256: createHash('sha256').update(picture.bytes).digest() }
}

async function enter({ app, db: handle, school_id, now }: Place, file: File, facts: Facts, ref: Ref): Promise<Claimed> {
  const db = asFiles(handle)
  const changed = await changeBytes(db, file, [uploaded, ready, orphan], { ...facts, state: ready, unused_since: null })
  if (!changed) throw fail(filesErrors.missing)
  await addRef(db, file, ref, now)
  const { file_key, kind, mime, purpose, width, height } = changed
  if (file.state === uploaded) await publish({ app, db, school_id, now }, filesEvents.ready, { file_key, purpose, kind })
  return { file_key, kind, mime, size: Number(changed.size), width, height, sha256: changed.sha256?.toString('hex') ?? null }
}

/** A thing uses a file no more (all of its files without `file_key`). What nobody uses goes after seven days. */
export async function release({ app, db: handle, school_id, now }: Place, ref: Ref, which: { file_key?: string } = {}): Promise<void> {
  const db = asFiles(handle)
  for (const { file_key } of await dropRefs(db, school_id, ref, which)) {
    const key = { school_id, file_key }
    await holdFile(db, key)
    if (await isUsed(db, key)) continue
    const left = await changeFile(db, key, [ready], { unused_since: now })
    await setTimer({ app, db, school_id }, unusedTimer(file_key, now, left?.purpose ?? ''))
  }
}
