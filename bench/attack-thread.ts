// Attacks a broker from a thread of its own, again and again in every way, so that the work of it is not counted among that of the broker.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import mqtt from 'mqtt'
import type { IClientOptions, MqttClient } from 'mqtt'
import { z } from 'zod'

const { url, own, victim } = z.object({ url: z.string(), own: z.array(z.object({ sn: z.string(), secret: z.string() })), victim: z.string() }).parse(workerData)
const [huge, many, patience_ms, flooders] = [Buffer.alloc(10 * 1024 * 1024), 10_000, 5000, 2]
const counts = { floods: 0, huge_packets: 0, wrong_secrets: 0, foreign_topics: 0 }
const over = new AbortController()

/** Comes, does harm where it is let in, and is gone. @returns whether the broker has ended it */
async function attack(options: IClientOptions, harm: (client: MqttClient) => void): Promise<boolean> {
  const client = mqtt.connect(url, { protocolVersion: 4, clean: true, reconnectPeriod: 0, ...options })
  client.on('error', () => undefined)
  client.once('connect', () => harm(client))
  const was_ended = await Promise.race([new Promise<true>(resolve => client.once('close', () => resolve(true))), sleep(patience_ms, false)])
  client.end(true)
  return was_ended
}

async function again(kind: keyof typeof counts, pause_ms: number, options: IClientOptions, harm: (client: MqttClient) => void): Promise<void> {
  while (!over.signal.aborted) {
    if (await attack(options, harm)) counts[kind] += 1
    await sleep(pause_ms)
  }
}

function shown(at: number): IClientOptions & { clientId: string } {
  const { sn = '', secret = '' } = own[at] ?? {}
  return { clientId: sn, username: sn, password: secret }
}

function flood(client: MqttClient): void {
  const topic = `jdev/${client.options.clientId}/up/state`
  for (let n = 0; n < many; n += 1) client.publish(topic, '{}', { qos: 0 })
}

parentPort?.once('message', () => over.abort())
await Promise.all([
  ...Array.from({ length: flooders }, (_, at) => again('floods', 200, shown(at), flood)),
  again('huge_packets', 200, shown(flooders), client => client.publish(`jdev/${client.options.clientId}/up/event`, huge, { qos: 1 })),
  again('foreign_topics', 50, shown(flooders + 1), client => {
    for (const topic of [`jdev/${victim}/up/event`, `jdev/${victim}/down/cmd`, '$SYS/x']) client.publish(topic, '{}', { qos: 1 })
    client.subscribe(['#', `jdev/+/up/#`, `jdev/${victim}/down/#`], { qos: 1 })
  }),
  again('wrong_secrets', 20, { clientId: victim, username: victim, password: 'wrong' }, () => undefined),
])
parentPort?.postMessage(counts)
