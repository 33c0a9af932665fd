import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import mqtt from 'mqtt'

const program = '/usr/sbin/mosquitto'
const attempts = 50
const wait_ms = 100

/** Acknowledged messages a second of a bare mosquitto on this machine: so many clients, each saying so many messages at QoS 1. @throws Error when Debian's package mosquitto is missing */
export async function mosquittoRate(clients: number, each: number, payload: Buffer): Promise<number> {
  if (!existsSync(program)) throw new Error('mosquitto is missing: install the package mosquitto')
  const port = await freePort()
  const broker = spawn(program, ['-p', String(port)], { stdio: 'ignore' })
  try {
    const lanes = await Promise.all(Array.from({ length: clients }, (_, at) => connect(port, `lane-${at}`)))
    const begun = performance.now()
    await Promise.all(lanes.map(lane => Promise.all(Array.from({ length: each }, () => lane.publishAsync('bench/up/event', payload, { qos: 1 })))))
    const rate = (clients * each * 1000) / (performance.now() - begun)
    await Promise.all(lanes.map(lane => lane.endAsync(true)))
    return rate
  } finally {
    broker.kill()
    await once(broker, 'exit')
  }
}

async function connect(port: number, clientId: string): Promise<mqtt.MqttClient> {
  for (let at = 0; at < attempts; at += 1) {
    const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, { clientId, reconnectPeriod: 0 }).catch(() => null)
    if (client) return client
    await new Promise(resolve => setTimeout(resolve, wait_ms))
  }
  throw new Error('mosquitto did not answer')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
