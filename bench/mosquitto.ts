import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import mqtt from 'mqtt'

const program = '/usr/sbin/mosquitto'
const topic = 'bench/up/event'
const attempts = 50
const wait_ms = 100

/** Messages a second that a bare mosquitto on this machine passes on: so many clients, each saying so many at QoS 1, to a subscriber that acknowledges every one. @throws Error when Debian's package mosquitto is missing */
export async function mosquittoRate(clients: number, each: number, payload: Buffer): Promise<number> {
  if (!existsSync(program)) throw new Error('mosquitto is missing: install the package mosquitto')
  const port = await freePort()
  // It drops what a subscriber is behind with beyond a thousand messages, unless it is told otherwise.
  const settings = join(mkdtempSync(join(tmpdir(), 'campus-mosquitto-')), 'mosquitto.conf')
  writeFileSync(settings, `listener ${port} 127.0.0.1\nallow_anonymous true\nmax_queued_messages 0\nmax_inflight_messages 0\n`)
  const broker = spawn(program, ['-c', settings], { stdio: 'ignore' })
  try {
    const lanes = await Promise.all(Array.from({ length: clients }, (_, at) => connect(port, `lane-${at}`)))
    const hearer = await connect(port, 'hearer')
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
    broker.kill()
    await once(broker, 'exit')
    rmSync(dirname(settings), { recursive: true, force: true })
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
