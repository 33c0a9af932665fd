import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where a sentence was seen: in the answer of a call or on a page. */
export type SeenOn = 'answer' | 'page'

const folder = process.env.CAMPUS_TEST_COVERAGE_DIR
const known = new Set<string>()

/** True when this run of the tests records what it sees (`npm run coverage` counts it). */
export const records_seen = folder !== undefined

/** Appends texts that were not seen here before to `<pid>.jsonl` of CAMPUS_TEST_COVERAGE_DIR; without that setting it does nothing. */
export function recordSeen(on: SeenOn, texts: readonly string[]): void {
  if (folder === undefined) return
  const fresh = [...new Set(texts)].filter(text => text !== '' && !known.has(text))
  if (fresh.length === 0) return
  for (const text of fresh) known.add(text)
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${process.pid}.jsonl`), fresh.map(text => `${JSON.stringify({ on, text })}\n`).join(''))
}

/** Every message of an answer: strings under `msg` at any depth, `data.errors` and the cells of import rows included. */
export function messagesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) => (key === 'msg' && typeof held === 'string' ? [held] : messagesIn(held)))
}
