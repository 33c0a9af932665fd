import { claim } from '@campus/files/server'
import type { Pre } from '@kit/server/http'
import type { AttendanceCtx } from '../db.ts'

/** Uploaded evidence enters use with the corrections it is for. @throws Refusal 404, 415 for a file that is not one's own upload */
export function withEvidence<I extends { file_keys: string[] }, R>(
  run: (ctx: AttendanceCtx, input: I) => Promise<R>,
  madeOf: (reply: R) => readonly string[],
) {
  return {
    before: async (pre: Pre, input: I) => {
      const enters = await Promise.all(input.file_keys.map(file_key => claim(pre, { file_key, purpose: 'attachment' })))
      return async (ctx: AttendanceCtx): Promise<R> => {
        const reply = await run(ctx, input)
        for (const ref_id of madeOf(reply)) for (const enter of enters) await enter(ctx, { ref_kind: 'attendance.correction', ref_id })
        return reply
      }
    },
  }
}
