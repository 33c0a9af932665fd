import type { DownRow, RowResult } from '@kit/terminal-protocol'
import type { BoardPlayer } from './board/player.ts'
import { Rows } from './down.ts'
import type { Faults, Refused } from './options.ts'
import { followConfig } from './own-settings.ts'
import { readBack } from './read-back.ts'
import { settingsOf, toldOf } from './settings.ts'
import type { TerminalStore } from './store.ts'

/** What answers: where it keeps things, what is wrong with it, what it cannot do, which broker it is at, what it shows where it is a board, and who hears of changed settings. */
type Answering = { store: TerminalStore; faults: Faults; refusalOf: (row: DownRow) => Refused | undefined; broker: { url: string; username: string; prefix: string }; board: BoardPlayer | null; changed: (group: string) => void }

/** The answer to a question about rows, or to rows that came. */
export function answerSync(terminal: Answering, type: string, body: unknown): Record<string, unknown> {
  if (type !== 'sync.rows' && terminal.faults.refuse_reads) return { code: 'busy' }
  if (type === 'sync.config') return { config: toldOf(settingsOf(terminal.store, terminal.broker)) }
  if (type === 'sync.rows') return { results: Rows.parse(body).rows.map(row => applyRow(terminal, row)) }
  return readBack(terminal.store, type, body)
}

/** Holds a row, or lets it go; a row of configuration is followed. */
export function applyRow(terminal: Answering, row: DownRow): RowResult {
  const { store, faults, board, changed } = terminal
  const cannot = row.op === 'put' ? terminal.refusalOf(row) : undefined
  const refused = cannot ?? (row.op === 'put' ? faults.refuse.get(row.key) : undefined)
  // What it cannot do any more it does not go on doing as it was told before.
  if (cannot) store.lose(row.k, row.key)
  if (refused) return { k: row.k, key: row.key, ver: row.ver, status: 'refused', ...refused }
  const result = store.apply(row)
  if (row.k === 'content') board?.take(row)
  const group = result.status === 'applied' ? followConfig(store, row) : undefined
  if (group !== undefined) changed(group)
  return result
}
