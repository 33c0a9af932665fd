import { codes, encodeSaid, eventTopic, replyTopic, slow, types } from '@kit/terminal-protocol/vf105'
import type { EventName } from '@kit/terminal-protocol/vf105'
import { refused } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Clock } from '../clock.ts'
import { perform } from './commands.ts'
import { readAck, readCommand } from './inbound.ts'
import type { AccessRecord, Vf105Store } from './store.ts'
import { Uploader } from './uploader.ts'
import { verify } from './verify.ts'
import type { Verdict } from './verify.ts'

/** The way to the broker: `drop` leaves it and comes again after so many milliseconds. */
export type Wire = { send(topic: string, bytes: Buffer): void; drop(ms: number): void }
/** What the device can be told to do wrong. */
export type Vf105Faults = { drop_replies: number; /** commands whose answer is that they took too long, though the work is done */ slow: number; clock_offset_ms: number; is_silent: boolean }

const [second_ms, restart_ms, reconnect_ms] = [1000, 3000, 100]
const [door_event, fire_event] = [256, 257]
const online_ok = 'ONLINE_ALLOW'

/** A VF105 without its broker: what it is told, what it says, what it does by itself (chapter 31 §5). */
export class Vf105Device {
  readonly faults: Vf105Faults = { drop_replies: 0, slow: 0, clock_offset_ms: 0, is_silent: false }
  /** commands by their serial: the device does each one as often as it comes */
  readonly executed = new Map<string, number>()
  /** what came down, oldest first */
  readonly trace: { action: string; data: unknown }[] = []
  readonly counters = { opened: 0, restarts: 0, alarms_lost: 0, acks: 0 }
  readonly sn: string
  readonly store: Vf105Store
  readonly clock: Clock
  readonly wire: Wire
  readonly #uploader: Uploader
  readonly #waiting = new Map<string, { verdict: Verdict; shown: { type: string; code: string }; cancel: () => void }>()
  #is_connected = false
  #serial = 0

  constructor(sn: string, store: Vf105Store, clock: Clock, wire: Wire) {
    this.sn = sn
    this.store = store
    this.clock = clock
    this.wire = wire
    this.#uploader = new Uploader(store, clock, record => this.#upload(record))
  }

  get is_connected(): boolean {
    return this.#is_connected
  }

  /** Its thirteen subscriptions are granted. */
  connected(): void {
    this.#is_connected = true
    const { type, ssid, psk, dhcp, ip, gateway, dns, mask, mac } = this.store.config.net ?? {}
    const sys = this.store.config.sys ?? {}
    this.#say('connect', { appVersion: sys.appVersion, btMac: '', mac: sys.mac, clientId: this.sn, type, ssid, psk, dhcp, ip, gateway, dns, subnetMask: mask, netMac: mac })
    this.#uploader.wake()
  }

  lost(): void {
    this.#is_connected = false
    this.#uploader.stop()
    for (const { cancel } of this.#waiting.values()) cancel()
    this.#waiting.clear()
  }

  /** What the broker says in its name when it goes without a word. */
  will(): { topic: string; payload: Buffer } {
    return { topic: eventTopic(this.#prefix, 'offline'), payload: encodeSaid({ serialNo: this.#nextSerial(), uuid: this.sn, time: this.#seconds() }) }
  }

  /** A message came. */
  receive(topic: string, bytes: Uint8Array): void {
    const ack = readAck(this.#prefix, this.sn, topic, bytes)
    if (ack) return this.#acknowledged(ack.name, ack.serial, ack.code === codes.ok)
    const command = readCommand(this.#prefix, this.sn, topic, bytes)
    if (!command || this.faults.is_silent) return
    const { action, serial = this.#nextSerial() } = command
    if ('fault' in command) return this.#reply(action, serial, refused(command.fault))
    const done = perform(this.store, action, command.data)
    if (!done) return
    this.trace.push({ action, data: command.data })
    this.executed.set(serial, (this.executed.get(serial) ?? 0) + 1)
    if (this.faults.slow > 0) {
      this.faults.slow -= 1
      this.#reply(action, serial, { code: codes.timed_out, message: slow, data: [] })
    } else this.#reply(action, serial, done.answer)
    this.#afterwards(done)
  }

  /** Somebody shows a credential. */
  present(type: string, code: string): void {
    const verdict = verify(this.store, { type, code }, this.#now())
    const asks = verdict.error !== 'ALLOW' && this.#is_connected && type !== types.face && this.store.number('mqtt', 'onlinecheck') === 1
    if (!asks) return this.#pass(verdict, { type, code })
    const serial = this.#nextSerial()
    const cancel = this.clock.later(this.store.number('mqtt', 'timeout') * second_ms, () => this.#judged(serial, false))
    this.#waiting.set(serial, { verdict, shown: { type, code }, cancel })
    this.#say('access_online', { type, code, timeStamp: this.#seconds(), message: verdict.error }, serial)
  }

  /** The door's contact: 0 open, 1 closed. Said now or never. */
  door(value: 0 | 1): void {
    this.#alarm(door_event, value)
  }

  /** Fire: it stays until the setting is put back. */
  fire(): void {
    Object.assign(this.store.config.access ?? {}, { fireStatus: 1 })
    this.#alarm(fire_event, 1)
  }

  /** One heartbeat, where they are switched on. */
  beat(): void {
    if (this.#is_connected && this.store.number('sys', 'heart_en') === 1) this.#say('heartbeat')
  }

  get #prefix(): string {
    return this.store.text('mqtt', 'prefix')
  }

  #afterwards({ after, effect }: { after?: string; effect?: string }): void {
    if (effect === 'open') this.counters.opened += 1
    if (effect === 'reset') this.store.wipe()
    this.store.save()
    const is_restart = after === 'restart' || effect === 'restart' || effect === 'reset'
    if (is_restart) this.counters.restarts += 1
    if (is_restart || after === 'reconnect') this.wire.drop(is_restart ? restart_ms : reconnect_ms)
  }

  #acknowledged(name: EventName, serial: string, is_ok: boolean): void {
    this.counters.acks += 1
    if (name === 'access') this.#uploader.answered(serial, is_ok)
    if (name === 'access_online') this.#judged(serial, is_ok)
  }

  #judged(serial: string, is_ok: boolean): void {
    const one = this.#waiting.get(serial)
    if (!one) return
    one.cancel()
    this.#waiting.delete(serial)
    this.#pass(is_ok ? { ...one.verdict, error: online_ok } : one.verdict, one.shown)
  }

  #pass({ error, key, userId, name, permissionId }: Verdict, { type, code }: { type: string; code: string }): void {
    const is_open = error === 'ALLOW' || error === online_ok
    if (is_open) this.counters.opened += 1
    this.store.record({ userId, name, type, code: type === types.face ? '' : code, keyId: key?.keyId ?? '', permissionId, result: is_open ? 0 : 1, error, timeStamp: this.#seconds(), extra: {} })
    this.#uploader.wake()
  }

  #upload({ id, userId, type, timeStamp, result, name, code, extra, error }: AccessRecord): boolean {
    if (this.#is_connected) this.#say('access', [{ userId, type, timeStamp, result, name, code, extra, error }], String(id))
    return this.#is_connected
  }

  #alarm(type: number, value: number): void {
    if (this.#is_connected) this.#say('alarm', { type, value })
    else this.counters.alarms_lost += 1
  }

  #reply(action: string, serialNo: string, { code, message, data }: Answer): void {
    if (this.faults.drop_replies > 0) this.faults.drop_replies -= 1
    else this.wire.send(replyTopic(this.#prefix, action), encodeSaid({ serialNo, uuid: this.sn, code, time: this.#seconds(), message }, data))
  }

  #say(name: EventName, data?: unknown, serialNo = this.#nextSerial()): void {
    this.wire.send(eventTopic(this.#prefix, name), encodeSaid({ serialNo, uuid: this.sn, time: this.#seconds() }, data))
  }

  #nextSerial(): string {
    this.#serial += 1
    return `d${String(this.#serial).padStart(9, '0')}`
  }

  #now(): number {
    return this.clock.now() + this.faults.clock_offset_ms
  }

  #seconds(): number {
    return Math.floor(this.#now() / second_ms)
  }
}
