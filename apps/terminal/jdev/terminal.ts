import { randomUUID } from 'node:crypto'
import { CloseRuleBody, DownRow, encodeMessage, isOffAt, readEnvelope, row_kinds, UploadAsked, upTopic } from '@kit/terminal-protocol'
import type { CredentialBody, RowResult } from '@kit/terminal-protocol'
import mqtt from 'mqtt'
import type { MqttClient } from 'mqtt'
import { z } from 'zod'
import { BoardPlayer } from './board/player.ts'
import type { ChildCamera } from './camera.ts'
import { Commands } from './commands.ts'
import { hasPicture } from './picture.ts'
import { bringShot } from './shot.ts'
import { TerminalStore } from './store.ts'
import { verify } from './verify.ts'

/** Time-out of every connection of ours (chapter 31 §1.1). */
const connect_timeout_ms = 400_000
const [items_per_message, picture_lanes] = [100, 4]
const [keep_alive_s, reconnect_ms, beat_ms] = [60, 1000, 30_000]

/** `children`: the cameras below a gateway; `http`: where the server's web address is, for pictures that are fetched and brought. */
export type TerminalOptions = { url: string; sn: string; secret: string; model?: string; prefix?: string; file?: string; children?: readonly ChildCamera[]; http?: string }

/** The way out of a terminal. */
export type Line = { send(topic: string, bytes: Buffer): void }

/** Models that show something. */
const showing: readonly string[] = ['JD-B32', 'JD-S43']

/** What a terminal can be told to do wrong. */
export type Faults = { /** replies that it swallows */ drop_replies: number; /** keys of rows that it refuses */ refuse: ReadonlyMap<string, { code: string; text: string; status?: 'retry' }>; clock_offset_ms: number; /** it takes no rows but answers nothing at all */ silent: boolean; /** it does not say what it holds */ refuse_reads: boolean }

const Rows = z.object({ rows: z.array(DownRow) })
const Bucket = z.object({ kind: z.enum(row_kinds), b: z.array(z.number().int().min(0).max(255)) })
const Digest = z.object({ kind: z.enum(row_kinds) })
const Again = z.object({ code: z.literal('hello') })
const Asked = z.object({ uploads: z.array(UploadAsked) })
const Ack = z.object({ epoch: z.string(), upto: z.number().int() })

/** One virtual terminal of our own protocol. */
export class JdevTerminal {
  readonly store: TerminalStore
  /** what it was told to do */
  readonly commands = new Commands()
  readonly faults: Faults = { drop_replies: 0, refuse: new Map(), clock_offset_ms: 0, silent: false, refuse_reads: false }
  /** what came down, oldest first: type and rows */
  readonly trace: { type: string; rows: readonly DownRow[] }[] = []
  /** what a board or screen shows; null for everything else */
  readonly board: BoardPlayer | null
  readonly #options: Required<Omit<TerminalOptions, 'file' | 'children'>>
  /** the cameras below it; it says so with every word of how it is */
  children: readonly ChildCamera[]
  #client: MqttClient | undefined
  #line: Line | undefined
  #seq = 0
  #is_sending = false
  #beating: NodeJS.Timeout | undefined
  #powering: NodeJS.Timeout | undefined
  /** its rule has switched it off; it comes back by itself */
  is_off = false
  /** how far its clock is behind the server's, since the server's hello */
  #behind_ms = 0
  /** what its door senses */
  door = { open: false, fire: false, tamper: false }

  constructor({ file, model = 'JD-F10', prefix = 'jdev', children = [], http = '', ...options }: TerminalOptions) {
    this.children = children
    this.#options = { model, prefix, http, ...options }
    this.store = new TerminalStore(file)
    this.board = showing.includes(model) ? new BoardPlayer({ store: this.store, http, now: () => new Date(this.#now()), say: facts => this.tell('board', facts), changed: () => this.beat() }) : null
  }

  get is_connected(): boolean {
    return this.#client?.connected ?? this.#line !== undefined
  }

  /** Connects and says hello, now and after every break of the line. */
  async start(): Promise<void> {
    const { url, sn, secret, prefix } = this.#options
    const will = { topic: upTopic(prefix, sn, 'bye'), payload: Buffer.from('{}'), qos: 1, retain: false } as const
    const client = mqtt.connect(url, { clientId: sn, username: sn, password: secret, protocolVersion: 4, clean: true, keepalive: keep_alive_s, connectTimeout: connect_timeout_ms, reconnectPeriod: reconnect_ms, will })
    this.#client = client
    this.is_off = false
    this.#powering ??= setInterval(() => void this.followPower(), beat_ms).unref()
    this.#beating ??= setInterval(() => this.beat(), beat_ms).unref()
    client.on('message', (topic, payload) => this.receive(topic, payload))
    client.on('error', () => undefined)
    client.on('connect', () => void this.#greet(client).catch(() => undefined))
    await new Promise<void>(resolve => client.once('connect', () => resolve()))
  }

  /** Goes away without a word, as when the power fails; what it holds stays. */
  async stop(): Promise<void> {
    clearInterval(this.#powering)
    this.#powering = undefined
    await this.#goDark()
  }

  /** Goes off and on by its rule, by its own clock. */
  async followPower(): Promise<void> {
    const rule = CloseRuleBody.safeParse(this.store.held('rule').get('close')?.body).data
    const is_to_be_off = rule !== undefined && isOffAt(rule, new Date(this.#now()))
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
    this.#is_sending = false
    if (line) this.#hello()
  }

  /** Somebody shows what he is known by: his rights and the door's rule decide. */
  present(kind: CredentialBody['kind'], code: string): void {
    this.pass(verify(this.store, { kind, code }, new Date(this.#now()), this.door.fire))
  }

  /** Somebody is at the door. */
  pass(facts: Record<string, unknown>): void {
    this.tell('pass', facts)
  }

  /** Something has happened: a card was read, an alarm began or ended, the vehicle moved. */
  tell(type: 'pass' | 'card' | 'alarm' | 'position' | 'warn' | 'image' | 'board' | 'playstat', facts: Record<string, unknown>, at = this.#now()): void {
    this.store.record(type, facts, at)
    this.#upload()
  }

  /** Pictures are asked for; a terminal has none. */
  protected asked(_uploads: readonly UploadAsked[]): void {}

  /** Says how it is. */
  beat(): void {
    if (this.is_connected) this.#say('state', 'state', { counts: this.#counts(), cpu: 20, mem: 40, temp: 35, disk: 4000, door: this.door, ...this.#below(), ...(this.board ? { board: this.board.state() } : {}) })
  }

  #below() {
    return this.children.length === 0 ? {} : { children: this.children }
  }

  #counts() {
    return { persons: this.store.held('person').size, cards: this.store.held('credential').size, faces: [...this.store.held('credential').values()].filter(row => row.body?.kind === 'face').length, permissions: this.store.held('permission').size, records_waiting: this.store.waiting }
  }

  async #greet(client: MqttClient): Promise<void> {
    const { sn, prefix } = this.#options
    await client.subscribeAsync(`${prefix}/${sn}/down/#`, { qos: 1 })
    this.#line = { send: (topic, bytes) => void client.publish(topic, bytes, { qos: 1 }) }
    this.#hello()
  }

  #hello(): void {
    const { sn, model } = this.#options
    this.#say('hello', 'hello', { sn, model, app_version: '1.0.0', firmware: '1.0.0', store_id: this.store.store_id, last_down_seq: 0, counts: this.#counts(), tz: 'Asia/Shanghai', ...this.#below() })
    this.#is_sending = false
    this.board?.wake()
    this.beat()
    this.#upload()
  }

  /** A message came. */
  receive(topic: string, payload: Uint8Array): void {
    const read = readEnvelope(payload)
    if ('bad' in read) return
    const { type, body, id, ts } = read.envelope
    if (topic.endsWith('/hello')) this.#behind_ms = Date.parse(ts) - Date.parse(this.#now())
    const uploads = Asked.safeParse(body).data?.uploads
    if (uploads) this.asked(uploads)
    if (topic.endsWith('/ack')) return this.#acknowledged(body)
    if (topic.endsWith('/cmd')) return this.#command(id, body)
    if (!topic.endsWith('/sync') || this.faults.silent) return
    this.trace.push({ type, rows: Rows.safeParse(body).data?.rows ?? [] })
    const rows = this.trace.at(-1)?.rows ?? []
    if (rows.some(row => row.blob && row.k !== 'content')) void this.#fetchAll(rows).then(results => this.#reply({ results }, id))
    else this.#reply(this.#answer(type, body), id)
  }

  #reply(answer: Record<string, unknown>, id: string): void {
    if (this.faults.drop_replies > 0) this.faults.drop_replies -= 1
    else this.#say('reply', 'reply', answer, id)
  }

  /** Rows with photographs: each is followed when its picture is here. */
  async #fetchAll(rows: readonly DownRow[]): Promise<RowResult[]> {
    const results: RowResult[] = []
    const left = [...rows]
    const lane = async () => {
      for (let row = left.shift(); row; row = left.shift()) results.push((await hasPicture(row, this.#options.http)) ? this.#apply(row) : { k: row.k, key: row.key, ver: row.ver, status: 'retry', code: 'blob' })
    }
    await Promise.all(Array.from({ length: picture_lanes }, lane))
    return results
  }

  /** Does what it is told, each command once, and says so; whoever turns it off and on again finds it with another power-up. */
  #command(id: string, body: unknown): void {
    const { reply, is_new, name, args } = this.commands.take(id, body, new Date(Date.parse(this.#now()) + this.#behind_ms))
    if (is_new && name === 'screenshot' && this.board) return void this.board.bring(args).then(is_taken => this.#reply(is_taken ? reply : { code: 'failed', text: '截图没有传到平台' }, id))
    this.#reply(is_new && name === 'config' && this.board?.set(args) !== true ? { code: 'unsupported' } : reply, id)
    if (!is_new) return
    if (name === 'time') {
      this.faults.clock_offset_ms = 0
      this.#behind_ms = 0
    }
    if (name === 'capture') void bringShot(this.#options.http, this.children, args, new Date(this.#now())).catch(() => undefined)
    if (name === 'clear_fire') this.door = { ...this.door, fire: false }
    if (name === 'restart') {
      this.store.restart()
      this.#hello()
    }
    if (name !== 'restart' && name !== 'capture') this.beat()
  }

  #answer(type: string, body: unknown): Record<string, unknown> {
    if (type !== 'sync.rows' && this.faults.refuse_reads) return { code: 'busy' }
    if (type === 'sync.rows') {
      const results = Rows.parse(body).rows.map(row => this.#apply(row))
      this.board?.settle()
      return { results }
    }
    if (type === 'sync.digest') {
      const { kind } = Digest.parse(body)
      return { kind, buckets: this.store.digest(kind) }
    }
    if (type === 'sync.bucket') {
      const { kind, b } = Bucket.parse(body)
      return { kind, rows: this.store.buckets(kind, b) }
    }
    return { code: 'unsupported' }
  }

  #apply(row: DownRow): RowResult {
    const refused = row.op === 'put' ? this.faults.refuse.get(row.key) : undefined
    if (refused) return { k: row.k, key: row.key, ver: row.ver, status: 'refused', ...refused }
    const result = this.store.apply(row)
    if (row.k === 'content') this.board?.take(row)
    return result
  }

  #acknowledged(body: unknown): void {
    if (Again.safeParse(body).success) return this.#hello()
    const ack = Ack.safeParse(body).data
    if (ack?.epoch !== this.store.epoch) return
    this.store.acknowledge(ack.upto)
    this.#is_sending = false
    this.#upload()
  }

  /** Sends the oldest records; the next ones after these are acknowledged. */
  #upload(): void {
    const items = this.store.oldest(items_per_message)
    if (items.length === 0 || this.#is_sending || !this.is_connected) return
    this.#is_sending = true
    this.#say('event', 'event', { items })
  }

  #say(kind: 'hello' | 'reply' | 'event' | 'state', type: string, body: Record<string, unknown>, re?: string): void {
    const { sn, prefix } = this.#options
    this.#seq += 1
    const head = { id: randomUUID(), seq: this.#seq, epoch: this.store.epoch, ts: this.#now(), ...(re === undefined ? {} : { re }) }
    this.#line?.send(upTopic(prefix, sn, kind), encodeMessage(head, type, body))
  }

  #now(): string {
    return new Date(Date.now() + this.faults.clock_offset_ms).toISOString()
  }
}
