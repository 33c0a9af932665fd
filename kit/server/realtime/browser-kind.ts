import { channelKind } from '@kit/contract'
import { z } from 'zod'
import type { App } from '../http/index.ts'
import type { Broker, ClientKind } from '../mqtt/index.ts'
import type { Hub } from './hub.ts'
import { watcherPort } from './watchers.ts'
import type { Admitted } from './watchers.ts'

const kib = 1024
const look_ms = 5000
/** Frames under way that a browser has not acknowledged; more wait. */
const most_unacknowledged = 20
const id_shape = /^w-\d{1,10}-[A-Za-z0-9_-]{22}$/
const Renewal = z.object({ token: z.string().max(4 * kib) })

/** The browsers among the broker's clients (chapter 31 §1.4, §2): they hear their own topics and renew their ticket, no more. */
export function browserKind(app: App, hub: Hub, broker: () => Broker): { kind: ClientKind; stop(): void } {
  const admitted = new Map<string, Admitted>()
  const join = (client_id: string) => {
    const session = admitted.get(client_id)
    if (!session) return
    const { prefix, send, unacknowledged, kick } = broker()
    void hub
      .join(client_id, client_id, session, {
        isReady: () => unacknowledged(client_id) < most_unacknowledged,
        send: frame => send(client_id, `${prefix}/${client_id}/down/${channelKind(frame.ch)}`, JSON.stringify(frame)),
        end: () => kick(client_id),
      })
      .catch(() => kick(client_id))
  }
  const expiring = setInterval(() => {
    for (const [client_id, { until }] of admitted) if (until <= app.clock.now().getTime()) broker().kick(client_id)
  }, look_ms).unref()
  const kind: ClientKind = {
    kind: 'browser',
    owns: client_id => id_shape.test(client_id),
    transports: ['ws'],
    bound: { packet_bytes: 64 * kib, per_second: 5, burst: 20 },
    may_will: false,
    grants: (prefix, client_id) => ({ publish: [`${prefix}/${client_id}/up/auth`], subscribe: [`${prefix}/${client_id}/down/#`] }),
    async admit({ client_id, username, password }) {
      const session = username === client_id ? await watcherPort.one(app).admit(client_id, password) : null
      if (!session) return false
      // An older connection of the same id is taken over: this one is told only what it asks for itself.
      hub.leave(client_id)
      admitted.set(client_id, session)
      return true
    },
    subscribed: join,
    async heard(client_id, _topic, payload) {
      const known = admitted.get(client_id)
      const renewed = await watcherPort.one(app).admit(client_id, readToken(payload))
      if (!known || renewed?.session_id !== known.session_id) return broker().kick(client_id)
      admitted.set(client_id, renewed)
    },
    gone(client_id) {
      admitted.delete(client_id)
      hub.leave(client_id)
    },
  }
  return { kind, stop: () => clearInterval(expiring) }
}

function readToken(payload: Buffer): string {
  try {
    return Renewal.safeParse(JSON.parse(payload.toString())).data?.token ?? ''
  } catch {
    return ''
  }
}
