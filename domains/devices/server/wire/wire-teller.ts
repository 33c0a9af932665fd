import { randomUUID } from 'node:crypto'
import { wire_lease_s, wireChannel } from '@campus/devices/contract'
import type { WireLine } from '@campus/devices/contract'
import { push } from '@kit/server/realtime'
import type { Db } from '../db.ts'
import { describeMessage } from './describe.ts'
import type { Said } from './describe.ts'

const together_ms = 200
/** More of one device in a fifth of a second are not told one by one: the last of them say so. */
const most_told = 25

type Desk = { tenant<R>(school_id: number, work: (db: Db) => Promise<R>): Promise<R>; now(): Date; warn(error: unknown): void }
type Of = { school_id: number; device_id: string }
type Waiting = Of & { lines: WireLine[] }

/** Tells whoever looks at the line of a device what is said on it; costs nothing while nobody looks. */
export class WireTeller {
  readonly #desk: Desk
  /** devices whose messages are told, until when */
  readonly #until = new Map<string, number>()
  readonly #waiting = new Map<string, Waiting>()
  #timer: NodeJS.Timeout | undefined
  #telling = Promise.resolve()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Somebody looks at a device from now on, for five minutes. */
  watch(of: Of): void {
    const now = this.#desk.now().getTime()
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    this.#until.set(keyOf(of), now + wire_lease_s * 1000)
  }

  /** A message has come or goes. */
  said(of: Of, message: Said): void {
    const key = keyOf(of)
    const until = this.#until.get(key)
    const at = this.#desk.now()
    if (until === undefined || until <= at.getTime()) return
    const waiting = this.#waiting.get(key) ?? { ...of, lines: [] }
    waiting.lines.push({ line_id: randomUUID(), at: at.toISOString(), ...describeMessage(message) })
    this.#waiting.set(key, waiting)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#telling = this.#telling.then(() => this.#tell()).catch((error: unknown) => this.#desk.warn(error))
    }, together_ms)
  }

  /** Waits until nothing is left to tell. */
  async settled(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#telling
  }

  async #tell(): Promise<void> {
    const told = [...this.#waiting.values()]
    this.#waiting.clear()
    // Each in a notice of its own: they are long.
    for (const { school_id, device_id, lines } of told) await this.#desk.tenant(school_id, async db => {
      for (const line of lines.slice(-most_told)) await push({ db, school_id }, wireChannel, [line], { of: device_id })
    })
  }
}

function keyOf({ school_id, device_id }: Of): string {
  return `${school_id} ${device_id}`
}
