import type { PictureKind } from '@campus/school/contract'
import { Port } from '@kit/server/http'
import type { Pre } from '@kit/server/http'
import type { PictureFit } from '@kit/server/image'
import type { SchoolCtx } from './db.ts'

/** Keeps the pictures of schools; a lower domain than its keeper, so the keeper comes to it. */
export type PictureKeeper = {
  /**
   * Checks an uploaded picture of the caller's and writes it anew, before the transaction; the answer then makes it the school's.
   * @throws Refusal 404 for a key that is not the caller's, 415 when it is no picture
   */
  take(pre: Pre, file_key: string, fit: PictureFit): Promise<(ctx: SchoolCtx, kind: PictureKind) => Promise<void>>
  /** Nobody shows this one any more. */
  drop(ctx: SchoolCtx, kind: PictureKind, file_key: string): Promise<void>
}

/** Filled by files. */
export const pictureKeeperPort = new Port<PictureKeeper>('school.picture_keeper')
