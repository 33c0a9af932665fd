import { read } from '@campus/files/server'
import { Port } from '@kit/server/http'

import { markFetched } from './photo.queries.ts'
import type { Fetched } from './photo.queries.ts'
import type { PhotoDesk } from './prepare.ts'

/** What came within this time is marked together. */
const together_ms = 5
/** Photographs that are kept opened: every terminal of a school asks for the same ones, at about the same time. */
const most_bytes = 64 * 1024 * 1024

type Waiting = Fetched & { give(file_key: string | null): void }
type Kept = { made_key: string; bytes: Buffer }

/** Hands photographs out to devices, each address once. */
export class PhotoCounter {
  readonly #desk: PhotoDesk
  readonly #waiting = new Map<number, Waiting[]>()
  readonly #kept = new Map<string, Kept>()
  #size = 0

  constructor(desk: PhotoDesk) {
    this.#desk = desk
  }

  /** The photograph of a row that is on its way; null when it is not, or was fetched already. */
  async fetch(school_id: number, of: Fetched): Promise<Buffer | null> {
    const made_key = await new Promise<string | null>(give => {
      const waiting = this.#waiting.get(school_id)
      if (waiting) return void waiting.push({ ...of, give })
      this.#waiting.set(school_id, [{ ...of, give }])
      setTimeout(() => void this.#mark(school_id), together_ms)
    })
    return made_key === null ? null : this.open(school_id, made_key)
  }

  /** The bytes of a photograph, opened; null when they are gone. */
  async open(school_id: number, made_key: string): Promise<Buffer | null> {
    const kept = this.#kept.get(made_key)
    if (kept) return kept.bytes
    const { app, own } = this.#desk
    const file = await read({ app, own, now: app.clock.now() }, { school_id, file_key: made_key }).catch(() => null)
    if (!file) return null
    this.#keep({ made_key, bytes: file.bytes })
    return file.bytes
  }

  async #mark(school_id: number): Promise<void> {
    const asked = this.#waiting.get(school_id) ?? []
    this.#waiting.delete(school_id)
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

  #keep(one: Kept): void {
    if (this.#size + one.bytes.length > most_bytes) {
      this.#kept.clear()
      this.#size = 0
    }
    this.#kept.set(one.made_key, one)
    this.#size += one.bytes.length
  }
}

/** Filled at start: the counter of this node. */
export const photoCounterPort = new Port<PhotoCounter>('devices.photo_counter')
