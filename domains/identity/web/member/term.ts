import type { Membership } from '@campus/identity/contract'

export type Term = Pick<Membership, 'valid_from' | 'valid_to' | 'state' | 'is_ending'>
/** `part`: how much of the span is over, 0–1; an open one is drawn full. */
export type TermView = { kind: 'future' | 'current' | 'ending' | 'ended'; text: string; word: string; part: number }

const day_ms = 86_400_000

/** The span of a membership in words and as a bar. `today` and the days of the membership are days of the school; valid_to is the last one. */
export function termOf({ valid_from, valid_to, state, is_ending }: Term, today: string): TermView {
  const text = valid_to === null ? `${valid_from} 起长期` : `${valid_from} ~ ${valid_to}`
  if (state === 'future') return { kind: 'future', text, word: `${daysFrom(today, valid_from)}天后开始`, part: 0 }
  if (state === 'ended') return { kind: 'ended', text, word: '已结束', part: 1 }
  if (valid_to === null) return { kind: 'current', text, word: '当前', part: 1 }
  const part = Math.min(1, Math.max(0, daysFrom(valid_from, today) / Math.max(1, daysFrom(valid_from, valid_to))))
  const left = daysFrom(today, valid_to)
  return is_ending ? { kind: 'ending', text, word: left === 0 ? '今天结束' : `${left}天后结束`, part } : { kind: 'current', text, word: '当前', part }
}

function daysFrom(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / day_ms)
}
