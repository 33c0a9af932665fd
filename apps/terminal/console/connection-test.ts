import { lookup } from 'node:dns/promises'
import { connect as connectTcp } from 'node:net'
import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { brokerParts, connection_steps } from '@kit/terminal-protocol/console'
import type { ConnectionStep, ConnectionTest, SettingValues } from '@kit/terminal-protocol/console'
import mqtt from 'mqtt'
import { z } from 'zod'
import type { JdevTerminal } from '../jdev/terminal.ts'

/** Time-out of every connection of ours (chapter 31 §1.1); a step of the test gives up long before. */
const connect_timeout_ms = 400_000
const step_ms = 8000
const Wanted = z.object({ addr: z.string(), username: z.string(), secret: z.string(), prefix: z.string() })
type Step = ConnectionStep['name']
type Work = () => Promise<string>

/** Tries to reach a broker step by step; after a step that fails the others are left out. The terminal is off its own line meanwhile: an id has one session. */
export async function testConnection(terminal: JdevTerminal, values: SettingValues): Promise<ConnectionTest> {
  const { addr, username, secret, prefix } = Wanted.parse(values)
  const parts = brokerParts(addr) ?? { host: '', port: 0, tls: false }
  const client_id = terminal.sn
  let client: mqtt.MqttClient | undefined
  const works: Record<Step, Work | undefined> = {
    dns: async () => (await lookup(parts.host)).address,
    tcp: () => opened(connectTcp({ host: parts.host, port: parts.port }), 'connect'),
    tls: parts.tls ? () => opened(connectTls({ host: parts.host, port: parts.port, servername: parts.host }), 'secureConnect') : undefined,
    connect: () => {
      client = mqtt.connect(addr, { clientId: client_id, username: username || client_id, password: secret, protocolVersion: 4, clean: true, connectTimeout: connect_timeout_ms, reconnectPeriod: 0 })
      return accepted(client)
    },
    subscribe: async () => {
      const topic = `${prefix}/${client_id}/down/#`
      await client?.subscribeAsync(topic, { qos: 1 })
      return topic
    },
  }
  await terminal.stop()
  try {
    return { steps: await walk(works) }
  } finally {
    await client?.endAsync(true)
    void terminal.start()
  }
}

async function walk(works: Record<Step, Work | undefined>): Promise<ConnectionStep[]> {
  const steps: ConnectionStep[] = []
  for (const name of connection_steps) {
    const work = steps.some(step => step.state === 'failed') ? undefined : works[name]
    steps.push(work ? await take(name, work) : { name, state: 'skipped', ms: 0, detail: '' })
  }
  return steps
}

async function take(name: Step, work: Work): Promise<ConnectionStep> {
  const begun = performance.now()
  const ms = () => Math.round(performance.now() - begun)
  try {
    return { name, state: 'ok', detail: await Promise.race([work(), late()]), ms: ms() }
  } catch (error) {
    return { name, state: 'failed', detail: codeOf(error), ms: ms() }
  }
}

function late(): Promise<never> {
  return new Promise((_resolve, reject) => void setTimeout(() => reject(new Error('ETIMEDOUT')), step_ms).unref())
}

function opened(socket: Socket, event: 'connect' | 'secureConnect'): Promise<string> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once(event, () => {
      resolve(socket.remoteAddress ?? '')
      socket.destroy()
    })
  })
}

function accepted(client: mqtt.MqttClient): Promise<string> {
  return new Promise((resolve, reject) => {
    client.once('connect', () => resolve(''))
    client.once('error', reject)
    client.once('close', () => reject(new Error('ECONNRESET')))
  })
}

/** What went wrong, as whoever runs the network knows it: the code of the system, of TLS or of the broker. */
function codeOf(error: unknown): string {
  const { code, message } = z.object({ code: z.union([z.string(), z.number()]).optional(), message: z.string().optional() }).catch({}).parse(error instanceof Error ? { ...error, message: error.message } : error)
  return typeof code === 'number' ? `CONNACK ${code}` : (code ?? message ?? '')
}
