import type { ClientKind, Credentials, Ended } from '@kit/server/mqtt'
import { MinuteWindow } from '@kit/server/http'
import { judgeDevice, readDriver } from './admission.ts'
import { hearDevice, resume } from './hear.ts'
import { dropInFlight } from '../sync/sender.ts'
import { takeOffline, writeLink } from './link.write.ts'
import type { OfflineReason } from './link.write.ts'
import type { Session, Sessions } from './sessions.ts'

const mib = 1_048_576
const id_shape = /^[A-Za-z0-9_-]{1,64}$/
const browser_shape = /^w-\d{1,10}-[A-Za-z0-9_-]{22}$/
/** Refused connections of one device that are written down in a minute. */
const refusals_written = 1

const reasons: Record<Ended, OfflineReason> = { left: 'will', kicked: 'kick', closing: 'broker' }

/** The devices among the broker's clients: each speaks and hears below its own id alone (chapter 31 §1). */
export function deviceKind(sessions: Sessions): ClientKind {
  const refusals = new MinuteWindow()
  return {
    kind: 'device',
    owns: client_id => id_shape.test(client_id) && !browser_shape.test(client_id),
    transports: ['tcp', 'ws'],
    bound: { packet_bytes: mib, per_second: 50, burst: 200 },
    may_will: true,
    grants: (prefix, client_id) => ({
      publish: [`${prefix}/${client_id}/up/#`, `${prefix}/${client_id}/access_device/v2/#`],
      subscribe: [`${prefix}/${client_id}/down/#`, `${prefix}/${client_id}/access_device/v2/#`],
    }),
    admit: shown => admit(sessions, refusals, shown),
    subscribed(client_id) {
      const session = sessions.of(client_id)
      if (session) void sessions.queue(client_id, () => resume(sessions, session))
    },
    heard: (client_id, topic, payload) => {
      const session = sessions.of(client_id)
      return session ? sessions.queue(client_id, () => hearDevice(sessions, session, topic, payload)) : Promise.resolve()
    },
    gone(client_id, ended) {
      const session = sessions.close(client_id)
      if (session) void sessions.queue(client_id, () => leave(sessions, session, reasons[ended]))
    },
  }
}

async function admit(sessions: Sessions, refusals: MinuteWindow, shown: Credentials): Promise<boolean> {
  const { client_id, address } = shown
  const now = sessions.app.clock.now()
  const known = await sessions.tenant(0, db => judgeDevice(db, shown, now))
  if (!known) {
    if (refusals.hit(client_id, refusals_written, now) === 0) await noteRefusal(sessions, shown)
    return false
  }
  const { school_id, device } = known
  const lives = device && (await sessions.tenant(school_id, db => readDriver(db, school_id, device.device_id)))
  if (device && !lives) return false
  const session: Session = { client_id, school_id, address, device: device && { ...device, driver: lives?.driver ?? '' }, epoch: null, in_flight: null, proof: null, down_seq: 0, door: null, children: null, board: null }
  const before = sessions.open(session)
  if (before?.device) void sessions.queue(client_id, () => writeTurn(sessions, before, 'kicked', { client_ip: before.address }))
  return true
}

/** Somebody came under the id of a device and did not know its secret. */
async function noteRefusal(sessions: Sessions, { client_id, address }: Credentials): Promise<void> {
  const owner = await sessions.tenant(0, db => db.selectFrom('device_client').select(['school_id', 'device_id']).where('client_id', '=', client_id).executeTakeFirst())
  if (!owner) return
  const { school_id, device_id } = owner
  const { app } = sessions
  await sessions.tenant(school_id, db => writeLink({ app, db, school_id, device_id, now: app.clock.now() }, 'refused', { client_ip: address, reason: 'secret' }))
}

/** A device is gone from this node, unless it is here again already. */
async function leave(sessions: Sessions, session: Session, reason: OfflineReason): Promise<void> {
  await dropInFlight(sessions, session)
  if (!session.device || session.epoch === null || sessions.of(session.client_id)) return
  await sessions.inLine(session, line => takeOffline(line, reason))
}

function writeTurn(sessions: Sessions, session: Session, kind: 'kicked', more: { client_ip: string }): Promise<void> {
  return sessions.inLine(session, line => writeLink(line, kind, more))
}
