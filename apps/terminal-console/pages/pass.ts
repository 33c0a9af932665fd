import { isKey } from '../words/words.ts'
import type { Key } from '../words/words.ts'

/** PASS_STATE. */
const results: Readonly<Record<number, Key>> = { 1: 'result.passed', 2: 'result.no_right', 3: 'result.not_now', 5: 'result.stranger' }
const passed = 1

/** The word for what became of somebody who came. */
export function resultOf(result: number): Key {
  return results[result] ?? 'result.other'
}

export function resultKind(result: number): 'good' | 'bad' {
  return result === passed ? 'good' : 'bad'
}

/** The word for how he came. */
export function wayOf(way: string): Key {
  const key = `way.${way}`
  return isKey(key) ? key : 'way.'
}

/** Why it became so; the terminal may know reasons that this page does not. */
export function reasonOf(reason: string): Key | undefined {
  const key = `reason.${reason}`
  return isKey(key) ? key : undefined
}
