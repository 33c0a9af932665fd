import { inOrder, resolvePlan, shownContents } from '@campus/publishing/contract'
import type { BoardPlan, PlayerPlan, Screen } from '@campus/publishing/contract'
import { digestOf } from './digest.ts'
import { PlayCount, playLine } from './plays.ts'
import { fetchFile, fetchPlan, isBoardPlan, Refused, tell } from './server.ts'
import { checkRoom, isFull } from './store.ts'
import type { FileOf, Held, HeldPlan, Store, Word } from './store.ts'

export type Link = 'synced' | 'staged' | 'offline'
type Said = Omit<Word, 'seq' | 'at'>
/** A plan that is being fetched. `failures` by file; `no_space`: files that the screen had no room for. */
type Staged = { plan: HeldPlan; since: number; failures: Map<string, number>; no_space: Set<string> }

const [version, most_words, unauthorized] = ['1', 200, 401] as const
const [ask_every_ms, look_every_ms] = [5000, 1000] as const
/** A file that could not be had is asked for again after so long; one of the plan that plays already, later. */
const [again_ms, again_late_ms] = [5000, 60_000] as const
/** How often the bytes of a file that is on its way are told. */
const tell_bytes_ms = 2000
/** A file of which nothing comes for so long is given up for another one. */
const stall_ms = 60_000
/** Old files go when the new plan has played so long. */
const keep_old_ms = 10 * 60_000
/** A file that cannot be had does not hold up the rest for ever (chapter 60 rule 36). */
const [most_failures, longest_wait_ms] = [5, 30 * 60_000] as const
const [mebibyte, fault] = [1024 * 1024, { corrupt: '1', space: '3' }] as const

/**
 * Plays the plan that it holds, and fetches the next one beside it: the old one is seen until everything of the new one is here and right.
 * Everything is kept, so that it plays without the server. It asks and tells every few seconds while files are on their way, so that what
 * is taken down goes at once whatever else is being fetched. Words wait in the store until the server has taken them.
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
  /** when a file that failed may be asked for again */
  #next = new Map<string, number>()
  #fetching: { sha256: string; control: AbortController } | null = null
  readonly #plays: PlayCount
  link: Link = 'offline'

  constructor(store: Store, held: Held, changed: () => void) {
    this.#store = store
    this.#held = held
    this.#plays = new PlayCount(held.plays)
    this.#changed = changed
  }

  get plan(): BoardPlan | null {
    return this.#held.plan?.body ?? null
  }

  /**
   * What is seen at an instant; null as long as there is no plan. What was taken back is gone at once, and an urgent text of the next plan
   * does not wait for its files (chapter 60 rule 36).
   */
  screenAt(at: number): Screen | null {
    const { plan, contact } = this.#held
    if (!plan) return null
    const next = this.#staged?.plan.body.items ?? null
    const own = plan.body.items.filter(item => !item.urgent || next === null)
    const urgent = (next ?? []).filter(item => item.urgent)
    return resolvePlan({ ...plan.body, items: [...own, ...urgent].filter(item => !this.#hidden.has(item.content_id)) }, at, contact)
  }

  /** Counts what is on the screen now. */
  note(at: number): void {
    const screen = this.screenAt(at)
    this.#plays.look(at, screen ? shownContents(screen) : new Set())
  }

  readonly file = (sha256: string): Promise<Blob | undefined> => this.#store.file(sha256)

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
    const fetching = this.#fetchOn()
    while (this.#is_running) {
      try {
        await this.#turn()
      } catch (error) {
        if (error instanceof Refused && error.status === unauthorized) await this.#leave()
        else this.#show('offline')
      }
      await pause(ask_every_ms)
    }
    await fetching
  }

  async #turn(): Promise<void> {
    const { credential } = this.#held
    const told = await fetchPlan(credential, this.#tag)
    this.#held = { ...this.#held, contact: Date.now() }
    if (told) {
      this.#tag = told.tag
      await this.#take(told.plan)
    }
    await this.#switchWhenWhole()
    await this.#clear()
    await this.#keep([])
    await this.#tellAll()
    this.#show(this.#staged ? 'staged' : 'synced')
  }

  async #take({ plan_version, plan_hash, plan, files, revoked }: PlayerPlan): Promise<void> {
    for (const { content_id, sha256 } of revoked) await this.#withdraw(content_id, sha256)
    if (plan_hash === this.#held.plan?.hash) this.#staged = null
    else if (plan_hash !== this.#staged?.plan.hash && isBoardPlan(plan)) {
      const body: HeldPlan = { version: plan_version, hash: plan_hash, body: plan, files, since: 0 }
      this.#staged = { plan: body, since: Date.now(), failures: new Map(), no_space: new Set() }
      this.#next.clear()
      await this.#keep([{ row_key: 'plan', hash: plan_hash, state: 'accepted' }])
    }
    const { sha256 } = this.#fetching ?? {}
    if (sha256 !== undefined && !this.#wanted().some(file => file.sha256 === sha256)) this.#fetching?.control.abort()
    this.#changed()
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

  /** Files that the next plan still needs, or the one that plays where there is no next one; small ones first. */
  #wanted(): FileOf[] {
    const plan = this.#staged?.plan ?? this.#held.plan
    return inOrder(
      (plan?.files ?? []).filter(file => !this.#files.has(file.sha256)),
      file => file.bytes,
    )
  }

  /** Fetches one file after the other beside the asking; what failed comes again by itself. */
  async #fetchOn(): Promise<void> {
    while (this.#is_running) {
      const now = Date.now()
      const file = this.#wanted().find(({ sha256 }) => (this.#next.get(sha256) ?? 0) <= now)
      if (file) await this.#fetchOne(file).catch(() => pause(look_every_ms))
      else await pause(look_every_ms)
    }
  }

  async #fetchOne({ sha256, bytes }: FileOf): Promise<void> {
    const staged = this.#staged
    const control = new AbortController()
    this.#fetching = { sha256, control }
    const say = (state: string, more: Partial<Said> = {}) => this.#keep([{ row_key: `file:${sha256}`, hash: sha256, state, ...more }])
    // What plays without the file stays a fault until it is here.
    if (staged) await say('downloading', { bytes_done: 0 })
    let told_at = Date.now()
    let stall = setTimeout(() => control.abort(), stall_ms)
    const onBytes = (bytes_done: number) => {
      clearTimeout(stall)
      stall = setTimeout(() => control.abort(), stall_ms)
      if (Date.now() - told_at < tell_bytes_ms) return
      told_at = Date.now()
      if (staged) void say('downloading', { bytes_done })
    }
    try {
      await checkRoom(bytes)
      const file = await fetchFile(this.#held.credential, sha256, { signal: control.signal, onBytes })
      if ((await digestOf(file)) !== sha256) throw new Refused(0, fault.corrupt)
      await this.#store.keepFile(sha256, file)
      this.#files.add(sha256)
      staged?.no_space.delete(sha256)
      await say('staged', { bytes_done: bytes })
      await this.#switchWhenWhole()
    } catch (error) {
      this.#next.set(sha256, Date.now() + (staged ? again_ms : again_late_ms))
      if (control.signal.aborted) return
      if (!(error instanceof Refused) && !isFull(error)) throw error
      await this.#noteFailure(staged, sha256, isFull(error))
      await say('fault', { fault_code: isFull(error) ? fault.space : fault.corrupt })
    } finally {
      clearTimeout(stall)
      this.#fetching = null
    }
  }

  /** Without room the old plan plays on until there is some; files of neither plan go at once. */
  async #noteFailure(staged: Staged | null, sha256: string, is_full: boolean): Promise<void> {
    if (is_full) staged?.no_space.add(sha256)
    else staged?.failures.set(sha256, (staged.failures.get(sha256) ?? 0) + 1)
    if (!is_full) return
    const kept = new Set([...(this.#held.plan?.files ?? []), ...(staged?.plan.files ?? [])].map(file => file.sha256))
    await this.#keepOnly(kept)
  }

  /** From the old plan to the new one in one step, when everything is here; what cannot be had does not hold up the rest for ever. */
  async #switchWhenWhole(): Promise<void> {
    const staged = this.#staged
    if (!staged) return
    const { plan, since, failures, no_space } = staged
    const is_late = Date.now() - since > longest_wait_ms
    const left = plan.files.filter(file => !this.#files.has(file.sha256))
    if (left.some(({ sha256 }) => no_space.has(sha256) || (!is_late && (failures.get(sha256) ?? 0) < most_failures))) return
    this.#held = { ...this.#held, plan: { ...plan, since: Date.now() } }
    this.#staged = null
    this.#hidden = new Set()
    const late = left.map(({ sha256 }): Said => ({ row_key: `file:${sha256}`, hash: sha256, state: 'fault', fault_code: fault.corrupt }))
    await this.#keep([...late, { row_key: 'plan', hash: plan.hash, state: 'staged' }])
    this.#changed()
  }

  /** Files of no plan go when the new one has been seen for a while. */
  async #clear(): Promise<void> {
    const { plan } = this.#held
    if (!plan || this.#staged || Date.now() - plan.since < keep_old_ms) return
    await this.#keepOnly(new Set(plan.files.map(file => file.sha256)))
  }

  async #keepOnly(wanted: ReadonlySet<string>): Promise<void> {
    for (const sha256 of this.#files) if (!wanted.has(sha256)) await this.#drop(sha256)
  }

  async #keep(said: readonly Said[]): Promise<void> {
    const at = new Date().toISOString()
    this.#said.push(...said)
    const now = this.#said.splice(0)
    const first = this.#held.seq + 1
    this.#held = { ...this.#held, seq: this.#held.seq + now.length, plays: this.#plays.kept() }
    await this.#store.keep(
      this.#held,
      now.map((word, n) => ({ ...word, seq: first + n, at })),
    )
  }

  async #tellAll(): Promise<void> {
    const words = await this.#store.waiting(most_words)
    const counted = this.#plays.next()
    const screen = this.screenAt(Date.now())
    const shown = screen && [...shownContents(screen)][0]
    const room = await navigator.storage?.estimate().catch(() => ({ quota: undefined, usage: undefined }))
    await tell(this.#held.credential, {
      epoch: this.#held.epoch,
      words,
      plays: counted.map(playLine),
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
    this.#plays.told(counted, Date.now())
    const last = words[words.length - 1]
    if (last) await this.#store.told(last.seq)
  }

  /** Its credential opens no more: it was paired anew, or is no board of the school any longer. */
  async #leave(): Promise<void> {
    this.#is_running = false
    this.#fetching?.control.abort()
    await this.#store.empty()
  }

  #show(link: Link): void {
    if (link === this.link) return
    this.link = link
    this.#changed()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
