import { createHash } from 'node:crypto'
import type { DownRow } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { TerminalStore } from '../store.ts'
import { drawBoard } from './picture.ts'

type Word = 'accepted' | 'downloading' | 'staged' | 'playing' | 'erased' | 'fault'
type Fetchable = NonNullable<DownRow['blob']>
const Plan = z.object({ plan_hash: z.string() })
const Withdrawn = z.object({ sha256: z.array(z.string()) })
const Display = z.object({ values: z.object({ brightness: z.number().int().min(0).max(100).optional(), volume: z.number().int().min(0).max(100).optional() }) })
const [busy_status, mebibytes, second_ms] = [503, 1024 * 1024, 1000]
const total_mb = 16_000

export type PlayerDesk = { store: TerminalStore; /** address of the server's HTTP */ http: string; now(): Date; say(facts: Record<string, unknown>): void; changed(): void }

/** Models that show something. */
const showing: readonly string[] = ['JD-B32', 'JD-S43']

/** What a terminal of this model shows; null when it shows nothing. */
export function boardOf(model: string, desk: PlayerDesk): BoardPlayer | null {
  return showing.includes(model) ? new BoardPlayer(desk) : null
}

/**
 * What a board does with its content: takes rows, fetches files, small ones first and one after the other, plays a plan when everything for it is there, and meanwhile the one before; puts away what is withdrawn or gone
 * (chapter 30 §2.8).
 */
export class BoardPlayer {
  readonly #desk: PlayerDesk
  /** files that are whole, with their size */
  readonly #ready = new Map<string, number>()
  /** files that are not wanted any more and that the plan before may still need, with the name of their content */
  readonly #doomed = new Map<string, string>()
  readonly #queue = new Map<string, Fetchable>()
  #is_fetching = false
  #plan: { hash: string; since: Date } | null = null
  display = { brightness: 70, volume: 30 }

  constructor(desk: PlayerDesk) {
    this.#desk = desk
  }

  /** The plan that is seen now. */
  get playing(): string | null {
    return this.#plan?.hash ?? null
  }

  /** Files that are whole. */
  get files(): readonly string[] {
    return [...this.#ready.keys()]
  }

  /** A row has come; its file may be fetched by `blob` for a while. What follows is decided when all rows of its message were taken. */
  take({ key, op, hash, body, blob }: DownRow): void {
    queueMicrotask(() => this.#settle())
    if (op === 'delete') return this.#drop(key, hash)
    if (key.startsWith('revoke:')) return this.#withdraw(key, Withdrawn.safeParse(body).data?.sha256 ?? [])
    this.#doomed.delete(key)
    if (!blob) this.#say(key, 'accepted')
    else if (this.#ready.has(key)) this.#say(key, 'staged')
    else {
      this.#queue.set(key, blob)
      void this.#fetchAll()
    }
    if (key.startsWith('urgent:') || (key === 'plan' && this.#wanted() === this.playing)) this.#say(key, 'playing')
  }

  /** Files that it is to hold and has lost with its power are asked for again. */
  wake(): void {
    for (const key of this.#desk.store.held('content').keys()) if (isFile(key) && !this.#ready.has(key) && !this.#queue.has(key)) this.#say(key, 'fault', { fault_code: 'expired' })
  }

  /** Settings of its screen and sound. @returns whether they were some */
  set(args: unknown): boolean {
    const values = Display.safeParse(args).data?.values
    if (!values) return false
    this.display = { brightness: values.brightness ?? this.display.brightness, volume: values.volume ?? this.display.volume }
    return true
  }

  /** How it is, for the heartbeat. */
  state() {
    const used = Math.ceil([...this.#ready.values()].reduce((sum, bytes) => sum + bytes, 0) / mebibytes)
    const inventory_hash = createHash('sha256').update(this.files.toSorted().join('\n')).digest('hex').slice(0, 16)
    return { ...(this.#plan ? { plan_hash: this.#plan.hash, now_since: this.#plan.since.toISOString() } : {}), storage_free: total_mb - used, storage_total: total_mb, player_ver: '1.4.9', secure_context: false, inventory_hash, orientation: 'landscape', resolution: '1920x1080', ...this.display }
  }

  /** Brings a picture of what it shows to where it was asked for. @returns whether it was taken */
  async bring(args: unknown): Promise<boolean> {
    const { upload } = z.object({ upload: z.string() }).parse(args)
    const form = new FormData()
    const picture = drawBoard({ plan: this.playing, files: this.files, urgent: [...this.#desk.store.held('content').keys()].some(key => key.startsWith('urgent:')), brightness: this.display.brightness, at: this.#desk.now() })
    form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'screenshot.png')
    const answer = await fetch(`${this.#desk.http}${upload}`, { method: 'POST', body: form }).catch(() => null)
    return answer?.ok === true
  }

  async #fetchAll(): Promise<void> {
    if (this.#is_fetching) return
    this.#is_fetching = true
    // Whatever else has come in the same message is there before the first is chosen.
    await new Promise(resolve => setTimeout(resolve, 0))
    for (let next = this.#smallest(); next; next = this.#smallest()) await this.#fetchOne(...next)
    this.#is_fetching = false
    this.#settle()
  }

  #smallest(): [string, Fetchable] | undefined {
    return [...this.#queue].toSorted(([, a], [, b]) => a.bytes - b.bytes)[0]
  }

  async #fetchOne(key: string, blob: Fetchable): Promise<void> {
    this.#say(key, 'downloading', { bytes_done: 0 })
    const answer = await fetch(`${this.#desk.http}${blob.url}`).catch(() => null)
    if (answer?.status === busy_status && this.#desk.now().getTime() < Date.parse(blob.exp)) {
      await answer.arrayBuffer()
      await new Promise(resolve => setTimeout(resolve, Number(answer.headers.get('retry-after') ?? 1) * second_ms))
      return
    }
    if (this.#queue.get(key) === blob) this.#queue.delete(key)
    const bytes = answer?.ok ? await answer.arrayBuffer().then(body => new Uint8Array(body)).catch(() => null) : null
    if (!bytes) return this.#say(key, 'fault', { fault_code: answer && !answer.ok ? 'expired' : 'broken' })
    if (createHash('sha256').update(bytes).digest('hex') !== blob.sha256) return this.#say(key, 'fault', { fault_code: 'corrupt' })
    if (!this.#desk.store.held('content').has(key)) return
    this.#ready.set(key, bytes.length)
    this.#say(key, 'staged', { bytes_done: bytes.length })
  }

  /** Plays the plan that it holds as soon as nothing is missing; until then the one before is seen. */
  #settle(): void {
    const held = this.#desk.store.held('content')
    const hash = this.#wanted()
    if (hash === undefined || hash === this.playing) return
    if ([...held.keys()].some(key => isFile(key) && !this.#ready.has(key))) return
    this.#say('plan', 'staged')
    this.#plan = { hash, since: this.#desk.now() }
    this.#say('plan', 'playing')
    for (const [key, doomed] of this.#doomed) this.#erase(key, doomed)
    this.#desk.changed()
  }

  #withdraw(key: string, files: readonly string[]): void {
    for (const sha256 of files) for (const name of [`file:${sha256}`, `clip:${sha256}`]) {
      this.#queue.delete(name)
      this.#ready.delete(name)
    }
    this.#say(key, 'erased')
    this.#desk.changed()
  }

  /** A row is not wanted any more. A file stays until the next plan is seen: the one that plays may need it. */
  #drop(key: string, hash: string): void {
    this.#queue.delete(key)
    if (key.startsWith('revoke:')) return
    if (key === 'plan') this.#plan = null
    if (isFile(key) && this.#isWaiting()) this.#doomed.set(key, hash)
    else this.#erase(key, hash)
  }

  #erase(key: string, hash: string): void {
    this.#doomed.delete(key)
    this.#ready.delete(key)
    this.#desk.say({ row_key: key, hash, state: 'erased' })
    this.#desk.changed()
  }

  /** Whether it holds another plan than the one that is seen. */
  #isWaiting(): boolean {
    const hash = this.#wanted()
    return this.playing !== null && hash !== undefined && hash !== this.playing
  }

  #wanted(): string | undefined {
    return Plan.safeParse(this.#desk.store.held('content').get('plan')?.body).data?.plan_hash
  }

  #say(row_key: string, state: Word, more: { bytes_done?: number; fault_code?: string } = {}): void {
    const held = this.#desk.store.held('content').get(row_key)
    this.#desk.say({ row_key, hash: (row_key === 'plan' ? this.#wanted() : held?.hash) ?? '', state, ...more })
  }
}

function isFile(key: string): boolean {
  return key.startsWith('file:') || key.startsWith('clip:')
}
