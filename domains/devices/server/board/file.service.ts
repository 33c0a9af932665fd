import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { boardChannel, devicesErrors } from '@campus/devices/contract'
import type { deviceFileApi } from '@campus/devices/contract'
import { keepMade, openFile, release } from '@campus/files/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { FilePart, FileReply, Pre } from '@kit/server/http'
import { rewritePicture } from '@kit/server/image'
import { push } from '@kit/server/realtime'
import type { Db } from '../db.ts'
import { endDownload, findTicket, readTicket, startDownload } from './ticket.ts'

/** Seconds after which a board that has to wait asks again: not all at once. */
const [soonest_s, jitter_s] = [5, 60]
const most_bytes = 8 * 1024 * 1024
const fit = { width: 1920, height: 1920 }

/** One file for one device. @throws Refusal 404 for a ticket that is used up or over, 503 downloadsBusy */
export async function tellBlob(pre: Pre, { ticket }: Input<typeof deviceFileApi.blob>): Promise<FileReply> {
  const { now } = pre
  const { school_id, token_digest } = readTicket(ticket)
  const taken = await pre.own(school_id, async (db: Db) => {
    const found = await findTicket(db, school_id, 'download', token_digest, now)
    return found && { ...found, may: await startDownload(db, school_id, { device_id: found.device_id, token_digest, now }) }
  })
  if (!taken || taken.file_key === null) throw fail(commonErrors.notFound)
  if (!taken.may) throw fail(devicesErrors.downloadsBusy, { retry_after: soonest_s + Math.floor(Math.random() * jitter_s) })
  const end = (is_whole: boolean) => pre.own(school_id, (db: Db) => endDownload(db, school_id, token_digest, { is_whole, now: pre.app.clock.now() }))
  const file = await openFile(pre, { school_id, file_key: taken.file_key }).catch(async (error: unknown) => {
    await end(false)
    throw error
  })
  return watched(file, is_whole => void end(is_whole).catch((error: unknown) => pre.log.warn({ err: error }, 'a download was not ended')))
}

/** The same file; `over` is told once when all was sent, or when it broke off. A part is only the whole when it goes to the end. */
function watched(file: FileReply, over: (is_whole: boolean) => void): FileReply {
  if ('open' in file) return { ...file, open: (part?: FilePart) => watch(file.open(part), is_sent => over(is_sent && (part === undefined || part.end === file.size - 1))) }
  if (Buffer.isBuffer(file.body)) {
    over(true)
    return file
  }
  return { ...file, body: watch(file.body, over) }
}

function watch(stream: Readable, over: (is_whole: boolean) => void): Readable {
  return stream.once('close', () => over(stream.readableEnded))
}

/** How many bytes a picture may have, of a device that was asked for one. @throws Refusal 404 */
export async function admitScreenshot(pre: Pre, params: unknown): Promise<number> {
  const text = typeof params === 'object' && params !== null && 'ticket' in params ? String(params.ticket) : ''
  const { school_id, token_digest } = readTicket(text)
  const found = await pre.own(school_id, (db: Db) => findTicket(db, school_id, 'screenshot', token_digest, pre.now))
  if (!found) throw fail(commonErrors.notFound)
  return most_bytes
}

/** Keeps the picture that a board was asked for, written anew; the one before goes. @throws Refusal 404, 415 for what is no picture */
export async function takeScreenshot(pre: Pre, { ticket }: Input<typeof deviceFileApi.screenshot>): Promise<Reply<typeof deviceFileApi.screenshot>> {
  const { app, now } = pre
  const { school_id, token_digest } = readTicket(ticket)
  const found = await pre.own(school_id, (db: Db) => findTicket(db, school_id, 'screenshot', token_digest, now))
  const picture = pre.file && (await rewritePicture(await readFile(pre.file.path), fit))
  if (!found) throw fail(commonErrors.notFound)
  if (!picture) throw fail(commonErrors.unsupportedType)
  const { device_id } = found
  const owner = found.asked_by ?? '0'
  const file_key = `${school_id}/${owner}/${now.toISOString().slice(0, 10).replaceAll('-', '')}/${randomUUID()}.${picture.mime === 'image/png' ? 'png' : 'jpg'}`
  const enter = await keepMade(pre, school_id, owner, { file_key, purpose: 'attachment', bytes: picture.bytes, width: picture.width, height: picture.height })
  await pre.own(school_id, async (db: Db) => {
    const place = { app, db, school_id, now }
    const ref = { ref_kind: 'devices.board', ref_id: device_id }
    await release(place, ref)
    await enter(place, ref)
    const shot = { screenshot_key: file_key, screenshot_at: now }
    await db.insertInto('board').values({ school_id, device_id, ...shot }).onConflict(conflict => conflict.columns(['school_id', 'device_id']).doUpdateSet(shot)).execute()
    await endDownload(db, school_id, token_digest, { is_whole: true, now })
    await push({ db, school_id }, boardChannel, [{ device_id, what: 'screenshot' }], { of: device_id })
  })
  pre.note({ school_id, target_kind: 'devices.board', target_id: device_id })
  return {}
}
