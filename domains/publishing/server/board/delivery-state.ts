import { activeContents, delivery, no_space_codes } from '@campus/publishing/contract'
import type { BoardPlan } from '@campus/publishing/contract'
import { itemHash } from './compile.ts'

/** The newest word of a board on a row that it holds; `at`: when it came here. */
export type Word = { hash: string; state: string; bytes_done: number | null; fault_code: string | null; at: number }
export type Words = ReadonlyMap<string, Word>
/** What is known of one content on one board before its words are looked at. */
export type Wanted = {
  content_id: string
  item_hash: string
  sha256s: readonly string[]
  bytes_total: number
  /** when it was taken down; null: it is wanted */ stop_requested_at: number | null
  was: number
}
export type PlanOf = { hash: string; body: BoardPlan; compiled_at: number }
export type Told = { state: number; bytes_done: number; fault_code: string | null }

const { queued, loading, ready, playing, no_space, fault, stopping, stopped, erased } = delivery
const reaching: readonly string[] = ['accepted', 'downloading']

/**
 * The state of a content on a board, from what the board has said and nothing else (chapter 60 §2.4). The same words in any order give the same state.
 * @param newest the plan that the board is to play
 * @param shown the plan that it says it plays; null: it has not said
 * @param at when it last said anything
 */
export function deliveryState(
  wanted: Wanted,
  { newest, shown, words, at }: { newest: PlanOf | null; shown: PlanOf | null; words: Words; at: number },
): Told {
  const files = wanted.sha256s.flatMap(sha256 => words.get(`file:${sha256}`) ?? [])
  const bytes_done = Math.min(
    wanted.bytes_total,
    files.reduce(
      (sum, { state, bytes_done: done }) => sum + (state === 'staged' || state === 'playing' || state === 'downloading' ? (done ?? 0) : 0),
      0,
    ),
  )
  if (wanted.stop_requested_at !== null)
    return { state: stoppedState(wanted, wanted.stop_requested_at, shown, words), bytes_done, fault_code: null }
  // A plan may play without a file that could not be had: its content is broken until the board says that the file is there.
  const broken = files.find(word => word.state === 'fault')
  if (broken)
    return { state: no_space_codes.includes(broken.fault_code ?? '') ? no_space : fault, bytes_done, fault_code: broken.fault_code }
  const item = shown?.body.items.find(one => one.content_id === wanted.content_id)
  if (shown !== null && item !== undefined && itemHash(item) === wanted.item_hash) {
    return {
      state: activeContents(shown.body, at).has(wanted.content_id) ? playing : ready,
      bytes_done: wanted.bytes_total,
      fault_code: null,
    }
  }
  return { state: comingState(wanted, newest, words), bytes_done, fault_code: null }
}

function comingState({ sha256s }: Wanted, newest: PlanOf | null, words: Words): number {
  const plan = words.get('plan')
  const is_named = plan !== undefined && newest !== null && plan.hash === newest.hash
  const files = sha256s.map(sha256 => words.get(`file:${sha256}`)?.state)
  const is_whole = files.every(state => state === 'staged' || state === 'playing')
  if (is_named && (plan.state === 'staged' || (is_whole && sha256s.length > 0))) return ready
  if (is_named && plan.state === 'fault') return fault
  return is_named || files.some(state => reaching.includes(state ?? '')) ? loading : queued
}

/** Only a word on a plan that was made without it, after it was taken down, or on the withdrawal itself says that it is gone. */
function stoppedState({ content_id, was }: Wanted, asked_at: number, shown: PlanOf | null, words: Words): number {
  const revoked = words.get(`revoke:${content_id}`)
  if (was === erased || (revoked?.state === 'erased' && revoked.at >= asked_at)) return erased
  const plays_without = shown !== null && shown.compiled_at >= asked_at && shown.body.items.every(item => item.content_id !== content_id)
  return was === stopped || plays_without || (revoked?.state === 'stopped' && revoked.at >= asked_at) ? stopped : stopping
}
