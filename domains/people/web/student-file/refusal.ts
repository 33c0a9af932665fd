import type { FileNotice } from '@campus/people/contract'
import { CallError } from '@kit/web'
import { z } from 'zod'

const Notices = z.object({ warnings: z.array(z.object({ field: z.string(), msg: z.string() })) })
const Stale = z.object({
  differences: z.array(z.object({ field: z.string(), label: z.string(), mine: z.string().optional(), theirs: z.string() })),
  changed_by: z.object({ user_name: z.string(), at: z.string() }).nullable(),
})
const Holders = z.object({ holders: z.array(z.object({ field: z.string(), user_name: z.string(), mine: z.string(), user_id: z.string().optional(), mine_user_id: z.string().optional() })) })
export type StaleFile = z.output<typeof Stale>

/** What must be confirmed before the file is saved; null for any other refusal. */
export function noticesOf(cause: unknown): FileNotice[] | null {
  const data = cause instanceof CallError && cause.error_id === 'people.confirmNeeded' ? Notices.safeParse(cause.data) : null
  return data?.success ? data.data.warnings : null
}

/** What somebody else has changed meanwhile; null for any other refusal. */
export function staleOf(cause: unknown): StaleFile | null {
  const data = cause instanceof CallError && cause.error_id === 'people.staleRow' ? Stale.safeParse(cause.data) : null
  return data?.success ? data.data : null
}

/** A typed mobile that is somebody else's: where 合并或更正 leads. */
export type MergeWay = { keep: string; drop: string } | { someone: string }

/** Where two files of one person are made one, for whoever may; null when the refusal names nobody. */
export function mergeWayOf(cause: unknown): MergeWay | null {
  const found = holdersOf(cause).find(holder => holder.user_id !== undefined)
  if (found?.user_id === undefined) return null
  return found.mine_user_id === undefined ? { someone: found.user_id } : { keep: found.user_id, drop: found.mine_user_id }
}

/** Whose mobiles were typed, both names masked; none for any other refusal. */
export function holdersOf(cause: unknown): z.output<typeof Holders>['holders'] {
  const data = cause instanceof CallError ? Holders.safeParse(cause.data) : null
  return data?.success ? data.data.holders : []
}
