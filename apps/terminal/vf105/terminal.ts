import { deviceFilters, ownPrefix } from '@kit/terminal-protocol/vf105'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'
import { real_clock } from '../clock.ts'
import { fetchPackage } from '../package.ts'
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
  #addr: string

  constructor({ file, prefix = 'jdev', ...options }: Vf105Options) {
    this.#options = { prefix, ...options }
    this.#addr = options.url
    this.store = new Vf105Store(options.sn, file)
    this.device = new Vf105Device(options.sn, this.store, real_clock, { send: (topic, bytes) => void this.#client?.publish(topic, bytes, { qos: 1 }), drop: ms => this.#drop(ms), fetch: (url, md5) => fetchPackage(url, { md5 }) })
    const { mqtt: settings = {} } = this.store.config
    // Whoever starts the device has entered these on its screen; what it was told since then stays until he enters another secret.
    if (this.store.entered !== options.secret) Object.assign(settings, { username: options.sn, password: options.secret })
    this.store.entered = options.secret
    Object.assign(settings, { addr: options.url })
    if (settings.prefix === '') settings.prefix = ownPrefix(prefix, options.sn)
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
    const { sn } = this.#options
    const { topic, payload } = this.device.will()
    const client = mqtt.connect(this.#addr, { clientId: sn, username: this.store.text('mqtt', 'username'), password: this.store.text('mqtt', 'password'), protocolVersion: 4, clean: true, keepalive: keep_alive_s, connectTimeout: connect_timeout_ms, reconnectPeriod: reconnect_ms, will: { topic, payload, qos: 1, retain: false } })
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
    const told = this.store.text('mqtt', 'addr')
    if (told !== '') this.#addr = told
    client.end(false, () => setTimeout(() => {
      if (this.#client === client) void this.#connect()
    }, ms).unref())
  }
}
