import { addressOf, claim } from '@campus/files/server'
import type { LeaveFile } from '@campus/leave/contract'
import type { Pre } from '@kit/server/http'
import type { LeaveCtx } from '../db.ts'

const ref_kind = 'leave.apply'
/** Proofs are about health: they lie encrypted, and every look at one is logged (chapter 70 idea 7). */
const purpose = 'person_file'

type Draft = { attach_keys: string[]; prev_leave_id?: string | undefined }

/**
 * An application with its proofs: each is claimed before the transaction and enters use with the leave; those of a leave that was sent back go on being used.
 * @throws Refusal 404, 415 for a file that is not one's own upload
 */
export function withProofs<I extends Draft, R extends { leave_id: string }>(run: (ctx: LeaveCtx, draft: I) => Promise<R>) {
  return {
    before: async (pre: Pre, draft: I) => {
      const held = draft.prev_leave_id === undefined ? {} : { held_by: { ref_kind, ref_id: draft.prev_leave_id } }
      const enters = await Promise.all([...new Set(draft.attach_keys)].map(file_key => claim(pre, { file_key, purpose, ...held })))
      return async (ctx: LeaveCtx): Promise<R> => {
        const made = await run(ctx, draft)
        for (const enter of enters) await enter(ctx, { ref_kind, ref_id: made.leave_id })
        return made
      }
    },
  }
}

/** Proofs with addresses that this viewer alone can open, for five minutes. */
export function shownProofs({ app, now, school_id, me }: LeaveCtx, file_keys: readonly string[]): NonNullable<LeaveFile['attachments']> {
  return file_keys.map(file_key => ({ key: file_key, url: addressOf(app, now, { school_id, file_key, visibility: 'private' }, me) }))
}
