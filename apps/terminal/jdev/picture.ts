import { createHash } from 'node:crypto'
import type { DownRow } from '@kit/terminal-protocol'

/** A JPEG begins so (SOI). */
const jpg_start = [0xff, 0xd8] as const

/** Fetches the photograph of a row and looks whether it is the one that was announced; a row without one needs none. */
export async function hasPicture({ blob }: DownRow, http: string): Promise<boolean> {
  if (!blob) return true
  const response = await fetch(new URL(blob.url, http === '' ? undefined : http)).catch(() => null)
  if (!response?.ok) return false
  const bytes = Buffer.from(await response.arrayBuffer())
  return bytes.length === blob.bytes && bytes[0] === jpg_start[0] && bytes[1] === jpg_start[1] && createHash('sha256').update(bytes).digest('hex') === blob.sha256
}
