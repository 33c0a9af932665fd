import { randomUUID } from 'node:crypto'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'

/** A device that speaks our own protocol by hand: what it was told, and what it says. */
export type DeviceClient = {
  mqtt: MqttClient
  told: { topic: string; message: unknown }[]
  /** publishes below its own id with QoS 1; `re`: the message it answers */
  say(topic: string, type: string, body: Record<string, unknown>, re?: string): Promise<void>
  close(): Promise<void>
}

type Shown = { sn: string; secret: string; prefix?: string; username?: string; epoch?: string }

/** A bare connection to the broker's own port; it does not try again. @throws Error when the broker refuses it */
export async function connectDevice(port: number, { sn, secret, prefix = 'jdev', username = sn, epoch = randomUUID() }: Shown): Promise<DeviceClient> {
  const client = mqtt.connect(`mqtt://127.0.0.1:${port}`, { clientId: sn, username, password: secret, reconnectPeriod: 0, protocolVersion: 4, clean: true, will: { topic: `${prefix}/${sn}/up/bye`, payload: Buffer.from('{}'), qos: 1, retain: false } })
  client.on('error', () => undefined)
  const told: DeviceClient['told'] = []
  client.on('message', (topic, payload) => told.push({ topic, message: JSON.parse(payload.toString()) }))
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve())
    client.once('close', () => reject(new Error('the broker refused the connection')))
  })
  await client.subscribeAsync(`${prefix}/${sn}/down/#`, { qos: 1 })
  let seq = 0
  return {
    mqtt: client,
    told,
    async say(topic, type, body, re) {
      seq += 1
      await client.publishAsync(`${prefix}/${sn}/${topic}`, JSON.stringify({ v: 1, id: randomUUID(), seq, epoch, ts: new Date().toISOString(), type, body, re }), { qos: 1 })
    },
    close: () => client.endAsync(true),
  }
}
