import { randomUUID } from 'node:crypto'
import { keepMade } from '@campus/files/server'
import type { Happening } from '@kit/terminal-protocol'
import { rewritePicture } from '@kit/server/image'
import type { Session, Sessions } from '../link/sessions.ts'
import { dayOf } from './timing.ts'

/** A picture that came with a record, for the transaction that stores it. */
export type PassPicture = { file_key: string; enter: Awaited<ReturnType<typeof keepMade>> }

type PassPictures = ReadonlyMap<number, PassPicture>

/** Whose files those are that a device has brought. */
const device_user = '0'
const most_bytes = 524_288
const fit = { width: 640, height: 640 }

/** Who uses the picture of a record. */
export function pictureUse(device_id: string, device_seq: string) {
  return { ref_kind: 'devices.pass_picture', ref_id: `${device_id}/${device_seq}` }
}

/**
 * Puts the pictures that came with records into the store, written anew without what cameras add, before the transaction of the records;
 * by the number of the record. One that cannot be read is left out: a picture never delays a pass (chapter 35 R31).
 */
export async function keepPassPictures(sessions: Sessions, { school_id }: Session, events: readonly Happening[]): Promise<PassPictures> {
  const kept = new Map<number, PassPicture>()
  for (const { seq, at, pass } of events) {
    const bytes = pass?.picture === undefined ? undefined : Buffer.from(pass.picture, 'base64')
    const picture = bytes && bytes.length <= most_bytes ? await rewritePicture(bytes, fit) : null
    if (picture?.mime !== 'image/jpeg') continue
    const { mime: _mime, ...facts } = picture
    const file_key = `${school_id}/${device_user}/${dayOf(new Date(at)).replaceAll('-', '')}/${randomUUID()}.jpg`
    const enter = await keepMade(sessions.fileDesk(), school_id, device_user, { ...facts, file_key, purpose: 'warning' })
    kept.set(Number(seq), { file_key, enter })
  }
  return kept
}
