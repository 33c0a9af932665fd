import type { PictureKeeper } from '@campus/school/server'
import { setTimer } from '@kit/server/event'
import { claim, release } from './claim.ts'
import { asFiles } from './db.ts'
import { findFile } from './object.queries.ts'

const refOf = (kind: string) => ({ ref_kind: 'school.picture', ref_id: kind })

/** Logo and login picture of a school are files like any other; everybody sees them. */
export const schoolPictures: PictureKeeper = {
  async take(pre, file_key, fit) {
    const enter = await claim(pre, { file_key, purpose: 'logo', fit })
    return async (ctx, kind) => void (await enter(ctx, refOf(kind)))
  },
  async drop(ctx, kind, file_key) {
    await release(ctx, refOf(kind), { file_key })
    // One that was taken in before there were files has no row: nobody counts its days.
    const is_older = !(await findFile(asFiles(ctx.db), { school_id: ctx.school_id, file_key }))
    if (is_older) await setTimer(ctx, { kind: 'files.remove', ref: file_key, due_at: ctx.now })
  },
}
