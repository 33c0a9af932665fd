import { setTimeout as sleep } from 'node:timers/promises'
import { read } from '@campus/files/server'
import { Port } from '@kit/server/http'

import { markFetched } from './photo.queries.ts'
import type { Fetched } from './photo.queries.ts'
import type { PhotoDesk } from './prepare.ts'

/** What came within this time is marked together; while some are being marked, those that come wait for the next turn. */
const together_ms = 20
/** Photographs that are kept opened: every terminal of a school asks for the same ones, at about the same time. */
const most_bytes = 64 * 1024 * 1024

type Waiting = Fetched & { give(file_key: string | null): void }
type Kept = { bytes: Promise<Buffer | null>; size: number }

/** Hands photographs out to devices, each address once. */
export class PhotoCounter {
  readonly #desk: PhotoDesk
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #marking = new Set<number>()
  /** the one that was asked for last stands last */
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(desk: PhotoDesk) {
    this.#desk = desk
  }

  /** The photograph of a row that is on its way; null when it is not, or was fetched already. */
  async fetch(school_id: number, of: Fetched): Promise<Buffer | null> {
    const made_key = await new Promise<string | null>(give => {
      const waiting = this.#waiting.get(school_id) ?? []
      this.#waiting.set(school_id, waiting)
      waiting.push({ ...of, give })
      if (!this.#marking.has(school_id)) void this.#markAll(school_id)
    })
    return made_key === null ? null : this.open(school_id, made_key)
  }

  /** The bytes of a photograph, opened once however many ask for it meanwhile; null when they are gone. */
  async open(school_id: number, made_key: string): Promise<Buffer | null> {
    const kept = this.#kept.get(made_key) ?? { bytes: this.#read(school_id, made_key), size: 0 }
    this.#kept.delete(made_key)
    this.#kept.set(made_key, kept)
    const bytes = await kept.bytes
    if (bytes) this.#count(made_key, kept, bytes.length)
    else this.#kept.delete(made_key)
    return bytes
  }

  async #read(school_id: number, file_key: string): Promise<Buffer | null> {
    const { app, own } = this.#desk
    const file = await read({ app, own, now: app.clock.now() }, { school_id, file_key }).catch(() => null)
    return file && file.bytes
  }

  /** Those that were asked for longest ago make room. */
  #count(made_key: string, kept: Kept, size: number): void {
    if (kept.size === size || this.#kept.get(made_key) !== kept) return
    kept.size = size
    this.#size += size
    for (const [name, oldest] of this.#kept) {
      if (this.#size <= most_bytes) return
      this.#kept.delete(name)
      this.#size -= oldest.size
    }
  }

  async #markAll(school_id: number): Promise<void> {
    this.#marking.add(school_id)
    while (this.#waiting.has(school_id)) {
      await sleep(together_ms)
      await this.#mark(school_id, this.#take(school_id))
    }
    this.#marking.delete(school_id)
  }

  #take(school_id: number): Waiting[] {
    const asked = this.#waiting.get(school_id) ?? []
    this.#waiting.delete(school_id)
    return asked
  }

  async #mark(school_id: number, asked: readonly Waiting[]): Promise<void> {
    const nameOf = ({ device_id, row_key, ver }: Fetched) => `${device_id} ${row_key} ${ver}`
    const rows = await this.#desk.tenant(school_id, db => markFetched(db, school_id, asked.map(({ device_id, row_key, ver }) => ({ device_id, row_key, ver })), this.#desk.app.clock.now())).catch((error: unknown) => {
      this.#desk.app.log.warn({ err: error, school_id }, 'photographs were not handed out')
      return []
    })
    const files = new Map(rows.map(row => [nameOf(row), row.made_key]))
    for (const one of asked) {
      one.give(files.get(nameOf(one)) ?? null)
      files.delete(nameOf(one))
    }
  }
}

/** Filled at start: the counter of this node. */
export const photoCounterPort = new Port<PhotoCounter>('devices.photo_counter')
