import { randomUUID } from 'node:crypto'
import type { Session, Sessions } from '../link/sessions.ts'
import { say } from '../sync/sender.ts'
import { bringAddress } from './address.ts'
import { findShot } from './shot.queries.ts'

const patience_ms = 15_000

/** Asks a recorder for a picture of one of its cameras: it brings it by HTTP to an address made for this picture, never in a message (chapter 31 §3). */
export async function askShot(sessions: Sessions, session: Session, camera_id: string): Promise<void> {
  const { school_id, device } = session
  if (session.epoch === null || device?.driver !== 'jdev') return
  const now = sessions.app.clock.now()
  const shot = await sessions.tenant(school_id, db => findShot(db, { school_id, device_id: camera_id }, device.device_id))
  if (!shot) return
  const args = { child: shot.sn, ...(shot.channel === null ? {} : { channel: shot.channel }), put: bringAddress(sessions.app, { school_id, camera_id }, now.getTime()) }
  say(sessions, session, 'cmd', { type: 'cmd', id: randomUUID(), body: { name: 'capture', args, expires_at: new Date(now.getTime() + patience_ms).toISOString() } })
}
