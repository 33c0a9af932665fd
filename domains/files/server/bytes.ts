import { createHash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline, Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { file_kind, mostMegabytes, purpose_facts, thumb_widths, upload_purposes } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import type { App } from '@kit/server/http'
import type { Selectable } from 'kysely'
import { storeKeyOf } from './db.ts'
import type { Desk, FilesDb, FilesHandle } from './db.ts'
import { openRemote } from './store/remote.ts'
import type { RemoteStore } from './store/remote.ts'
import { openSealed, schoolKey, sealFile } from './vault.ts'

export type StoredFile = Pick<Selectable<FilesDb['file_object']>, 'school_id' | 'file_key' | 'driver' | 'store' | 'bucket' | 'purpose'>

type ReadableFile = StoredFile & Pick<Selectable<FilesDb['file_object']>, 'kind' | 'size' | 'sha256'>

/** What lies in an outside store is no longer what came into use. */
class Changed extends Error {}

/** Files of these purposes lie encrypted. */
export function isSealed({ purpose }: Pick<StoredFile, 'purpose'>): boolean {
  return Object.entries(purpose_facts).some(([name, facts]) => name === purpose && facts.is_sealed === true)
}

/** Takes a received file into the embedded store, encrypted where its purpose asks for it. */
export async function keepBytes(desk: Desk, file: StoredFile, path: string): Promise<void> {
  await placeBytes(desk.app, file.file_key, path, isSealed(file) ? await schoolKey(desk, file.school_id) : null)
}

/** The same with the key of its school at hand; without one it lies as it is. */
export async function placeBytes(app: App, file_key: string, path: string, key: KeyObject | null): Promise<void> {
  const { files } = app
  await dropThumbs(app, file_key)
  if (!key) return files.place(path, file_key)
  const sealed = files.scratch()
  try {
    await sealFile(key, file_key, path, sealed)
    await files.place(sealed, file_key)
  } finally {
    await files.discard(sealed)
  }
}

/** Replaces the bytes of a file where it lies. */
export async function replaceBytes(desk: Desk, file: StoredFile, bytes: Buffer, mime: string): Promise<void> {
  const remote = await remoteOf(desk, file)
  if (remote) return remote.put(file.file_key, bytes, mime)
  const path = desk.app.files.scratch()
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    await keepBytes(desk, file, path)
  } finally {
    await desk.app.files.discard(path)
  }
}

/**
 * The plain bytes of a file as a stream; null when they are gone. What an outside store sends breaks off at its end when it is not what came into use:
 * whoever still holds the form of an upload can put other bytes under its name for as long as the form lasts.
 */
export async function openBytes(desk: Desk, file: ReadableFile): Promise<Readable | null> {
  const remote = await remoteOf(desk, file)
  if (remote) {
    const sent = fromAnswer(await remote.get(file.file_key, mostBytes(file)))
    return sent && file.sha256 ? pipeline(sent, unchanged(file.file_key, file.sha256), () => undefined) : sent
  }
  const path = desk.app.files.pathOf(file.file_key)
  const found = await stat(path).catch(() => null)
  if (!found) return null
  return isSealed(file) ? openSealed(await schoolKey(desk, file.school_id), file.file_key, path) : createReadStream(path)
}

/** All of a file at once, for pictures; null also when an outside store has other bytes by now. @throws Error when an encrypted one was changed */
export async function wholeBytes(desk: Desk, file: ReadableFile): Promise<Buffer | null> {
  const stream = await openBytes(desk, file)
  try {
    return stream && (await buffer(stream))
  } catch (error) {
    if (error instanceof Changed) return null
    throw error
  }
}

function unchanged(file_key: string, sha256: Buffer): Transform {
  const hash = createHash('sha256')
  return new Transform({
    transform(piece, _encoding, done) {
      hash.update(piece)
      done(null, piece)
    },
    flush: done => done(hash.digest().equals(sha256) ? null : new Changed(`${file_key} was changed in its store`)),
  })
}

/** Takes the bytes away, with the smaller pictures made of them; what is gone already is no error. */
export async function removeBytes(desk: Pick<Desk, 'app' | 'own'>, file: StoredFile): Promise<void> {
  const { files } = desk.app
  const remote = await remoteOf(desk, file)
  if (remote) await remote.remove(file.file_key)
  else await files.discard(files.pathOf(file.file_key))
  await dropThumbs(desk.app, file.file_key)
}

async function dropThumbs({ files }: App, file_key: string): Promise<void> {
  for (const width of thumb_widths) await files.discard(files.thumbOf(file_key, width))
}

/** Keeps a made thumbnail; the next to ask reads it. */
export async function keepThumb({ files }: App, file_key: string, width: number, bytes: Buffer): Promise<void> {
  const path = files.thumbOf(file_key, width)
  const part = files.scratch()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(part, bytes, { mode: 0o600 })
  await rename(part, path).catch(async error => {
    await rm(part, { force: true })
    throw error
  })
}

/** A thumbnail made before. */
export function keptThumb({ files }: App, file_key: string, width: number): Promise<Buffer | null> {
  return readFile(files.thumbOf(file_key, width)).catch(() => null)
}

/** So much a store may send: what an upload of this purpose may hold, or what was written anew in its place. */
function mostBytes({ purpose, kind, size }: ReadableFile): number {
  const known = upload_purposes.find(one => one === purpose)
  const sort = Object.values(file_kind).find(one => one === kind)
  const most = known !== undefined && sort !== undefined ? mostMegabytes(known, sort, false) * 1024 * 1024 : 0
  return Math.max(most, Number(size))
}

function fromAnswer(answer: Awaited<ReturnType<RemoteStore['get']>>): Readable | null {
  if (answer.ok && answer.body) return Readable.from(answer.body)
  if (answer.status === 404 || answer.status === 612) return null
  throw new Error(`the store answered ${answer.status}`)
}

/** The outside store of a file; null when it lies here. Where it was put decides, not what the school uses today (F9). */
async function remoteOf({ app, own }: Pick<Desk, 'app' | 'own'>, { school_id, driver, store, bucket }: StoredFile): Promise<RemoteStore | null> {
  if (driver === 'embedded') return null
  const key = storeKeyOf(app, school_id, store)
  const place = await own(school_id, (db: FilesHandle) => readStorePlace(db, school_id))
  if (!key || bucket === null) throw new Error(`no key for store ${store} of school ${school_id}`)
  return openRemote(app.config, key, { bucket, region: place?.oss_region ?? 'us-east-1' })
}
