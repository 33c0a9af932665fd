import type { Server } from 'node:http'
import type { Boot } from '../http/index.ts'
import { Port, socket_path } from '../http/index.ts'
import { brokerPort, clientKindPort, openBroker, openTcp, serveWebSocket } from '../mqtt/index.ts'
import type { Broker } from '../mqtt/index.ts'
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

/** What the server does with its doors; `listen` opens the broker's own port and answers which it is. */
type RealtimeDoors = { listen(): Promise<number>; leave(): void; close(): Promise<void> }

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
  brokerPort.fill(app, broker)
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
  const tcp = openTcp(app, broker)
  const listen = () => tcp.listen({ host: app.config.CAMPUS_MQTT_HOST, port: app.config.CAMPUS_MQTT_PORT })
  const leave = () => {
    leaveWebSocket()
    tcp.leave()
  }
  const close = async () => {
    leave()
    hub.stop()
    polls.stop()
    browsers.stop()
    await broker.close()
    await stopListening()
  }
  return { listen, leave, close }
}

function brokerOf({ broker }: { broker?: Broker }): Broker {
  if (!broker) throw new Error('the broker is not open yet')
  return broker
}
