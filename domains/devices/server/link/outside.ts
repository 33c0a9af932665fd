import { randomUUID } from 'node:crypto'
import { downTopic, encodeMessage, upTopic } from '@kit/terminal-protocol'
import { eventTopic, ownPrefix, vf105Driver } from '@kit/terminal-protocol/vf105'
import { brokerPort } from '@kit/server/mqtt'
import type { OutsideWays } from '@kit/server/mqtt'
import { beginOutage, endOutage } from './outage.ts'
import { readDriver } from './admission.ts'
import { openSession } from './open-session.ts'
import type { Sessions } from './sessions.ts'

const server_epoch = randomUUID()

/** Devices at an outside broker: it has asked for their secrets, we hear what they say and learn of their end by their last will (chapter 31 §1.6). */
export function outsideWays(sessions: Sessions): OutsideWays {
  return {
    filters: ['up/#', 'access_device/v2/event/+', 'access_device/v2/cmd/+'],
    arrive: client_id => arrive(sessions, client_id),
    isWill: (prefix, client_id, topic) => topic === upTopic(prefix, client_id, 'bye') || topic === eventTopic(ownPrefix(prefix, client_id), 'offline'),
    async up() {
      endOutage(sessions)
      await askEverybody(sessions)
    },
    down: () => beginOutage(sessions),
  }
}

/** Whoever was let in by a secret that has been taken back since is nobody here. */
async function arrive(sessions: Sessions, client_id: string): Promise<boolean> {
  const known = await sessions.tenant(0, db => db.selectFrom('device_client').select(['school_id', 'device_id', 'is_temporary']).where('client_id', '=', client_id).where('revoked_at', 'is', null).executeTakeFirst())
  if (!known) return false
  const { school_id, device_id, is_temporary } = known
  const lives = await sessions.tenant(school_id, db => readDriver(db, school_id, device_id))
  if (!lives) return false
  openSession(sessions, { client_id, school_id, address: '' }, { device_id, driver: lives.driver, is_temporary })
  return true
}

/** Devices that are connected have nothing to say because we have come: each is asked, and says who it is. */
async function askEverybody(sessions: Sessions): Promise<void> {
  const schools = await sessions.tenant(0, db => db.selectFrom('device_client').select('school_id').distinct().where('revoked_at', 'is', null).execute())
  for (const { school_id } of schools) {
    const rows = await sessions.tenant(school_id, db =>
      db.selectFrom('device as d').innerJoin('device_client as c', join => join.onRef('c.school_id', '=', 'd.school_id').onRef('c.device_id', '=', 'd.device_id')).innerJoin('device_model as m', 'm.model_code', 'd.model_code')
        .select(['c.client_id', 'm.driver']).where('d.school_id', '=', school_id).where('d.lifecycle', '<>', 'retired').where('c.revoked_at', 'is', null).execute())
    for (const { client_id, driver } of rows) ask(sessions, client_id, driver)
  }
}

function ask({ app }: Sessions, client_id: string, driver: string): void {
  const broker = brokerPort.one(app)
  const stamp = { id: randomUUID(), seq: 0, epoch: server_epoch, at: app.clock.now().toISOString(), prefix: broker.prefix, client_id }
  if (driver === 'jdev') return broker.send(client_id, downTopic(broker.prefix, client_id, 'ack'), encodeMessage({ id: stamp.id, seq: 0, epoch: server_epoch, ts: stamp.at }, 'reply', { code: 'hello' }))
  if (driver !== 'vf105') return
  // What it runs on, and none of its passwords.
  const { topic, bytes } = vf105Driver.encode({ action: 'getConfig', data: ['sys'], rows: [], is_read: true, stamp })
  broker.send(client_id, topic, Buffer.from(bytes))
}
