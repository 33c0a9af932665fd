import type { RoleEntry, SessionRow } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Me, Pre } from '@kit/server/http'
import type { z } from 'zod'
import { schoolsOf } from './account.queries.ts'
import type { Desk, IdentityCtx, IdentityHandle } from './db.ts'
import { forgetSessions } from './gate.ts'
import { openSchools, usableRoles } from './role-list.service.ts'
import { isSingleSchool, revokeSession } from './session.queries.ts'

type Row = z.output<typeof SessionRow>

/** The caller's live sessions in all his schools, newest use first. */
export async function listOwnSessions(pre: Pre): Promise<{ list: Row[] }> {
  const { desk, me, school_ids } = await ownSchools(pre)
  const rows = await Promise.all(school_ids.map(school_id => desk.own(school_id, db => findLive(db, school_id, me.user_id, desk.now))))
  const newest = rows.flat().toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime())
  const list = newest.map(({ started_at, seen_at, role_name, ...row }) => {
    const times = { started_at: started_at.toISOString(), seen_at: seen_at.toISOString() }
    return { ...row, ...times, role_name: role_name ?? '超级管理员', is_current: row.session_id === me.session_id }
  })
  return { list }
}

/**
 * Ends one of the caller's own sessions, in whichever of his schools it is.
 * @throws Refusal 404 when it is none of his or over already
 */
export async function revokeOwnSession(pre: Pre, session_id: string): Promise<Record<string, never>> {
  const { desk, me, school_ids } = await ownSchools(pre)
  for (const school_id of school_ids) {
    const reason = session_id === me.session_id ? 'logout' : 'kicked'
    const ended = await desk.own(school_id, db => revokeSession(db, session_id, { app: desk.app, school_id, user_id: me.user_id, reason, now: desk.now }))
    if (!ended) continue
    forgetSessions(desk.app, [session_id])
    pre.note({ target_kind: 'session', target_id: session_id })
    return {}
  }
  throw fail(commonErrors.notFound)
}

/** All identities the caller could switch to, his present one among them. */
export async function listOwnRoles(pre: Pre): Promise<{ list: RoleEntry[] }> {
  const { desk, me, school_ids } = await ownSchools(pre)
  const account = await desk.own(0, db => db.selectFrom('account').select(['user_id', 'username', 'super_slot']).where('user_id', '=', me.user_id).executeTakeFirst())
  if (!account) throw fail(commonErrors.unauthorized)
  const schools = await openSchools(desk, account, school_ids)
  const here = schools.find(school => school.school_id === me.school_id)
  return { list: usableRoles(schools, { school_id: me.school_id, school_type: here?.school_type }) }
}

/** Ends the calling session. */
export async function endOwnSession(ctx: IdentityCtx): Promise<Record<string, never>> {
  const { school_id, user_id, session_id } = ctx.me
  await revokeSession(ctx.db, session_id, { app: ctx.app, school_id, user_id, reason: 'logout', now: ctx.now })
  forgetSessions(ctx.app, [session_id])
  return {}
}

/** Whether the caller still uses a password that somebody else gave him. */
export async function isDefaultPassword({ db, me }: IdentityCtx): Promise<{ is_default: number }> {
  const account = await db.selectFrom('account').select('pwd_state').where('user_id', '=', me.user_id).executeTakeFirst()
  return { is_default: account && account.pwd_state !== 1 ? 1 : 0 }
}

async function ownSchools(pre: Pre): Promise<{ desk: Desk; me: Me; school_ids: number[] }> {
  const desk: Desk = pre
  const me = pre.me
  if (!me) throw fail(commonErrors.unauthorized)
  // Whoever a school's provider has let in stays in that school.
  const is_single = await desk.own(me.school_id, db => isSingleSchool(db, me.school_id, me.session_id))
  return { desk, me, school_ids: is_single ? [me.school_id] : await desk.own(0, db => schoolsOf(db, me.user_id)) }
}

function findLive(db: IdentityHandle, school_id: number, user_id: string, now: Date) {
  return db
    .selectFrom('session as s')
    .leftJoin('role_member as m', join => join.onRef('m.school_id', '=', 's.school_id').onRef('m.role_no', '=', 's.role_no'))
    .leftJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .where('s.school_id', '=', school_id)
    .where('s.user_id', '=', user_id)
    .where('s.revoked_at', 'is', null)
    // A sub-application opened from here is part of this session and ends with it.
    .where('s.parent_session_id', 'is', null)
    .where('s.idle_until', '>', now)
    .where('s.absolute_until', '>', now)
    .select(['s.session_id', 's.device_label', 's.ip', 's.started_at', 's.seen_at', 'r.name as role_name'])
    .execute()
}
