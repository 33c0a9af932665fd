import type { PictureKind, SchoolDetail } from '@campus/school/contract'
import type { Pre } from '@kit/server/http'
import type { PictureFit } from '@kit/server/image'
import type { SchoolCtx } from './db.ts'
import { show } from './info.service.ts'
import { pictureKeeperPort } from './picture-keeper.ts'
import { findSchool, savePicture } from './school.queries.ts'

const columns = { logo: 'school_logo', login_bg: 'login_bg' } as const
const names = { logo: '校徽', login_bg: '登录页背景' } as const
const fits: Record<PictureKind, PictureFit> = { logo: { width: 512, height: 512 }, login_bg: { width: 1920, height: 1920 } }

/**
 * Takes an uploaded picture as the school's: written anew, shown everywhere at once.
 * @throws Refusal 404 for a key that is not the caller's own, 415 when the file is no picture, whatever its name says
 */
export async function keepPicture(pre: Pre, { kind, file_key }: { kind: PictureKind; file_key: string }): Promise<(ctx: SchoolCtx) => Promise<SchoolDetail>> {
  const enter = await pictureKeeperPort.one(pre.app).take(pre, file_key, fits[kind])
  return async ctx => {
    await dropOld(ctx, kind, file_key)
    await enter(ctx, kind)
    return point(ctx, kind, file_key)
  }
}

/** The school has no such picture any more. */
export async function dropPicture(ctx: SchoolCtx, kind: PictureKind): Promise<SchoolDetail> {
  await dropOld(ctx, kind, null)
  return point(ctx, kind, null)
}

async function dropOld(ctx: SchoolCtx, kind: PictureKind, fresh: string | null): Promise<void> {
  const old = (await findSchool(ctx.db, ctx.school_id))?.[columns[kind]] ?? null
  if (old !== null && old !== fresh) await pictureKeeperPort.one(ctx.app).drop(ctx, kind, old)
}

async function point(ctx: SchoolCtx, kind: PictureKind, file_key: string | null): Promise<SchoolDetail> {
  const school = await savePicture(ctx.db, { school_id: ctx.school_id, column: columns[kind], file_key, by: ctx.me.user_id, now: ctx.now })
  ctx.note({ target_kind: 'school', target_id: String(ctx.school_id), target_name: school.school_name, after: { [names[kind]]: file_key === null ? '无' : '已更换' } })
  return show(school)
}
