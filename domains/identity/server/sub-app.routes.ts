import { aiHelpApi, cloudFeeApi, subAppApi } from '@campus/identity/contract'
import { serviceSwitches } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { openHelp } from './ai-help.ts'
import { implement } from './db.ts'
import type { IdentityCtx } from './db.ts'
import { dropMiniCookie } from './sub-app.cookie.ts'
import { openLink } from './sub-app.open.ts'
import { thirdToken } from './sub-app.partner.ts'
import { leaveMini, readManifest, refreshMini } from './sub-app.session.ts'
import { verifyLink } from './sub-app.verify.ts'

export const subAppRoutes = [
  ...implement(subAppApi, {
    link: { outside: (pre, { code }) => openLink(pre, code) },
    thirdToken: { outside: (pre, { code }) => thirdToken(pre, code) },
    manifest: ctx => readManifest(ctx),
    verify: { outside: (pre, { query }) => verifyLink(pre, query) },
    refresh: { outside: (pre, { app }) => refreshMini(pre, app) },
    leave: {
      before: async pre => {
        if (pre.me?.mini) dropMiniCookie(pre, pre.me.mini.app_code)
        return ctx => leaveMini(ctx)
      },
    },
  }),
  ...implement(cloudFeeApi, { enable: (ctx, { school_id }) => isCloudFeeOn(ctx, school_id) }),
  ...implement(aiHelpApi, { frame: ctx => openHelp(ctx) }),
]

async function isCloudFeeOn(ctx: IdentityCtx, school_id: number): Promise<{ enable: number }> {
  if (school_id !== ctx.school_id) throw fail(commonErrors.forbidden)
  const school = await serviceSwitches(ctx.db, school_id)
  return { enable: school?.cloud_fee ?? 0 }
}
