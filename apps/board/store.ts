import type { BoardPlan } from '@campus/publishing/contract'

/** What survives a restart of the screen. */
export type Held = {
  credential: string
  device_name: string
  epoch: string
  seq: number
  /** when the server last answered */ contact: number
  plan: HeldPlan | null
  /** what was on the screen, by hour and content, and not yet told for good */
  plays?: readonly Played[]
}
export type HeldPlan = { version: number; hash: string; body: BoardPlan; files: readonly FileOf[]; since: number }
export type FileOf = { sha256: string; mime: string; bytes: number }
/** `hour` as milliseconds since 1970. */
export type Played = { hour: number; content_id: string; plays: number; ms: number }
/** A word that waits to be told. */
export type Word = { seq: number; at: string; row_key: string; hash: string; state: string; bytes_done?: number; fault_code?: string }

const name = 'board'
const [facts, blobs, words] = ['facts', 'blobs', 'words'] as const
const held_key = 'held'

/** The database of the player: one line of facts, the files by their hash, and the words that wait. */
export class Store {
  readonly #db: IDBDatabase
  /** words that there was no room for: they are told all the same, so that the console learns of it */
  #unkept: Word[] = []

  constructor(db: IDBDatabase) {
    this.#db = db
  }

  async held(): Promise<Held | null> {
    const found = await this.#ask<Held | undefined>(facts, store => store.get(held_key))
    return found ?? null
  }

  /** Facts and new words in one transaction: what is told follows from what is kept, never the other way round. */
  async keep(held: Held | null, said: readonly Word[] = []): Promise<void> {
    const change = this.#db.transaction([facts, words], 'readwrite')
    if (held === null) change.objectStore(facts).delete(held_key)
    else change.objectStore(facts).put(held, held_key)
    for (const word of said) change.objectStore(words).put(word, word.seq)
    await finished(change).catch((error: unknown) => {
      if (!isFull(error)) throw error
      this.#unkept.push(...said)
    })
  }

  async waiting(most: number): Promise<Word[]> {
    const kept = await this.#ask<Word[]>(words, store => store.getAll(null, most))
    return [...kept, ...this.#unkept].slice(0, most)
  }

  async told(upto: number): Promise<void> {
    this.#unkept = this.#unkept.filter(word => word.seq > upto)
    await this.#ask(words, store => store.delete(IDBKeyRange.upperBound(upto)), 'readwrite')
  }

  async files(): Promise<Set<string>> {
    return new Set((await this.#ask<IDBValidKey[]>(blobs, store => store.getAllKeys())).map(String))
  }

  file(sha256: string): Promise<Blob | undefined> {
    return this.#ask<Blob | undefined>(blobs, store => store.get(sha256))
  }

  /** @throws DOMException QuotaExceededError when the screen has no room */
  async keepFile(sha256: string, file: Blob): Promise<void> {
    const change = this.#db.transaction(blobs, 'readwrite')
    change.objectStore(blobs).put(file, sha256)
    await finished(change)
  }

  async dropFile(sha256: string): Promise<void> {
    await this.#ask(blobs, store => store.delete(sha256), 'readwrite')
  }

  async empty(): Promise<void> {
    const change = this.#db.transaction([facts, blobs, words], 'readwrite')
    for (const one of [facts, blobs, words]) change.objectStore(one).clear()
    await finished(change)
  }

  #ask<T>(store: string, ask: (store: IDBObjectStore) => IDBRequest<T>, mode: IDBTransactionMode = 'readonly'): Promise<T> {
    return new Promise((resolve, reject) => {
      const request = ask(this.#db.transaction(store, mode).objectStore(store))
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error ?? new Error('the store of the player does not answer'))
    })
  }
}

export function openStore(): Promise<Store> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.onupgradeneeded = () => [facts, blobs, words].forEach(store => request.result.createObjectStore(store))
    request.onsuccess = () => resolve(new Store(request.result))
    request.onerror = () => reject(request.error ?? new Error('the store of the player cannot be opened'))
  })
}

function finished(change: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    change.oncomplete = () => resolve()
    change.onabort = () => reject(change.error ?? new Error('the store of the player was not written'))
  })
}

/** Whether a file could not be kept because the screen has no room. */
export const isFull = (error: unknown): boolean => error instanceof DOMException && error.name === 'QuotaExceededError'

/** Looks at the room before a file is fetched, where the browser says how much there is. @throws DOMException QuotaExceededError */
export async function checkRoom(bytes: number): Promise<void> {
  const room = await navigator.storage?.estimate().catch(() => undefined)
  if (room?.quota === undefined || room.usage === undefined || room.quota - room.usage >= bytes) return
  throw new DOMException('the screen has no room for the file', 'QuotaExceededError')
}
