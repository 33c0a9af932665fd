import { miniErrors } from '@campus/identity/contract'
import type { MiniSession, PartnerView } from '@campus/identity/contract'
import { fail } from '@kit/contract'
import { maskName } from '@kit/contract/checks'
import type { Pre } from '@kit/server/http'
import type { z } from 'zod'
import type { Desk, IdentityHandle } from './db.ts'
import { identityOf, isLive } from './gate.ts'
import { findSession, insertSession } from './session.queries.ts'
import { issueCredentials } from './session.service.ts'
import { linkEntry, setMiniCookie } from './sub-app.cookie.ts'
import { isSame, isSigned, link_ms, partnerProof, readLink } from './sub-app-link/link.ts'
import type { ReceivedLink } from './sub-app-link/link.ts'
import { findApp, isInitialised, linkSecret, mayOpen } from './sub-app.open.ts'
import type { OpenApp } from './sub-app.open.ts'
import { isShown } from './sub-app.shown.ts'
import { welcome } from './sub-app.welcome.ts'
import { hashToken } from './ticket.queries.ts'

const active_school = 2

type Session = NonNullable<Awaited<ReturnType<typeof findSession>>> & { session_id: string }

/**
 * Turns a signed link into the session of one sub-application, once (chapter 80 M2); for a partner's address into what its server may know.
 * @throws Refusal 401 linkStale, the same for every cause; the true one stands in the log
 */
export async function verifyLink(pre: Pre, text: string): Promise<MiniSession | z.output<typeof PartnerView>> {
  const desk: Desk = pre
  const link = readLink(text)
  const open = link && (await desk.own(link.school_id, db => findApp(desk, db, link.school_id, link.app)))
  if (!link || !open) throw fail(miniErrors.linkStale)
  const secret = linkSecret(desk.app, open.setting, link.school_id, link.app)
  if (!isSigned(link, open.setting.sign_mode, secret)) throw fail(miniErrors.linkStale)
  pre.note({ school_id: link.school_id, user_no: link.user_no, target_kind: 'sub_app', target_id: link.app, target_name: open.fact.title })
  if (open.setting.address !== null && !isSame(pre.bearer, partnerProof(link.sign, secret))) return stale(pre, '合作方凭证不符')
  const cause = standing(desk, link, open)
  if (cause !== null) return stale(pre, cause)
  const parent = await holderOf(pre, link)
  if (parent.client === 'mini' && !(await desk.own(link.school_id, db => isShown(desk, db, { school_id: link.school_id, user_id: parent.user_id, role_no: parent.role_no }, link.app)))) return stale(pre, '应用角色未开放此应用')
  if (!isInitialised(open)) return stale(pre, '云收费未初始化')
  pre.note({ user_id: parent.user_id, user_name: parent.user_name ?? undefined, role_no: parent.role_no })
  return open.setting.address === null ? begin(pre, link, parent) : partnerView(link, parent)
}

/** Everything that does not need the ticket, in the order of the rule. */
function standing(desk: Desk, { timestamp }: ReceivedLink, open: OpenApp): string | null {
  if (Math.abs(desk.now.getTime() - timestamp) > link_ms) return '链接超过五分钟'
  if (open.school.state !== active_school) return '学校未启用'
  return mayOpen(open) ? null : '模块未开通'
}

/** Spends the ticket behind the nonce and finds the session that asked for the link, still alive. */
async function holderOf(pre: Pre, link: ReceivedLink): Promise<Session> {
  const desk: Desk = pre
  const ticket = await desk.own(0, db => spend(db, link, desk.now))
  if (!ticket?.session_id) return stale(pre, '链接已使用')
  const { session_id } = ticket
  const parent = await desk.own(link.school_id, async db => {
    const session = await findSession(db, link.school_id, session_id, desk.now)
    const identity = session && isLive(session, desk.now) ? await identityOf(db, link.school_id, session, desk.now) : undefined
    return identity?.enabled ? session : undefined
  })
  if (!parent || parent.user_id !== ticket.user_id) return stale(pre, '原会话或身份已结束')
  return { ...parent, session_id }
}

function spend(db: IdentityHandle, { nonce, school_id, app }: ReceivedLink, now: Date) {
  return db
    .updateTable('ticket')
    .set({ used_at: now })
    .where('ticket_hash', '=', hashToken(nonce))
    .where('purpose', '=', 'sub_app')
    .where('school_id', '=', school_id)
    .where('app_code', '=', app)
    .where('used_at', 'is', null)
    .returning(['user_id', 'session_id'])
    .executeTakeFirst()
}

async function begin(pre: Pre, { school_id, app }: ReceivedLink, parent: Session): Promise<MiniSession> {
  const desk: Desk = pre
  const is_mini = parent.client === 'mini'
  const mini = linkEntry(app, { session_id: parent.session_id, is_mini, until: parent.absolute_until })
  const who = { school_id, user_id: parent.user_id, role_no: parent.role_no, mini }
  const { device_label, ip } = pre.request
  const { session_id } = await desk.own(school_id, db => insertSession({ ...desk, db }, { ...who, device_label, ip }))
  const credentials = await issueCredentials(desk, who, session_id, 1)
  setMiniCookie(pre, app, credentials.refresh)
  return welcome(desk, who, credentials)
}

function partnerView({ school_id, app }: ReceivedLink, { user_no, username, user_name, user_kind }: Session): z.output<typeof PartnerView> {
  return { user_no: user_no ?? username ?? '', school_id, app, name: maskName(user_name ?? ''), kind: user_kind ?? 0 }
}

function stale(pre: Pre, reason: string): never {
  pre.note({ reason })
  throw fail(miniErrors.linkStale)
}
