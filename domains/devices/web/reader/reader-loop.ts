import { CardUid } from '@campus/devices/contract'
import { z } from 'zod'
import { ReaderFault } from './reader-ask.ts'
import type { ReaderCall } from './reader-ask.ts'
import { in_use_elsewhere } from './reader-words.ts'
import type { ReaderState } from './reader-words.ts'

const Card = z.object({ uid_hex: CardUid, social: z.object({ no_digest: z.string(), area: z.string() }).optional() })
/** A card as a reader has read it; `uid_hex` = its bytes in the order of the air. */
export type ReadCard = z.output<typeof Card>

/** What a reader is set to before it reads; `key` comes sealed and goes on as it came. */
export type ReaderConfig = { mode: 'uid' | 'sector' | 'social'; sector?: number; key?: string }

/** What reading needs of the world. */
export type ReaderDesk = {
  ask(call: ReaderCall, body: Record<string, unknown>): Promise<Record<string, unknown>>
  config(): Promise<ReaderConfig>
  lease: { hold(): Promise<boolean>; letGo(): void }
  wait(ms: number): Promise<void>
  tell(state: ReaderState, sentence: string | null): void
  heard(card: ReadCard): void
}

const [read_ms, between_ms, again_ms, beep_ms] = [2000, 200, 2000, 100]
const [no_card, timed_out, busy, bad_key, many_cards] = [1, 2, 3, 4, 6] as const

/**
 * Reads cards until it is told to stop: open, set, read for two seconds at a time, beep at each new card. A card that stays where it is counts once. What goes wrong is said and tried again; a wrong key
 * and a reader that another page has end it (chapter 31 §8).
 */
export async function readCards(desk: ReaderDesk, signal: AbortSignal): Promise<void> {
  try {
    if (!(await desk.lease.hold())) return desk.tell('error', in_use_elsewhere)
    while (!signal.aborted && (await session(desk, signal)) === 'again') await desk.wait(again_ms)
  } finally {
    desk.lease.letGo()
  }
}

/** One time of being open. @returns whether to open it once more */
async function session(desk: ReaderDesk, signal: AbortSignal): Promise<'again' | 'over'> {
  const last = { uid: '' }
  try {
    await desk.ask('open', {})
    await desk.ask('set_cfg', { ...(await desk.config()), beep: false })
    desk.tell('connected', null)
    while (!signal.aborted) {
      if (!(await desk.lease.hold())) {
        desk.tell('error', in_use_elsewhere)
        return 'over'
      }
      await readOne(desk, last, signal)
      await desk.wait(between_ms)
    }
    return 'over'
  } catch (error) {
    if (signal.aborted) return 'over'
    desk.tell('error', error instanceof Error ? error.message : null)
    return error instanceof ReaderFault && error.code !== bad_key ? 'again' : 'over'
  }
}

/** @throws ReaderFault that ends the session: no answer, not open, wrong key, what nobody knows */
async function readOne(desk: ReaderDesk, last: { uid: string }, signal: AbortSignal): Promise<void> {
  try {
    const card = Card.parse(await desk.ask('req_card', { timeout_ms: read_ms }))
    if (signal.aborted) return
    // Until a read finds it gone it is the same card: by the clock of a slow workstation one that stays would be laid down anew.
    const is_same = card.uid_hex === last.uid
    last.uid = card.uid_hex
    desk.tell('read', null)
    if (is_same) return
    desk.heard(card)
    await desk.ask('iden_card/beep', { times: 1, ms: beep_ms }).catch(() => undefined)
  } catch (error) {
    if (signal.aborted) return
    const code = error instanceof ReaderFault ? error.code : null
    if (code === no_card || code === timed_out) last.uid = ''
    if (code !== no_card && code !== timed_out && code !== busy && code !== many_cards) throw error
    desk.tell(code === many_cards ? 'error' : 'waiting', error instanceof Error ? error.message : null)
  }
}
