import { z } from 'zod'
import { refused } from './answer.ts'
import type { Answer } from './answer.ts'

/** How one device differs from what its documents say: so many rows it takes at once, pictures of so many KiB. */
export type Quirks = { /** a setting of which it takes no value */ refuses: string | null; rows_per_command: number; photo_kb: number }

const kib = 1024
const Rows = z.array(z.unknown())
const Batch = z.union([Rows, z.looseObject({ permissionIds: Rows }).transform(sent => sent.permissionIds)])
const Picture = z.array(z.looseObject({ code: z.string(), extra: z.looseObject({ faceType: z.literal('0') }) }))

/** As documented (chapter 31 §5.3). */
export function documented(): Quirks {
  return { refuses: null, rows_per_command: 100, photo_kb: 512 }
}

/** What is more than this very device takes is refused whole; undefined: it is not too much. */
export function tooMuch(data: unknown, { rows_per_command, photo_kb }: Quirks): Answer | undefined {
  if (countOf(data) > rows_per_command) return refused(`批量数据不能超过${rows_per_command}条`)
  const [picture] = Picture.safeParse(data).data ?? []
  return picture && Buffer.byteLength(picture.code, 'base64') > photo_kb * kib ? refused(`人脸图片base64大小不能超过${photo_kb}KB`) : undefined
}

/** Rows in a batch; permissions may also come by name of their list. */
function countOf(data: unknown): number {
  return (Batch.safeParse(data).data ?? []).length
}
