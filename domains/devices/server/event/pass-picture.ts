import { randomUUID } from 'node:crypto'
import { keepMade } from '@campus/files/server'
import type { Happening } from '@kit/terminal-protocol'
import { rewritePicture } from '@kit/server/image'
import { sql } from 'kysely'
import type { Session, Sessions } from '../link/sessions.ts'
import type { PassPicture } from './pass.write.ts'
import { dayOf } from './timing.ts'

type PassPictures = ReadonlyMap<number, PassPicture>

/** Whose files those are that a device has brought. */
const device_user = '0'
const most_bytes = 524_288
const fit = { width: 640, height: 640 }

/**
 * Puts the pictures that came with records into the store, written anew without what cameras add, before the transaction of the records;
 * by the number of the record. A record that is there already brings none again, and one that cannot be read is left out: a picture never
 * delays a pass (chapter 35 R31).
 */
export async function keepPassPictures(sessions: Sessions, session: Session, events: readonly Happening[]): Promise<PassPictures> {
  const { school_id } = session
  const kept = new Map<number, PassPicture>()
  const pictured = events.filter(one => one.pass?.picture !== undefined)
  const stored = await storedAlready(sessions, session, pictured)
  for (const { seq, at, pass } of pictured.filter(one => !stored.has(one.seq))) {
    const bytes = Buffer.from(pass?.picture ?? '', 'base64')
    const picture = bytes.length <= most_bytes ? await rewritePicture(bytes, fit) : null
    if (picture?.mime !== 'image/jpeg') continue
    const { mime: _mime, ...facts } = picture
    const file_key = `${school_id}/${device_user}/${dayOf(new Date(at)).replaceAll('-', '')}/${randomUUID()}.jpg`
    const enter = await keepMade(sessions.fileDesk(), school_id, device_user, { ...facts, file_key, purpose: 'warning' })
    kept.set(Number(seq), { file_key, enter })
  }
  return kept
}

/** The numbers of these records that are there. */
async function storedAlready(sessions: Sessions, { school_id, device, epoch }: Session, events: readonly Happening[]): Promise<Set<string>> {
  if (events.length === 0 || !device) return new Set()
  const dates = [...new Set(events.map(one => dayOf(new Date(one.at))))]
  const names = events.map(one => `${epoch}:${one.seq}`)
  const { rows } = await sessions.tenant(school_id, db => sql<{ device_seq: string }>`
    select device_seq from pass_event where school_id = ${school_id} and device_id = ${device.device_id}
      and event_date = any(${dates}::date[]) and device_seq = any(${names}::text[])`.execute(db))
  return new Set(rows.map(row => row.device_seq.slice(row.device_seq.lastIndexOf(':') + 1)))
}
