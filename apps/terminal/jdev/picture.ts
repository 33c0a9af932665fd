import { createHash } from 'node:crypto'
import type { DownRow, RowResult } from '@kit/terminal-protocol'

/** A JPEG begins so (SOI). */
const jpg_start = [0xff, 0xd8] as const
/** Pictures that are fetched at a time. */
const lanes = 4

/** Rows with photographs: each is followed when its picture is here. */
export async function fetchRows(rows: readonly DownRow[], http: string, apply: (row: DownRow) => RowResult): Promise<RowResult[]> {
  const results: RowResult[] = []
  const left = [...rows]
  const lane = async () => {
    for (let row = left.shift(); row; row = left.shift()) results.push((await hasPicture(row, http)) ? apply(row) : { k: row.k, key: row.key, ver: row.ver, status: 'retry', code: 'blob' })
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

/** Fetches the photograph of a row and looks whether it is the one that was announced; a row without one needs none. */
async function hasPicture({ blob }: DownRow, http: string): Promise<boolean> {
  if (!blob) return true
  const response = await fetch(new URL(blob.url, http === '' ? undefined : http)).catch(() => null)
  if (!response?.ok) return false
  const bytes = Buffer.from(await response.arrayBuffer())
  return bytes.length === blob.bytes && bytes[0] === jpg_start[0] && bytes[1] === jpg_start[1] && createHash('sha256').update(bytes).digest('hex') === blob.sha256
}
