import mqtt from 'mqtt'
import { prepareMosquitto } from '@apps/server/testing'

const topic = 'bench/up/event'

/** Messages a second that a bare mosquitto on this machine passes on: so many clients, each saying so many at QoS 1, to a subscriber that acknowledges every one. @throws Error when Debian's package mosquitto is missing */
export async function mosquittoRate(clients: number, each: number, payload: Buffer): Promise<number> {
  // It drops what a subscriber is behind with beyond a thousand messages, unless it is told otherwise.
  const broker = await prepareMosquitto(({ port }) => `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 0\n`)
  const connect = (clientId: string) => mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId, reconnectPeriod: 0 })
  try {
    await broker.start()
    const lanes = await Promise.all(Array.from({ length: clients }, (_, at) => connect(`lane-${at}`)))
    const hearer = await connect('hearer')
    const all_heard = new Promise<void>(resolve => {
      let heard = 0
      hearer.on('message', () => {
        heard += 1
        if (heard === clients * each) resolve()
      })
    })
    await hearer.subscribeAsync(topic, { qos: 1 })
    const begun = performance.now()
    await Promise.all([all_heard, ...lanes.map(lane => Promise.all(Array.from({ length: each }, () => lane.publishAsync(topic, payload, { qos: 1 }))))])
    const rate = (clients * each * 1000) / (performance.now() - begun)
    await Promise.all([hearer, ...lanes].map(lane => lane.endAsync(true)))
    return rate
  } finally {
    await broker.remove()
  }
}
