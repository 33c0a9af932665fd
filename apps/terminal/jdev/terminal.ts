import { randomUUID } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { CloseRuleBody, encodeMessage, isOffAt, readEnvelope, upTopic } from '@kit/terminal-protocol'
import type { CredentialBody, DownRow, UploadAsked } from '@kit/terminal-protocol'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'
import { answerSync, applyRow } from './answer.ts'
import { boardOf } from './board/player.ts'
import type { BoardPlayer } from './board/player.ts'
import type { ChildCamera } from './camera.ts'
import { Commands } from './commands.ts'
import { DoorMode } from './door-mode.ts'
import { Again, Asked, Rows } from './down.ts'
import { below, usual_vitals } from './options.ts'
import type { Faults, Happenings, Line, Passed, Refused, TerminalOptions } from './options.ts'
import { brokerOf, buildOf, numberOf, takeSecret } from './own-settings.ts'
import { fetchRows } from './picture.ts'
import { goBackTo, lineOf } from './settings.ts'
import { bringShot } from './shot.ts'
import { TerminalStore } from './store.ts'
import { takePackage } from './upgrade.ts'
import { Uploads } from './uploads.ts'
import { verify } from './verify.ts'

/** Time-out of every connection of ours (chapter 31 §1.1). */
const connect_timeout_ms = 400_000
const [passed, second_ms, reconnect_ms, power_ms, fallback_after_ms] = [1, 1000, 1000, 30_000, 60_000]

/** One virtual terminal of our own protocol. */
export class JdevTerminal {
  readonly store: TerminalStore
  /** what it was told to do */
  readonly commands = new Commands()
  readonly faults: Faults = { drop_replies: 0, refuse: new Map(), clock_offset_ms: 0, silent: false, refuse_reads: false, on_battery: false, line_bytes_s: 0 }
  /** what came down, oldest first: type and rows */
  readonly trace: { type: string; rows: readonly DownRow[] }[] = []
  readonly board: BoardPlayer | null
  readonly events = new EventEmitter<Happenings>()
  readonly #options: Required<Omit<TerminalOptions, 'file' | 'children'>>
  /** why this hardware cannot do what a row says; undefined: it can */
  readonly refusalOf: (row: DownRow) => Refused | undefined = () => undefined
  /** what it says of itself with every word of how it is */
  readonly shape: () => Record<string, unknown> = () => below(this.children)
  /** the cameras below it */
  children: readonly ChildCamera[]
  #client: MqttClient | undefined
  #line: Line | undefined
  #seq = 0
  #beating: NodeJS.Timeout | undefined
  #powering: NodeJS.Timeout | undefined
  #falling_back: NodeJS.Timeout | undefined
  /** its rule has switched it off; it comes back by itself */
  is_off = false
  /** how far its clock is behind the server's, since the server's hello */
  #behind_ms = 0
  /** what its door senses */
  door = { open: false, fire: false, tamper: false }
  /** what its door was told from afar */
  readonly mode = new DoorMode()
  readonly #uploads: Uploads

  constructor({ file, model = 'JD-F10', prefix = 'jdev', children = [], http = '', vitals = usual_vitals, fallback_ms = fallback_after_ms, ...options }: TerminalOptions) {
    this.children = children
    this.#options = { model, prefix, http, vitals, fallback_ms, ...options }
    this.store = new TerminalStore(file)
    this.#uploads = new Uploads(this.store, items => this.#say('event', 'event', { items }))
    this.board = boardOf(model, { store: this.store, http, now: () => this.now, say: facts => this.tell('board', facts), changed: () => this.beat() })
  }

  get sn(): string {
    return this.#options.sn
  }

  /** What it is, and which programs it runs. */
  get build() {
    return buildOf(this.store, this.#options.model)
  }

  /** Which broker it goes to, by its settings, else as it was started. */
  get broker() {
    return brokerOf(this.store, this.#options)
  }

  /** A group of its settings has changed. */
  readonly changed = (group: string): void => void this.events.emit('settings', group)

  /** How far its clock is ahead of the server's, in milliseconds; 0 while it has heard nothing. */
  get skew_ms(): number {
    return this.#behind_ms === 0 ? 0 : -this.#behind_ms
  }

  get now(): Date {
    return new Date(this.#now())
  }

  get is_relay_open(): boolean {
    return this.mode.isOpen(this.now)
  }

  get is_connected(): boolean {
    return this.#client?.connected ?? this.#line !== undefined
  }

  /** Connects and says hello, now and after every break of the line. */
  async start(): Promise<void> {
    const { sn } = this.#options
    const { url, username, secret, prefix } = this.broker
    const will = { topic: upTopic(prefix, sn, 'bye'), payload: Buffer.from('{}'), qos: 1, retain: false } as const
    const client = mqtt.connect(url, { clientId: sn, username, password: secret, protocolVersion: 4, clean: true, keepalive: numberOf(this.store, 'mqtt.keepAlive'), connectTimeout: connect_timeout_ms, reconnectPeriod: reconnect_ms, will })
    this.#client = client
    this.is_off = false
    this.#powering ??= setInterval(() => void this.followPower(), power_ms).unref()
    this.#beating ??= setInterval(() => this.#pulse(), numberOf(this.store, 'mqtt.heartbeat') * second_ms).unref()
    client.on('message', (topic, payload) => this.receive(topic, payload))
    client.on('error', () => undefined)
    client.on('connect', () => void this.#greet(client).catch(() => undefined))
    await new Promise<void>(resolve => client.once('connect', () => resolve()))
  }

  /** Goes away without a word, as when the power fails; what it holds stays. */
  async stop(): Promise<void> {
    clearTimeout(this.#falling_back)
    clearInterval(this.#powering)
    this.#powering = undefined
    await this.#goDark()
  }

  /** Leaves the broker and goes to the one that its settings name now. */
  async reconnect(): Promise<void> {
    await this.stop()
    void this.start()
  }

  /** Another power-up: what it holds stays, or is lost as well. */
  async restart(what: 'restart' | 'wipe' = 'restart'): Promise<void> {
    this.store[what]()
    this.events.emit('restart')
    await this.reconnect()
  }

  /** Runs another program from its next power-up on, which is now. */
  async upgrade(kind: 'jbn' | 'jap', version: string): Promise<void> {
    this.store.set('hardware', { [kind === 'jbn' ? 'firmware' : 'app_version']: version })
    await this.restart()
  }

  /** Lets people in for as long as its settings say. */
  openRelay(): void {
    this.mode.openFor(numberOf(this.store, 'access.relayTime') * second_ms)
  }

  /** Goes off and on by its rule, by its own clock. */
  async followPower(): Promise<void> {
    const rule = CloseRuleBody.safeParse(this.store.held('rule').get('close')?.body).data
    const is_to_be_off = rule !== undefined && isOffAt(rule, this.now)
    if (is_to_be_off === this.is_off) return
    this.is_off = is_to_be_off
    if (is_to_be_off) await this.#goDark()
    else await this.start()
  }

  async #goDark(): Promise<void> {
    this.store.save()
    clearInterval(this.#beating)
    this.#beating = undefined
    await this.#client?.endAsync(true)
    this.#client = undefined
    this.#line = undefined
  }

  /** Is on a line that is there already, and says hello; none: the line is gone. */
  attach(line: Line | undefined): void {
    this.#line = line
    if (line) this.#hello()
  }

  /** Somebody shows what he is known by: his rights and the door's rule decide. */
  present(kind: CredentialBody['kind'], code: string): Passed {
    const pass = verify(this.store, { kind, code }, { at: this.now, is_fire: this.door.fire, mode: this.mode.at(this.now) })
    if (pass.result === passed) this.openRelay()
    this.pass(pass)
    this.events.emit('shown', kind, code, pass)
    return pass
  }

  pass(facts: Record<string, unknown>): void {
    this.tell('pass', facts)
  }

  /** Something has happened: a card was read, an alarm began or ended, the vehicle moved. */
  tell(type: 'pass' | 'card' | 'alarm' | 'position' | 'warn' | 'image' | 'board' | 'playstat', facts: Record<string, unknown>, at = this.#now()): void {
    this.store.record(type, facts, at)
    if (this.is_connected) this.#uploads.go()
  }

  /** Pictures are asked for; a terminal has none. */
  protected asked(_uploads: readonly UploadAsked[]): void {}

  /** Says how it is. */
  beat(): void {
    if (this.is_connected) this.#say('state', 'state', { counts: this.store.counts, ...this.#options.vitals(), door: this.door, ...this.shape(), ...(this.board ? { board: this.board.state() } : {}) })
  }

  #pulse(): void {
    this.beat()
    this.#uploads.beat()
  }

  async #greet(client: MqttClient): Promise<void> {
    await client.subscribeAsync(`${this.broker.prefix}/${this.sn}/down/#`, { qos: 1 })
    this.attach({ send: (topic, bytes) => void client.publish(topic, bytes, { qos: 1 }) })
  }

  #hello(): void {
    this.#say('hello', 'hello', { sn: this.sn, ...this.build, store_id: this.store.store_id, last_down_seq: 0, counts: this.store.counts, tz: 'Asia/Shanghai', ...this.shape() })
    this.board?.wake()
    this.beat()
    this.#uploads.begin()
  }

  /** A message came. */
  receive(topic: string, payload: Uint8Array): void {
    const read = readEnvelope(payload)
    if ('bad' in read) return
    const { type, body, id, ts } = read.envelope
    this.events.emit('message', 'down', type, body)
    if (topic.endsWith('/hello')) this.#greeted(ts)
    const uploads = Asked.safeParse(body).data?.uploads
    if (uploads) this.asked(uploads)
    if (topic.endsWith('/ack')) return Again.safeParse(body).success ? this.#hello() : this.#uploads.acknowledged(body)
    if (topic.endsWith('/cmd')) return this.#command(id, body)
    if (!topic.endsWith('/sync') || this.faults.silent) return
    this.trace.push({ type, rows: Rows.safeParse(body).data?.rows ?? [] })
    const [line, { url }, rows] = [lineOf(this.store, this.broker), this.broker, this.trace.at(-1)?.rows ?? []]
    if (rows.some(row => row.blob && row.k !== 'content')) void fetchRows(rows, this.#options.http, row => applyRow(this, row)).then(results => this.#reply({ results }, id))
    else this.#reply(answerSync(this, type, body), id)
    if (lineOf(this.store, this.broker) !== line) void this.#connectAnew(url)
  }

  #greeted(at: string): void {
    clearTimeout(this.#falling_back)
    this.#behind_ms = Date.parse(at) - Date.parse(this.#now())
  }

  /** Its network or its broker are others: it leaves, when what it has answered is out, and goes back to the broker before when nobody greets it at the new one. */
  async #connectAnew(before: string): Promise<void> {
    if (!this.#client) return
    await this.#client.endAsync(false)
    void this.reconnect()
    this.#falling_back = setTimeout(() => {
      goBackTo(this.store, before)
      void this.reconnect()
    }, this.#options.fallback_ms).unref()
  }

  #reply(answer: Record<string, unknown>, id: string): void {
    if (this.faults.drop_replies > 0) this.faults.drop_replies -= 1
    else this.#say('reply', 'reply', answer, id)
  }

  /** Does what it is told, each command once, and says so; whoever turns it off and on again finds it with another power-up. */
  #command(id: string, body: unknown): void {
    const { reply, is_new, name, args } = this.commands.take(id, body, new Date(Date.parse(this.#now()) + this.#behind_ms))
    if (is_new && name === 'upgrade') return void this.#upgrade(id, args)
    if (is_new && name === 'screenshot' && this.board) return void this.board.bring(args).then(is_taken => this.#reply(is_taken ? reply : { code: 'failed', text: '截图没有传到平台' }, id))
    const is_secret = is_new && name === 'config' && takeSecret(this.store, args)
    this.#reply(is_new && name === 'config' && !is_secret && this.board?.set(args) !== true ? { code: 'unsupported' } : reply, id)
    if (is_secret) return void this.#client?.endAsync(false).then(() => this.reconnect())
    if (!is_new) return
    if (name === 'time') [this.faults.clock_offset_ms, this.#behind_ms] = [0, 0]
    if (name === 'capture') void bringShot(this.#options.http, this.children, args, new Date(this.#now())).catch(() => undefined)
    if (name === 'open') this.openRelay()
    else this.mode.obey(name, args)
    if (name === 'clear_fire') this.door = { ...this.door, fire: false }
    if (name === 'restart') {
      this.store.restart()
      this.events.emit('restart')
      this.#hello()
    }
    if (name !== 'restart' && name !== 'capture') this.beat()
  }

  /** Fetches a package, says whether it is good, and comes again with it. */
  async #upgrade(id: string, args: unknown): Promise<void> {
    const reply = await takePackage(this.store, args, this.faults.line_bytes_s)
    this.#reply({ ...reply }, id)
    if (reply.code === 'ok') await this.#client?.endAsync(false).then(() => this.restart())
  }

  #say(kind: 'hello' | 'reply' | 'event' | 'state', type: string, body: Record<string, unknown>, re?: string): void {
    this.#seq += 1
    this.events.emit('message', 'up', type, body)
    const head = { id: randomUUID(), seq: this.#seq, epoch: this.store.epoch, ts: this.#now(), ...(re === undefined ? {} : { re }) }
    this.#line?.send(upTopic(this.broker.prefix, this.sn, kind), encodeMessage(head, type, body))
  }

  #now(): string {
    return new Date(Date.now() + this.faults.clock_offset_ms).toISOString()
  }
}
