import { rowHash } from '@kit/terminal-protocol'

/** Who declares what a device shows or plays. */
export type ContentSource = 'publishing' | 'voice'
/** A row of a manifest: what the device is told, and for a file where it lies. */
export type ContentRow = { row_key: string; bytes: number; body: Record<string, unknown>; file_key?: string }
/** All that a source wants on one device; `version` grows with every change. */
export type Manifest = { version: number; rows: readonly ContentRow[] }
/** A row as it is known here. */
export type KnownRow = { row_key: string; hash: string; is_declared: boolean; reported: string | null }
type Put = ContentRow & { hash: string; prio: number }

/** Names of rows by who may declare them (chapter 30 §1.5); no two sources have one in common. */
const names: Readonly<Record<ContentSource, RegExp>> = { publishing: /^(plan|(revoke|urgent):[\w-]{1,100}|file:[0-9a-f]{64})$/u, voice: /^(ring|clip:[0-9a-f]{64})$/u }
const withdrawal = 'revoke:'
const [urgent_prio, content_prio] = [1, 9] as const

/**
 * What has to change on a device so that it holds a manifest, in the order in which it goes out: withdrawals and urgent words, then plans, then files, small before large (chapter 30 rule 27). Rows that are not
 * declared any more are taken off, but a withdrawal stays until the device has said that it is done. @throws Error for rows that this source may not declare, or files without bytes
 */
export function planContent(source: ContentSource, rows: readonly ContentRow[], known: readonly KnownRow[]): { puts: Put[]; drops: string[]; settled: string[] } {
  for (const { row_key, file_key } of rows) {
    if (!names[source].test(row_key)) throw new Error(`${source} declares no row ${row_key}`)
    if (isFile(row_key) !== (file_key !== undefined)) throw new Error(`${row_key} has to name its file, and nothing else has one`)
  }
  const before = new Map(known.map(row => [row.row_key, row]))
  const wanted = new Set(rows.map(row => row.row_key))
  const puts = rows
    .map((row): Put => ({ ...row, hash: rowHash(row.body), prio: prioOf(row.row_key) }))
    .filter(({ row_key, hash }) => before.get(row_key)?.is_declared !== true || before.get(row_key)?.hash !== hash)
    .toSorted((a, b) => a.prio - b.prio || Number(isFile(a.row_key)) - Number(isFile(b.row_key)) || a.bytes - b.bytes)
  const gone = known.filter(row => row.is_declared && !wanted.has(row.row_key))
  const is_over = ({ row_key, reported }: KnownRow) => row_key.startsWith(withdrawal) && reported === 'erased'
  return {
    puts,
    drops: gone.filter(row => !row.row_key.startsWith(withdrawal)).map(row => row.row_key),
    // Withdrawals that are done need no word from the device to go.
    settled: known.filter(row => !wanted.has(row.row_key) && is_over(row)).map(row => row.row_key),
  }
}

/** How urgent a row is on the wire. */
export function prioOf(row_key: string): number {
  return row_key.startsWith(withdrawal) || row_key.startsWith('urgent:') ? urgent_prio : content_prio
}

/** Whether a row is a file that is fetched. */
export function isFile(row_key: string): boolean {
  return row_key.startsWith('file:') || row_key.startsWith('clip:')
}

/** Whether a row takes something back. */
export function isWithdrawal(row_key: string): boolean {
  return row_key.startsWith(withdrawal)
}
