import type { ClientKind, Credentials, Ended } from '@kit/server/mqtt'
import { hearDevice, listen } from './hear.ts'
import { judge } from './judge.ts'
import { dropInFlight } from '../sync/sender.ts'
import { openSession } from './open-session.ts'
import { outsideWays } from './outside.ts'
import { confirmLine, takeOffline, writeLink } from './link.write.ts'
import type { OfflineReason } from './link.write.ts'
import type { Session, Sessions } from './sessions.ts'
import { tellTaken } from '../notice.ts'

const mib = 1_048_576
const id_shape = /^[A-Za-z0-9_-]{1,64}$/
const browser_shape = /^w-\d{1,10}-[A-Za-z0-9_-]{22}$/

const reasons: Record<Ended, OfflineReason> = { left: 'will', kicked: 'kick', closing: 'broker' }

/** The devices among the broker's clients: each speaks and hears below its own id alone (chapter 31 §1). */
export function deviceKind(sessions: Sessions): ClientKind {
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
    admit: shown => admit(sessions, shown),
    subscribed(client_id) {
      const session = sessions.of(client_id)
      if (session) void sessions.queue(client_id, () => listen(sessions, session))
    },
    heard: (client_id, topic, payload) => {
      const session = sessions.of(client_id)
      return session ? sessions.queue(client_id, () => hearDevice(sessions, session, topic, payload)) : Promise.resolve()
    },
    gone(client_id, ended) {
      const session = sessions.close(client_id)
      if (session) void sessions.queue(client_id, () => leave(sessions, session, reasons[ended]))
    },
    outside: outsideWays(sessions),
  }
}

async function admit(sessions: Sessions, shown: Credentials): Promise<boolean> {
  const known = await judge(sessions, shown)
  if (!known) return false
  const { client_id, address } = shown
  const before = openSession(sessions, { client_id, school_id: known.school_id, address }, known.device)
  await sessions.tenant(known.school_id, db => tellTaken({ db, school_id: known.school_id }, client_id, sessions.node))
  if (before?.device) void sessions.queue(client_id, () => writeTurn(sessions, before, 'kicked', { client_ip: before.address }))
  return true
}

/** A device is gone from this node, unless it is here again already. */
async function leave(sessions: Sessions, session: Session, reason: OfflineReason): Promise<void> {
  await dropInFlight(sessions, session)
  if (session.device) sessions.paces.forget({ school_id: session.school_id, device_id: session.device.device_id })
  if (!session.device || session.epoch === null || sessions.of(session.client_id)) return
  // Nobody knows yet whether it is gone when the broker is.
  await sessions.inLine(session, line => (reason === 'broker' ? confirmLine(line) : takeOffline(line, reason)))
}

function writeTurn(sessions: Sessions, session: Session, kind: 'kicked', more: { client_ip: string }): Promise<void> {
  return sessions.inLine(session, line => writeLink(line, kind, more))
}
