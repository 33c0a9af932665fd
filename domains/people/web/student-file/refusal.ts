import type { FileNotice } from '@campus/people/contract'
import { CallError } from '@kit/web'
import { z } from 'zod'

const Notices = z.object({ warnings: z.array(z.object({ field: z.string(), msg: z.string() })) })
const Stale = z.object({
  differences: z.array(z.object({ field: z.string(), label: z.string(), mine: z.string().optional(), theirs: z.string() })),
  changed_by: z.object({ user_name: z.string(), at: z.string() }).nullable(),
})
const Holders = z.object({ holders: z.array(z.object({ field: z.string(), user_name: z.string(), mine: z.string() })) })
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

/** Whose mobiles were typed, both names masked; none for any other refusal. */
export function holdersOf(cause: unknown): z.output<typeof Holders>['holders'] {
  const data = cause instanceof CallError ? Holders.safeParse(cause.data) : null
  return data?.success ? data.data.holders : []
}
