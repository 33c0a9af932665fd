import { inOrder, resolvePlan, shownContents } from '@campus/publishing/contract'
import type { BoardPlan, PlayerPlan, Screen } from '@campus/publishing/contract'
import { digestOf } from './digest.ts'
import { fetchFile, fetchPlan, Refused, tell } from './server.ts'
import type { FileOf, Held, HeldPlan, Store, Word } from './store.ts'

export type Link = 'synced' | 'staged' | 'offline'
type Said = Omit<Word, 'seq' | 'at'>
type Staged = { plan: HeldPlan; since: number; failures: Map<string, number> }

const version = '1'
const ask_every_ms = 5000
/** Old files go when the new plan has played so long. */
const keep_old_ms = 10 * 60_000
/** A file that cannot be had does not hold up the rest for ever (chapter 60 rule 36). */
const [most_failures, longest_wait_ms] = [5, 30 * 60_000] as const
const most_words = 200
const unauthorized = 401
const [mebibyte, fault] = [1024 * 1024, { corrupt: '1', space: '3' }] as const

/**
 * Plays the plan that it holds, and fetches the next one beside it: the old one is seen until everything of the new one is here and right. Everything is kept, so that it plays without the server.
 * Words about it wait in the store until the server has taken them.
 */
export class Player {
  readonly #store: Store
  readonly #changed: () => void
  #held: Held
  #staged: Staged | null = null
  #tag = ''
  #files = new Set<string>()
  #hidden = new Set<string>()
  #revoked = new Set<string>()
  #painted = ''
  #is_running = false
  #said: Said[] = []
  link: Link = 'offline'

  constructor(store: Store, held: Held, changed: () => void) {
    this.#store = store
    this.#held = held
    this.#changed = changed
  }

  get device_name(): string {
    return this.#held.device_name
  }

  get plan(): BoardPlan | null {
    return this.#held.plan?.body ?? null
  }

  /** What is seen at an instant; null as long as there is no plan. Contents that were taken back are gone at once. */
  screenAt(at: number): Screen | null {
    const { plan, contact } = this.#held
    if (!plan) return null
    return resolvePlan({ ...plan.body, items: plan.body.items.filter(item => !this.#hidden.has(item.content_id)) }, at, contact)
  }

  file(sha256: string): Promise<Blob | undefined> {
    return this.#store.file(sha256)
  }

  /** The first picture of a plan was painted: now it plays. */
  async painted(): Promise<void> {
    const { plan } = this.#held
    if (!plan || plan.hash === this.#painted) return
    this.#painted = plan.hash
    await this.#keep([{ row_key: 'plan', hash: plan.hash, state: 'playing' }])
  }

  /** Asks, fetches and tells, again and again. @returns when this board is paired no more */
  async run(): Promise<void> {
    this.#is_running = true
    this.#files = await this.#store.files()
    while (this.#is_running) {
      try {
        await this.#turn()
      } catch (error) {
        if (error instanceof Refused && error.status === unauthorized) return this.#leave()
        this.#show('offline')
      }
      await new Promise(resolve => setTimeout(resolve, ask_every_ms))
    }
  }

  async #turn(): Promise<void> {
    const { credential } = this.#held
    const told = await fetchPlan(credential, this.#tag)
    this.#held = { ...this.#held, contact: Date.now() }
    if (told) {
      this.#tag = told.tag
      await this.#take(told.plan)
    }
    if (this.#staged) await this.#fetchAll(this.#staged)
    await this.#clear()
    await this.#keep([])
    await this.#tellAll()
    this.#show(this.#staged ? 'staged' : 'synced')
  }

  async #take({ plan_version, plan_hash, plan, files, revoked }: PlayerPlan): Promise<void> {
    for (const { content_id, sha256 } of revoked) await this.#withdraw(content_id, sha256)
    if (plan_hash === this.#held.plan?.hash) {
      this.#staged = null
      return
    }
    if (plan_hash === this.#staged?.plan.hash || !isBoardPlan(plan)) return
    this.#staged = { plan: { version: plan_version, hash: plan_hash, body: plan, files, since: 0 }, since: Date.now(), failures: new Map() }
    await this.#keep([{ row_key: 'plan', hash: plan_hash, state: 'accepted' }])
  }

  /** Takes a content off the screen and its files out of the store, without waiting for the next plan. */
  async #withdraw(content_id: string, sha256s: readonly string[]): Promise<void> {
    if (this.#revoked.has(content_id)) return
    this.#revoked.add(content_id)
    this.#hidden.add(content_id)
    this.#changed()
    for (const sha256 of sha256s) await this.#drop(sha256)
    await this.#keep([{ row_key: `revoke:${content_id}`, hash: content_id, state: 'erased' }])
  }

  async #drop(sha256: string): Promise<void> {
    await this.#store.dropFile(sha256)
    this.#files.delete(sha256)
  }

  /** Fetches what is missing, small files first; with the last of them the new plan is seen. */
  async #fetchAll(staged: Staged): Promise<void> {
    const missing = inOrder(
      staged.plan.files.filter(file => !this.#files.has(file.sha256)),
      file => file.bytes,
    )
    this.#show('staged')
    for (const file of missing) await this.#fetchOne(staged, file)
    const is_late = Date.now() - staged.since > longest_wait_ms
    const left = missing.filter(file => !this.#files.has(file.sha256))
    if (left.some(file => !is_late && (staged.failures.get(file.sha256) ?? 0) < most_failures)) return
    await this.#switch(staged)
  }

  async #fetchOne(staged: Staged, { sha256, bytes }: FileOf): Promise<void> {
    const say = (state: string, more: Partial<Said> = {}) => this.#keep([{ row_key: `file:${sha256}`, hash: sha256, state, ...more }])
    await say('downloading', { bytes_done: 0 })
    try {
      const file = await fetchFile(this.#held.credential, sha256)
      if ((await digestOf(file)) !== sha256) throw new Refused(0, fault.corrupt)
      await this.#store.keepFile(sha256, file)
      this.#files.add(sha256)
      await say('staged', { bytes_done: bytes })
    } catch (error) {
      if (error instanceof Refused && error.status === unauthorized) throw error
      if (!(error instanceof Refused) && !(error instanceof DOMException && error.name === 'QuotaExceededError')) throw error
      staged.failures.set(sha256, (staged.failures.get(sha256) ?? 0) + 1)
      await say('fault', { fault_code: error instanceof Refused ? fault.corrupt : fault.space })
    }
  }

  /** From the old plan to the new one in one step. */
  async #switch({ plan }: Staged): Promise<void> {
    this.#held = { ...this.#held, plan: { ...plan, since: Date.now() } }
    this.#staged = null
    this.#hidden = new Set()
    await this.#keep([{ row_key: 'plan', hash: plan.hash, state: 'staged' }])
    this.#changed()
  }

  /** Files of no plan go when the new one has been seen for a while. */
  async #clear(): Promise<void> {
    const { plan } = this.#held
    if (!plan || this.#staged || Date.now() - plan.since < keep_old_ms) return
    const wanted = new Set(plan.files.map(file => file.sha256))
    for (const sha256 of this.#files) if (!wanted.has(sha256)) await this.#drop(sha256)
  }

  async #keep(said: readonly Said[]): Promise<void> {
    const at = new Date().toISOString()
    this.#said.push(...said)
    const now = this.#said.splice(0)
    const first = this.#held.seq + 1
    this.#held = { ...this.#held, seq: this.#held.seq + now.length }
    await this.#store.keep(
      this.#held,
      now.map((word, n) => ({ ...word, seq: first + n, at })),
    )
  }

  async #tellAll(): Promise<void> {
    const words = await this.#store.waiting(most_words)
    const screen = this.screenAt(Date.now())
    const shown = screen && [...shownContents(screen)][0]
    const room = await navigator.storage?.estimate().catch(() => ({ quota: undefined, usage: undefined }))
    await tell(this.#held.credential, {
      epoch: this.#held.epoch,
      words,
      status: {
        ...(this.#held.plan ? { plan_hash: this.#held.plan.hash } : {}),
        ...(shown ? { now_content_id: shown } : {}),
        secure_context: window.isSecureContext,
        player_ver: version,
        ...(room?.quota === undefined || room.usage === undefined
          ? {}
          : {
              storage_total_mb: Math.floor(room.quota / mebibyte),
              storage_free_mb: Math.max(0, Math.floor((room.quota - room.usage) / mebibyte)),
            }),
      },
    })
    const last = words[words.length - 1]
    if (last) await this.#store.told(last.seq)
  }

  /** Its credential opens no more: it was paired anew, or is no board of the school any longer. */
  async #leave(): Promise<void> {
    this.#is_running = false
    await this.#store.empty()
  }

  #show(link: Link): void {
    if (link === this.link) return
    this.link = link
    this.#changed()
  }
}

function isBoardPlan(plan: unknown): plan is BoardPlan {
  return typeof plan === 'object' && plan !== null && 'items' in plan && 'template' in plan
}
