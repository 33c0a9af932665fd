import { sql } from 'kysely'
import type { IdentityStep } from './db.ts'
import { forgetSessions } from './gate.ts'
import { tellEnded } from './realtime.tell.ts'

type Step = Pick<IdentityStep, 'app' | 'db' | 'school_id' | 'now'>
type Reason = 'role_ended' | 'role_disabled'

/** Ends every session under a role that is switched off; answers how many. */
export async function revokeRole(ctx: Step, role_id: string): Promise<number> {
  const { db, school_id } = ctx
  const members = db.selectFrom('role_member').select('role_no').where('school_id', '=', school_id).where('role_id', '=', role_id)
  return end(ctx, 'role_disabled', await live(ctx, 'role_disabled').where('role_no', 'in', members).execute())
}

/** Ends every session of these identities; answers how many. */
export async function revokeIdentities(ctx: Step, role_nos: readonly string[]): Promise<number> {
  return end(ctx, 'role_ended', await live(ctx, 'role_ended').where(sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`).execute())
}

function live({ db, school_id, now }: Step, revoke_reason: Reason) {
  return db.updateTable('session').set({ revoked_at: now, revoke_reason }).where('school_id', '=', school_id).where('revoked_at', 'is', null).returning('session_id')
}

async function end({ app, db, school_id, now }: Step, reason: Reason, rows: readonly { session_id: string }[]): Promise<number> {
  const session_ids = rows.map(row => row.session_id)
  forgetSessions(app, session_ids)
  await tellEnded({ app, db, school_id, now }, session_ids, reason)
  return rows.length
}
