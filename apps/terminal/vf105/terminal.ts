import { deviceFilters, ownPrefix } from '@kit/terminal-protocol/vf105'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'
import { real_clock } from '../clock.ts'
import { Vf105Device } from './device.ts'
import { Vf105Store } from './store.ts'

/** Time-out of every connection of ours (chapter 31 §1.1). */
const connect_timeout_ms = 400_000
const [keep_alive_s, reconnect_ms, second_ms] = [60, 5000, 1000]

export type Vf105Options = { url: string; sn: string; secret: string; prefix?: string; file?: string }

/** A virtual VF105 at a broker. */
export class Vf105Terminal {
  readonly device: Vf105Device
  readonly store: Vf105Store
  readonly #options: Required<Omit<Vf105Options, 'file'>>
  #client: MqttClient | undefined
  #beat: NodeJS.Timeout | undefined

  constructor({ file, prefix = 'jdev', ...options }: Vf105Options) {
    this.#options = { prefix, ...options }
    this.store = new Vf105Store(options.sn, file)
    this.device = new Vf105Device(options.sn, this.store, real_clock, { send: (topic, bytes) => void this.#client?.publish(topic, bytes, { qos: 1 }), drop: ms => this.#drop(ms) })
    const { mqtt: settings = {} } = this.store.config
    // Whoever stood before the device has entered these on its screen.
    if (settings.prefix === '') Object.assign(settings, { addr: options.url, username: options.sn, password: options.secret, prefix: ownPrefix(prefix, options.sn) })
  }

  get is_connected(): boolean {
    return this.device.is_connected
  }

  /** Connects; ready once all of its subscriptions are granted. */
  async start(): Promise<void> {
    this.#beat = setInterval(() => this.device.beat(), this.store.number('sys', 'heart_time') * second_ms).unref()
    await this.#connect()
  }

  /** Goes away without a word; what it holds stays. */
  async stop(): Promise<void> {
    clearInterval(this.#beat)
    this.store.save()
    const client = this.#client
    this.#client = undefined
    this.device.lost()
    await client?.endAsync(true)
  }

  async #connect(): Promise<void> {
    const { url, sn } = this.#options
    const { topic, payload } = this.device.will()
    const client = mqtt.connect(url, { clientId: sn, username: sn, password: this.store.text('mqtt', 'password'), protocolVersion: 4, clean: true, keepalive: keep_alive_s, connectTimeout: connect_timeout_ms, reconnectPeriod: reconnect_ms, will: { topic, payload, qos: 1, retain: false } })
    this.#client = client
    client.on('message', (at, bytes) => this.device.receive(at, bytes))
    client.on('error', () => undefined)
    client.on('close', () => this.device.lost())
    await new Promise<void>(resolve => {
      client.on('connect', () => void this.#subscribe(client).then(resolve, () => undefined))
    })
  }

  async #subscribe(client: MqttClient): Promise<void> {
    const granted = await client.subscribeAsync(deviceFilters(this.store.text('mqtt', 'prefix'), this.#options.sn), { qos: 1 })
    if (granted.every(({ qos }) => qos !== 128)) this.device.connected()
  }

  /** Leaves and comes again, after the answer is out. */
  #drop(ms: number): void {
    const client = this.#client
    if (!client) return
    this.device.lost()
    client.end(false, () => setTimeout(() => {
      if (this.#client === client) void this.#connect()
    }, ms).unref())
  }
}
