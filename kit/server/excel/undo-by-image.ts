import { z } from 'zod'
import type { UndoRow } from './import-template.ts'

/** Things of one kind that a batch made or changed. */
type Things<Image> = {
  image: z.ZodType<Image>
  /** the mark of a thing in what rows have touched */
  key(id: string): string
  /** takes away what the batch made */
  remove(ids: readonly string[]): Promise<void>
  /** gives back how a thing stood */
  restore(image: Image): Promise<void>
}

/** Takes rows back whose `before` is `{ image }`: how the thing stood, null for one that the batch made. What rows that stay still need (`kept`) is left. */
export async function undoByImage<Image>(rows: readonly UndoRow[], kept: ReadonlySet<string>, { image, key, remove, restore }: Things<Image>): Promise<void> {
  const Before = z.object({ image: image.nullable() })
  const read = rows.filter(row => row.before !== null && !kept.has(key(row.target_id))).map(row => ({ id: row.target_id, ...Before.parse(row.before) }))
  await remove(read.flatMap(one => (one.image === null ? [one.id] : [])))
  for (const one of read) if (one.image !== null) await restore(one.image)
}
