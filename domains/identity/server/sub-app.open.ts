import { createHmac, randomBytes } from 'node:crypto'
import { cloudErrors } from '@campus/identity/contract'
import type { subAppApi } from '@campus/identity/contract'
import { ownAddress, subApps } from '@campus/school/contract'
import type { SubAppCode, SubAppFact } from '@campus/school/contract'
import { serviceSwitches, subAppSetting } from '@campus/school/server'
import type { SettingDesk, SubAppSetting } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import type { App, Me, Pre } from '@kit/server/http'
import type { Desk, IdentityHandle } from './db.ts'
import { link_ms, makeLink } from './sub-app-link/link.ts'
import { isShown } from './sub-app.shown.ts'
import { hashToken } from './ticket.queries.ts'

const nonce_bytes = 16

/** A sub-application as it stands in a school today. */
export type OpenApp = { fact: SubAppFact; setting: SubAppSetting; school: NonNullable<Awaited<ReturnType<typeof serviceSwitches>>> }

/** A sub-application and what its school says of it; null for an unknown school or code. */
export async function findApp(desk: SettingDesk, db: IdentityHandle, school_id: number, code: string): Promise<OpenApp | null> {
  const fact = subApps.find(app => app.code === code)
  const school = await serviceSwitches(db, school_id)
  return fact && school ? { fact, school, setting: await subAppSetting(desk, db, school_id, code) } : null
}

/** Whether somebody of this school may open it at all: licensed today and of its kind of school. */
export function mayOpen({ fact, setting, school }: OpenApp): boolean {
  return setting.enabled && fact.school_types.some(type => type === school.school_type)
}

/** Whether the service it rests on was set up. */
export function isInitialised({ fact, school }: OpenApp): boolean {
  return !fact.cloud_fee || school.cloud_fee === 1
}

/** The secret that signs the links of a sub-application: the partner's, or one of this installation for this school and code. */
export function linkSecret(app: App, setting: SubAppSetting, school_id: number, code: string): string {
  return setting.secret ?? createHmac('sha256', app.secrets.token_key).update(`sub_app:${school_id}:${code}`).digest('hex')
}

/**
 * A signed link for the acting identity, good once and for five minutes (chapter 10 N7). Who is meant lies with the ticket of its nonce.
 * @throws Refusal 403 when the school or the role does not have it, 409 cloud_not_initialised
 */
export async function openLink(pre: Pre, code: SubAppCode): Promise<Reply<typeof subAppApi.link>> {
  const { me, open } = await openFor(pre, code)
  const nonce = randomBytes(nonce_bytes).toString('base64url')
  const expire_at = new Date(pre.now.getTime() + link_ms)
  const desk: Desk = pre
  const ticket = { ticket_hash: hashToken(nonce), purpose: 'sub_app', user_id: me.user_id, school_id: me.school_id, app_code: code, session_id: me.session_id, expire_at }
  await desk.own(0, db => db.insertInto('ticket').values(ticket).execute())
  const facts = { user_no: me.user_no, timestamp: pre.now.getTime(), school_id: me.school_id, app: code, nonce }
  const { setting, fact } = open
  const url = makeLink(setting.address ?? ownAddress(fact, pre.app.config.CAMPUS_SUB_APP_BASE || '/mini'), facts, setting.sign_mode, linkSecret(pre.app, setting, me.school_id, code))
  return { url, expire_at: expire_at.toISOString() }
}

/**
 * The caller and the sub-application he may open now.
 * @throws Refusal 403, 409 as `openLink`
 */
export async function openFor(pre: Pre, code: SubAppCode): Promise<{ me: Me; open: OpenApp }> {
  const { me } = pre
  if (!me) throw fail(commonErrors.unauthorized)
  const desk: Desk = pre
  const open = await desk.own(me.school_id, db => findApp(desk, db, me.school_id, code))
  if (!open || !mayOpen(open)) throw fail(commonErrors.forbidden)
  if (me.mini && !(await desk.own(me.school_id, db => isShown(desk, db, me, code)))) throw fail(commonErrors.forbidden)
  if (!isInitialised(open)) throw fail(cloudErrors.cloud_not_initialised)
  return { me, open }
}
