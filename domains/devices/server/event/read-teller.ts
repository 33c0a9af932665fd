import { cardChannel } from '@campus/devices/contract'
import type { CardRead } from '@campus/devices/contract'
import { push } from '@kit/server/realtime'
import type { Db } from '../db.ts'
import { readThese } from './card-read.queries.ts'
import type { RecordKey } from './pass.write.ts'

const together_ms = 200
/** Readings that fit into one notice; more of one moment are told as a gap. */
const most_told = 12

type Desk = { tenant<R>(school_id: number, work: (db: Db) => Promise<R>): Promise<R>; now(): Date; warn(error: unknown): void }

/** Tells open monitors what readers have seen: after it is stored, and what came within a fifth of a second in one go. */
export class ReadTeller {
  readonly #desk: Desk
  readonly #keys = new Map<number, RecordKey[]>()
  #timer: NodeJS.Timeout | undefined
  #telling = Promise.resolve()

  constructor(desk: Desk) {
    this.#desk = desk
  }

  /** Something was stored; its transaction is committed. */
  stored(school_id: number, keys: readonly RecordKey[]): void {
    if (keys.length === 0) return
    this.#keys.set(school_id, [...(this.#keys.get(school_id) ?? []), ...keys])
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
    const noted = [...this.#keys]
    this.#keys.clear()
    for (const [school_id, keys] of noted) await this.#desk.tenant(school_id, db => tell(db, school_id, keys, this.#desk.now()))
  }
}

async function tell(db: Db, school_id: number, keys: readonly RecordKey[], now: Date): Promise<void> {
  const of_place = new Map<string, CardRead[]>()
  for (const { read, node_path } of await readThese(db, school_id, keys, now)) {
    for (const place_id of (node_path ?? '').split('/').filter(part => part !== '')) of_place.set(place_id, [...(of_place.get(place_id) ?? []), read])
  }
  for (const [place_id, reads] of of_place) {
    for (let at = 0; at < reads.length; at += most_told) await push({ db, school_id }, cardChannel, reads.slice(at, at + most_told), { of: place_id })
  }
}
