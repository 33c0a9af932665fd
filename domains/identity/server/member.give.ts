import { memberApi } from '@campus/identity/contract'
import { commonErrors, fail, needOf } from '@kit/contract'
import type { Ctx } from '@kit/server/http'
import { asIdentity } from './db.ts'
import type { IdentityCtx } from './db.ts'
import { addMembers, endMembers } from './member.write.ts'

const whole_school = '1'

/**
 * Brings the roles that somebody holds now to these: what is missing is given from now on for the whole school, what is too much ends with its sessions. The
 * caller needs the permission to give roles, and gives none that reaches further than his own (chapter 10 R7).
 * @throws Refusal 403 without that permission, else as `addMembers` and `endMembers`
 */
export async function setRoles<DB>(caller: Ctx<DB>, user_id: string, role_ids: readonly string[]): Promise<void> {
  const ctx: IdentityCtx = { ...caller, db: asIdentity(caller.db) }
  const held = await heldRoles(ctx, user_id)
  const fresh = [...new Set(role_ids)].filter(role_id => held.every(member => member.role_id !== role_id))
  const over = held.filter(member => member.acted_for === null && !role_ids.includes(member.role_id))
  if (fresh.length + over.length === 0) return
  if (!ctx.me.codes.has(needOf(memberApi.add) ?? '')) throw fail(commonErrors.forbidden)
  for (const role_id of fresh) await addMembers(ctx, { role_id, users: [{ user_id, user_dep: whole_school }] })
  if (over.length > 0) await endMembers(ctx, { role_nos: over.map(member => member.role_no) })
}

/** Memberships in force. What he holds for another ends with that, not here. */
function heldRoles({ db, school_id, now }: IdentityCtx, user_id: string) {
  return db
    .selectFrom('role_member as m')
    .innerJoin('role as r', join => join.onRef('r.school_id', '=', 'm.school_id').onRef('r.role_id', '=', 'm.role_id'))
    .select(['m.role_no', 'm.role_id', 'm.acted_for'])
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where('r.is_app', '=', false)
    .where('r.removed_at', 'is', null)
    .where('m.valid_from', '<=', now)
    .where(eb => eb.or([eb('m.valid_to', 'is', null), eb('m.valid_to', '>', now)]))
    .execute()
}
