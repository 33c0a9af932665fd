import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { file_kind, thumb_widths } from '@campus/files/contract'
import type { fileApi } from '@campus/files/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { FileReply, Pre } from '@kit/server/http'
import { makeThumb } from '@kit/server/image'
import type { Selectable } from 'kysely'
import { isSigned } from './address.ts'
import { isSealed, keepThumb, keptThumb, openBytes, wholeBytes } from './bytes.ts'
import type { Desk, FilesDb, FilesHandle } from './db.ts'
import { lookNote } from './look.ts'
import { findFile, state } from './object.queries.ts'

type File = Selectable<FilesDb['file_object']>
type Asked = Input<typeof fileApi.read>

/** Pictures only; anything else in the folder of logos does not exist for the outside. */
const logo_types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif' }

/**
 * A file by its key: a public one for everybody, the school's own with a session of the school or a signed address. Private ones are never here.
 * @throws Refusal 404 when there is none, or none for this caller
 */
export async function readFile(pre: Pre, asked: Asked): Promise<FileReply> {
  if (asked.folder === 'logo') return readLogo(pre, asked)
  const file = await findReady(pre, asked)
  const may_see = file.visibility === 'public' || (file.visibility === 'school' && (await isOfSchool(pre, file, asked)))
  if (!may_see) throw fail(commonErrors.notFound)
  return serve(pre, file, widthOf(asked))
}

/**
 * A private file under a signed address; the look stands in the operation log under the name of whom the address was made for.
 * @throws Refusal 404 when there is none, or the signature is wrong or has run out
 */
export async function viewFile(pre: Pre, asked: Input<typeof fileApi.view>): Promise<FileReply> {
  const file = await findReady(pre, asked)
  if (file.visibility !== 'private' || !isSigned(pre.app, pre.now, file.file_key, asked)) throw fail(commonErrors.notFound)
  pre.note(await lookNote(pre, file, asked.u))
  return serve(pre, file, widthOf(asked))
}

/** The bytes of a ready file, decrypted where it lies encrypted, for a domain that works on them. @throws Refusal 404 when they are gone */
export async function read(desk: Desk, key: { school_id: number; file_key: string }): Promise<{ file_name: string; mime: string; bytes: Buffer }> {
  const file = await desk.own(key.school_id, (db: FilesHandle) => findFile(db, key))
  const bytes = file?.state === state.ready ? await wholeBytes(desk, file) : null
  if (!file || !bytes) throw fail(commonErrors.notFound)
  return { file_name: nameOf(file.file_key), mime: file.mime, bytes }
}

/** A ready file as it is served, in parts where its store can, for a domain that hands it on to who shows another credential. @throws Refusal 404 when it is gone */
export async function openFile(pre: Pre, key: { school_id: number; file_key: string }): Promise<FileReply> {
  const file = await pre.own(key.school_id, (db: FilesHandle) => findFile(db, key))
  if (file?.state !== state.ready) throw fail(commonErrors.notFound)
  return serve(pre, file, null)
}

async function findReady({ own }: Pre, { school_id, folder, day, name }: Asked): Promise<File> {
  const key = { school_id, file_key: `${school_id}/${folder}/${day}/${name}` }
  const file = await own(school_id, (db: FilesHandle) => findFile(db, key))
  if (file?.state !== state.ready) throw fail(commonErrors.notFound)
  return file
}

async function isOfSchool(pre: Pre, { school_id, file_key }: File, { e, s }: Asked): Promise<boolean> {
  if (isSigned(pre.app, pre.now, file_key, { e, s })) return true
  const caller = await pre.caller()
  // A sub-application makes its own calls and no other; what it shows comes by signed addresses.
  return caller?.school_id === school_id && caller.mini === undefined
}

async function serve(pre: Pre, file: File, width: number | null): Promise<FileReply> {
  const facts = { file_name: nameOf(file.file_key), mime: file.mime }
  if (width !== null && file.kind === file_kind.picture) {
    const thumb = await thumbOf(pre, file, width)
    if (thumb) return { ...facts, body: thumb }
  }
  const path = pre.app.files.pathOf(file.file_key)
  const found = file.driver === 'embedded' && !isSealed(file) ? await stat(path).catch(() => null) : null
  if (found) return { ...facts, size: found.size, open: part => createReadStream(path, part) }
  const body = await openBytes(pre, file)
  if (!body) throw fail(commonErrors.notFound)
  return { ...facts, body }
}

/** A smaller picture, made at its first look. Of what lies encrypted none is kept. */
async function thumbOf(pre: Pre, file: File, width: number): Promise<Buffer | null> {
  const kept = await keptThumb(pre.app, file.file_key, width)
  if (kept) return kept
  const whole = await wholeBytes(pre, file)
  const thumb = whole && (await makeThumb(whole, width))
  if (thumb && !isSealed(file)) await keepThumb(pre.app, file.file_key, width, thumb)
  return thumb
}

/** The width that an address asks for, in the words of either store; any other than the four is answered with the picture as it is. */
function widthOf(query: Record<string, unknown>): number | null {
  const style = typeof query['x-oss-process'] === 'string' ? query['x-oss-process'] : Object.keys(query).join()
  const asked = Number(/(?:image\/resize,m_lfit,w_|imageView2\/2\/w\/)(\d+)/.exec(style)?.[1])
  return thumb_widths.find(width => width === asked) ?? null
}

/** Pictures that ship with the product or were taken in before there were tickets: `{school_id}/logo/{name}`. */
async function readLogo({ app }: Pre, { school_id, folder, name }: Asked): Promise<FileReply> {
  const mime = logo_types[extname(name).toLowerCase()]
  const path = app.files.pathOf(`${school_id}/${folder}/${name}`)
  const found = mime === undefined ? null : await stat(path).catch(() => null)
  if (mime === undefined || !found?.isFile()) throw fail(commonErrors.notFound)
  return { file_name: name, mime, size: found.size, open: part => createReadStream(path, part) }
}

function nameOf(file_key: string): string {
  return file_key.slice(file_key.lastIndexOf('/') + 1)
}
