import { randomUUID } from 'node:crypto'
import { openSocialKey } from '@kit/terminal-protocol'
import { z } from 'zod'

/** A card that can be laid on the reader; `social`: what a social card tells beside its number. */
export type TrayCard = { uid_hex: string; name: string; social?: { no_digest: string; area: string } }
/** What a call comes to: 0 and data, or one of the six errors (chapter 31 §8). */
export type ReaderReply = { code: number; msg: string; data: Record<string, unknown> }

/** The six errors, as the service of a reader words them. */
export const reader_errors = { 1: '无卡', 2: '超时', 3: '读卡器忙', 4: '密钥错误', 5: '未打开', 6: '多张卡' } as const
export type ReaderError = keyof typeof reader_errors

const [no_card, timed_out, busy, bad_key, not_open, many_cards] = [1, 2, 3, 4, 5, 6] as const
const Config = z.object({ mode: z.enum(['uid', 'sector', 'social']), format: z.string().max(40).optional(), sector: z.number().int().min(0).max(39).optional(), key: z.string().max(1000).optional(), beep: z.boolean().default(true) })
const Wanted = z.object({ timeout_ms: z.number().int().min(0).max(30_000), after: z.string().max(60).optional() })
const Beep = z.object({ times: z.number().int().min(1).max(3), ms: z.number().int().min(10).max(2000) })

type Clock = { now(): number; wait(ms: number): Promise<void> }
const own_clock: Clock = { now: () => Date.now(), wait: ms => new Promise(resolve => setTimeout(resolve, ms)) }
const look_ms = 50
const slow_ms = 1200

/** A reader without hardware: cards are laid on it and taken away, and it goes wrong when it is told to. */
export class VirtualReader {
  /** the numbers of the cards that lie on it */
  readonly lying = new Set<string>()
  /** goes wrong so at the next calls, first one first */
  readonly faults: ReaderError[] = []
  is_slow = false
  /** the cable: nothing but `get_state` is answered without it */
  is_plugged = true
  beeps = 0
  readonly #cards: ReadonlyMap<string, TrayCard>
  readonly #pairing: string | null
  readonly #clock: Clock
  readonly #used = new Set<string>()
  #config: z.output<typeof Config> = { mode: 'uid', beep: true }
  #is_open = false
  #reading: string | null = null

  constructor(cards: readonly TrayCard[], { pairing = null, clock = own_clock }: { pairing?: string | null; clock?: Clock } = {}) {
    this.#cards = new Map(cards.map(card => [card.uid_hex, card]))
    this.#pairing = pairing
    this.#clock = clock
  }

  /** Answers one call; undefined for one that no reader has. @throws ZodError for a body that is none */
  async answer(call: string, body: unknown): Promise<ReaderReply | undefined> {
    if (call === 'get_state') return ok({ online: this.is_plugged, model: 'JD-R1', version: '1.0.0', opened: this.#is_open, mode: this.#config.mode, busy: this.#reading !== null })
    const act = { open: () => this.#open(), set_cfg: () => this.#configure(body), req_card: () => this.#read(body), 'iden_card/reset': () => this.#reset(), 'iden_card/beep': () => this.#beep(body) }
    const known = new Map<string, () => ReaderReply | Promise<ReaderReply>>(Object.entries(act)).get(call)
    if (!known) return undefined
    if (this.is_slow) await this.#clock.wait(slow_ms)
    const fault = this.faults.shift()
    if (fault !== undefined) return refusal(fault)
    if (!this.is_plugged) return refusal(not_open)
    return known()
  }

  #open(): ReaderReply {
    this.#is_open = true
    return ok({ opened: true })
  }

  #configure(body: unknown): ReaderReply {
    const config = Config.parse(body)
    if (!this.#is_open) return refusal(not_open)
    if (config.mode === 'social' && !this.#takesKey(config.key ?? '')) return refusal(bad_key)
    this.#config = config
    return ok({})
  }

  /** A sealed key works until its end and once. */
  #takesKey(sealed: string): boolean {
    const key = this.#pairing === null ? null : openSocialKey(this.#pairing, sealed)
    if (!key || Date.parse(key.expires_at) <= this.#clock.now() || this.#used.has(key.once)) return false
    this.#used.add(key.once)
    return true
  }

  async #read(body: unknown): Promise<ReaderReply> {
    const { timeout_ms, after } = Wanted.parse(body)
    if (!this.#is_open) return refusal(not_open)
    if (this.#reading !== null) return refusal(busy)
    const reading = randomUUID()
    this.#reading = reading
    try {
      return await this.#awaitCard(timeout_ms, after)
    } finally {
      if (this.#reading === reading) this.#reading = null
    }
  }

  /** `after`: the card that was read before; as long as it alone lies there, nothing new has come. */
  async #awaitCard(timeout_ms: number, after: string | undefined): Promise<ReaderReply> {
    const until = this.#clock.now() + timeout_ms
    while (true) {
      if (!this.is_plugged) return refusal(not_open)
      const fault = this.faults.shift()
      if (fault !== undefined) return refusal(fault)
      if (this.lying.size > 1) return refusal(many_cards)
      const [uid_hex] = this.lying
      if (uid_hex !== undefined && uid_hex !== after) return ok(this.#told(uid_hex))
      if (this.#clock.now() >= until) return refusal(timeout_ms === 0 && this.lying.size === 0 ? no_card : timed_out)
      await this.#clock.wait(look_ms)
    }
  }

  #told(uid_hex: string): Record<string, unknown> {
    const { social } = this.#cards.get(uid_hex) ?? {}
    return { uid_hex, atq: '0004', sak: '08', ...(this.#config.mode === 'social' && social ? { social } : {}), ...(this.#config.mode === 'sector' ? { sector: this.#config.sector } : {}) }
  }

  #reset(): ReaderReply {
    this.#is_open = false
    this.#config = { mode: 'uid', beep: true }
    return ok({})
  }

  #beep(body: unknown): ReaderReply {
    this.beeps += Beep.parse(body).times
    return ok({})
  }
}

function ok(data: Record<string, unknown>): ReaderReply {
  return { code: 0, msg: 'ok', data }
}

function refusal(code: ReaderError): ReaderReply {
  return { code, msg: reader_errors[code], data: {} }
}
