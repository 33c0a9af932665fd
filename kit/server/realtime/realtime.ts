import type { Server } from 'node:http'
import type { Boot } from '../http/index.ts'
import { Port, socket_path } from '../http/index.ts'
import { brokerPort, clientKindPort, openBroker, openDeviceDoors, openOutside, outsidePort, serveWebSocket } from '../mqtt/index.ts'
import type { Broker, Outside } from '../mqtt/index.ts'
import { browserKind } from './browser-kind.ts'
import { openHub } from './hub.ts'
import { notice_channel, readNotice } from './notice.ts'
import { openPolls } from './poll.ts'
import type { Polls } from './poll.ts'

/** What calls may use of it. */
export type Realtime = {
  /** path of the WebSocket on the HTTP port */
  path: string
  /** begins every topic */
  prefix: string
  poll: Polls['poll']
}

/** Filled when the server is opened. */
export const realtimePort = new Port<Realtime>('realtime')

/** What the server does with its doors; `listen` opens those of devices and answers their addresses. */
type RealtimeDoors = { listen(): Promise<string[]>; leave(): void; close(): Promise<void> }

/**
 * Opens broker, hub and polls of this node on its HTTP server, and listens to what the others tell. `leave` takes no more connections and ends
 * those there are; `close` ends the rest.
 */
export async function openRealtime(boot: Boot, http: Server): Promise<RealtimeDoors> {
  const { app, database } = boot
  const hub = openHub(boot, app.channels)
  const holder: { broker?: Broker } = {}
  const browsers = browserKind(app, hub, () => brokerOf(holder))
  clientKindPort.fill(app, browsers.kind)
  const broker = await openBroker(app)
  holder.broker = broker
  const outside = app.config.CAMPUS_MQTT_URL === '' ? undefined : openOutside(boot, broker.prefix)
  if (outside) outsidePort.fill(app, outside)
  brokerPort.fill(app, outside ? withOutside(broker, outside) : broker)
  const polls = openPolls(hub)
  realtimePort.fill(app, { path: socket_path, prefix: broker.prefix, poll: polls.poll })
  const stopListening = await database.listen(notice_channel, {
    heard: payload => {
      const notice = readNotice(payload)
      if (notice) hub.heard(notice)
    },
    missed: () => hub.missed(),
  })
  const leaveWebSocket = serveWebSocket(app, http, broker)
  const doors = openDeviceDoors(app, broker)
  const leave = () => {
    leaveWebSocket()
    doors.leave()
  }
  const close = async () => {
    leave()
    hub.stop()
    polls.stop()
    browsers.stop()
    await outside?.close()
    await broker.close()
    await stopListening()
  }
  return { listen: doors.listen, leave, close }
}

/** One broker to whoever speaks with clients, whichever of the two they are at. */
function withOutside(own: Broker, outside: Outside): Broker {
  const at = (client_id: string) => (outside.owns(client_id) ? outside : own)
  return {
    ...own,
    send: (client_id, topic, payload) => at(client_id).send(client_id, topic, payload),
    unacknowledged: client_id => at(client_id).unacknowledged(client_id),
    kick: client_id => at(client_id).kick(client_id),
  }
}

function brokerOf({ broker }: { broker?: Broker }): Broker {
  if (!broker) throw new Error('the broker is not open yet')
  return broker
}
