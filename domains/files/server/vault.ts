import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { pipeline as pipe, Readable } from 'node:stream'
import type { App } from '@kit/server/http'
import { withFormer } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'
import type { QueryExecutorProvider } from 'kysely'
import { asFiles } from './db.ts'
import type { Desk, FilesHandle } from './db.ts'

const iv_bytes = 12
const tag_bytes = 16
const key_no = 1

/** Opens what `sealKey` made. */
function openKey(data_key: Buffer, school_id: number, sealed: Buffer): KeyObject {
  return createSecretKey(withFormer(data_key, key => {
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), sealed.subarray(0, iv_bytes)).setAAD(aadOf(school_id)).setAuthTag(sealed.subarray(iv_bytes, iv_bytes + tag_bytes))
    return Buffer.concat([decipher.update(sealed.subarray(iv_bytes + tag_bytes)), decipher.final()])
  }))
}

function sealKey(data_key: Buffer, school_id: number, key: Buffer): Buffer {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(data_key), iv).setAAD(aadOf(school_id))
  const body = Buffer.concat([cipher.update(key), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

const aadOf = (school_id: number) => Buffer.from(`files.envelope:${school_id}`)

/** The keys of the schools' private pictures, for the exchange of keys: the pictures themselves stay as they are. */
export const sealedEnvelope: SealedPart = {
  name: 'files.envelope', key: 'data_key', table: 'file_envelope', ids: [['key_no', 'smallint']], columns: ['sealed_key'],
  carry({ data_key }, school_id, { sealed_key }) {
    return Buffer.isBuffer(sealed_key) ? { sealed_key: sealKey(data_key, school_id, openKey(data_key, school_id, sealed_key).export()) } : null
  },
}

/** The key of a school's private pictures, made at its first. */
export function schoolKey({ app, own, now }: Desk, school_id: number): Promise<KeyObject> {
  return own(school_id, (db: FilesHandle) => keyIn(app, db, school_id, now))
}

/** The same key, 32 bytes, inside the transaction of a domain that seals what it made of a private picture: both are gone with the key. */
export async function pictureKey({ app, db, school_id, now }: { app: App; db: QueryExecutorProvider; school_id: number; now: Date }): Promise<Buffer> {
  return (await keyIn(app, asFiles(db), school_id, now)).export()
}

async function keyIn({ secrets: { data_key } }: App, db: FilesHandle, school_id: number, now: Date): Promise<KeyObject> {
  const made = { school_id, key_no, sealed_key: sealKey(data_key, school_id, randomBytes(32)), created_at: now }
  await db.insertInto('file_envelope').values(made).onConflict(conflict => conflict.doNothing()).execute()
  const kept = await db.selectFrom('file_envelope').select('sealed_key').where('school_id', '=', school_id).where('key_no', '=', key_no).executeTakeFirstOrThrow()
  return openKey(data_key, school_id, kept.sealed_key)
}

/** Writes a file encrypted: iv, body, tag. The tag covers the key of the file too, so that no two can be exchanged. */
export async function sealFile(key: KeyObject, file_key: string, from: string, to: string): Promise<void> {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(file_key))
  const sealed = async function* (source: AsyncIterable<Buffer>) {
    yield iv
    for await (const piece of source) yield cipher.update(piece)
    yield cipher.final()
    yield cipher.getAuthTag()
  }
  await pipeline(createReadStream(from), sealed, createWriteStream(to, { mode: 0o600 }))
}

/** The plain bytes of a sealed file. The stream fails at its end when anything of it was changed. */
export async function openSealed(key: KeyObject, file_key: string, path: string): Promise<Readable> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const iv = Buffer.alloc(iv_bytes)
    const tag = Buffer.alloc(tag_bytes)
    await file.read(iv, 0, iv_bytes, 0)
    await file.read(tag, 0, tag_bytes, size - tag_bytes)
    const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(file_key)).setAuthTag(tag)
    const body = size > iv_bytes + tag_bytes ? createReadStream(path, { start: iv_bytes, end: size - tag_bytes - 1 }) : Readable.from([])
    // Both end together: a reader who leaves midway leaves no open file, and a fault of the file is one of the answer alone.
    pipe(body, decipher, () => undefined)
    return decipher
  } finally {
    await file.close()
  }
}
