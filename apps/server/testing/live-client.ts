import { Frame, realtimeApi } from '@campus/identity/contract'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'
import { dataOf, send } from './request.ts'

/** A browser's connection: what it was told, and whether it still stands. */
export type LiveClient = {
  client_id: string
  token: string
  topic: string
  mqtt: MqttClient
  frames: Frame[]
  /** quality levels with which they came */
  qualities: number[]
  /** rows of one channel so far */
  rows(ch: string): Record<string, unknown>[]
  isOpen(): boolean
  close(): Promise<void>
}

/** Opens a connection as the console does: ticket, WebSocket, subscription, channels. */
export async function openLive(url: string, session_token: string, channels: readonly string[] = []): Promise<LiveClient> {
  const { client_id, token, topic } = dataOf(realtimeApi.ticket, await send(url, realtimeApi.ticket, {}, { token: session_token }))
  const client = connectBroker(url, client_id, token)
  const frames: Frame[] = []
  const qualities: number[] = []
  client.on('message', (_topic, payload, { qos }) => {
    qualities.push(qos)
    frames.push(Frame.parse(JSON.parse(payload.toString())))
  })
  await new Promise((resolve, reject) => {
    client.once('connect', resolve)
    client.once('close', () => reject(new Error('the broker refused the connection')))
    client.once('error', reject)
  })
  await client.subscribeAsync(`${topic}/down/#`, { qos: 1 })
  if (channels.length > 0) {
    const answer = await send(url, realtimeApi.watch, { client_id, channels }, { token: session_token })
    if (answer.status !== 200) throw new Error(`watch answered ${answer.status}`)
  }
  return {
    client_id, token, topic, frames, qualities,
    mqtt: client,
    rows: ch => frames.filter(frame => frame.ch === ch).flatMap(frame => frame.rows),
    isOpen: () => client.connected,
    close: () => client.endAsync(true),
  }
}

/** A bare connection to the broker with these credentials; it does not try again. */
export function connectBroker(url: string, client_id: string, password: string): MqttClient {
  const client = mqtt.connect(`${url.replace('http', 'ws')}/mqtt`, { clientId: client_id, username: client_id, password, reconnectPeriod: 0, protocolVersion: 4, clean: true })
  client.on('error', () => undefined)
  return client
}
