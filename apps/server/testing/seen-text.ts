import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.env.CAMPUS_TEST_COVERAGE_DIR
const known = new Set<string>()

/** Appends the messages of an answer that were not seen here before to `<pid>.jsonl` of CAMPUS_TEST_COVERAGE_DIR (counted by `npm run coverage`). */
export function recordSeen(answer: unknown): void {
  if (folder === undefined) return
  const fresh = [...new Set(messagesIn(answer))].filter(text => text !== '' && !known.has(text))
  if (fresh.length === 0) return
  for (const text of fresh) known.add(text)
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${process.pid}.jsonl`), fresh.map(text => `${JSON.stringify({ on: 'answer', text })}\n`).join(''))
}

/** Strings under `msg` at any depth: of the envelope, of `data.errors`, of the rows of an import. */
function messagesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, held]) => (key === 'msg' && typeof held === 'string' ? [held] : messagesIn(held)))
}
