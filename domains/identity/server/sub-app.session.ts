import { miniErrors } from '@campus/identity/contract'
import type { MiniSession, subAppApi } from '@campus/identity/contract'
import { subApps } from '@campus/school/contract'
import { serviceSwitches, subAppSettings } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import type { Desk, IdentityCtx } from './db.ts'
import { forgetSessions } from './gate.ts'
import { judgeRefresh, noteTheft } from './refresh.service.ts'
import { readRefreshCookie } from './session-token.ts'
import { revokeSession } from './session.queries.ts'
import { issueCredentials } from './session.service.ts'
import { miniCookieOf, setMiniCookie } from './sub-app.cookie.ts'
import { manifestOf } from './sub-app.manifest.ts'
import { findApp, isInitialised, mayOpen } from './sub-app.open.ts'
import { isShown, shownApps } from './sub-app.shown.ts'
import { welcome } from './sub-app.welcome.ts'

/**
 * Goes on with the session of a sub-application by its cookie: after a reload, or when the token runs out (chapter 80 M3, M8).
 * @throws Refusal 401 linkStale when it is over, or when school, module, service or, for what the hall opened, the app role stand no more
 */
export async function refreshMini(pre: Pre, app_code: string): Promise<MiniSession> {
  const desk: Desk = pre
  const secret = readRefreshCookie(desk.app, miniCookieOf(pre, app_code))
  if (!secret) throw fail(miniErrors.linkStale)
  const { school_id, session_id } = secret
  const open = await desk.own(school_id, db => findApp(desk, db, school_id, app_code))
  if (!open || !mayOpen(open) || !isInitialised(open)) throw fail(miniErrors.linkStale)
  const verdict = await desk.own(school_id, db => judgeRefresh(desk, db, secret, app_code))
  if (verdict.kind === 'stolen') noteTheft(pre, secret, verdict)
  if (verdict.kind !== 'good') throw fail(miniErrors.linkStale)
  const who = { school_id, user_id: verdict.user_id, role_no: verdict.role_no, mini: { app_code } }
  if (verdict.of_app_client && !(await desk.own(school_id, db => isShown(desk, db, who, app_code)))) throw fail(miniErrors.linkStale)
  pre.note({ school_id, user_id: who.user_id, user_no: verdict.user_no, user_name: verdict.user_name, role_no: who.role_no, target_kind: 'sub_app', target_id: app_code })
  const credentials = await issueCredentials(desk, who, session_id, verdict.next)
  setMiniCookie(pre, app_code, credentials.refresh)
  return welcome(desk, who, credentials)
}

/** Ends the calling session of a sub-application; the console's own way out is another call. */
export async function leaveMini({ app, db, me, now }: IdentityCtx): Promise<Record<string, never>> {
  if (!me.mini) throw fail(miniErrors.wrongApp)
  await revokeSession(db, me.session_id, { app, school_id: me.school_id, user_id: me.user_id, reason: 'logout', now })
  forgetSessions(app, [me.session_id])
  return {}
}

/** The calling sub-application: its pages, what of it the identity may use, and where it may lead to. */
export async function readManifest(ctx: IdentityCtx): Promise<Reply<typeof subAppApi.manifest>> {
  const { app, db, me, school_id } = ctx
  const fact = subApps.find(known => known.code === me.mini?.app_code)
  const school = await serviceSwitches(db, school_id)
  if (!fact || !school) throw fail(commonErrors.notFound)
  const { pages, features } = manifestOf(app, fact.code)
  const held = features.filter(({ need }) => need === undefined || me.codes.has(need)).map(({ code }) => code)
  return { code: fact.code, title: fact.title, pages: [...pages], features: held, apps: await tilesOf(ctx, school) }
}

type School = { school_type: number; cloud_fee: number }

/** What a person can really open: shown by his app roles, in their order, licensed, of this kind of school, built or a partner's, its service set up. */
async function tilesOf(ctx: IdentityCtx, school: School): Promise<Reply<typeof subAppApi.manifest>['apps']> {
  const settings = await subAppSettings(ctx, ctx.db, ctx.school_id)
  const shown = await shownApps(ctx, ctx.db, { school_id: ctx.school_id, user_id: ctx.me.user_id, role_no: ctx.me.role_no })
  return shown.flatMap(code => {
    const app = subApps.find(known => known.code === code)
    const setting = settings.get(code)
    if (!app || app.code === 'hall') return []
    const is_partner = setting !== undefined && setting.address !== null
    const is_there = setting?.enabled !== false && (is_partner || 'built' in app)
    const fits = app.school_types.some(type => type === school.school_type) && !('cloud_fee' in app && school.cloud_fee === 0)
    return is_there && fits ? [{ code: app.code, title: app.title, is_partner }] : []
  })
}
