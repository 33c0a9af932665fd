import mqtt from 'mqtt'
import { prepareMosquitto } from '@apps/server/testing'

/** Acknowledged messages a second of a bare mosquitto on this machine: so many clients, each saying so many messages at QoS 1. @throws Error when Debian's package mosquitto is missing */
export async function mosquittoRate(clients: number, each: number, payload: Buffer): Promise<number> {
  const broker = await prepareMosquitto(({ port }) => `listener ${port} 127.0.0.1\nallow_anonymous true\n`)
  try {
    await broker.start()
    const lanes = await Promise.all(Array.from({ length: clients }, (_, at) => mqtt.connectAsync(`mqtt://127.0.0.1:${broker.port}`, { clientId: `lane-${at}`, reconnectPeriod: 0 })))
    const begun = performance.now()
    await Promise.all(lanes.map(lane => Promise.all(Array.from({ length: each }, () => lane.publishAsync('bench/up/event', payload, { qos: 1 })))))
    const rate = (clients * each * 1000) / (performance.now() - begun)
    await Promise.all(lanes.map(lane => lane.endAsync(true)))
    return rate
  } finally {
    await broker.remove()
  }
}
