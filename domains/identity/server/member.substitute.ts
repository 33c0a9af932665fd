import { identityErrors, identityEvents } from '@campus/identity/contract'
import type { memberApi } from '@campus/identity/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { IdentityCtx } from './db.ts'
import { requireApart } from './duties-apart.ts'
import { newSpan } from './member.days.ts'
import { insertMembers } from './member.queries.ts'
import { findMembers, reachable, requireGivable } from './member.write.ts'
import { lastDay, schoolDay } from './school-day.ts'

/**
 * Lets a person act for the holder of a membership until a day: the same role, department and scope, marked by whom it is held for. Nobody gives
 * on what he holds for another, and it never outlasts the membership itself.
 * @throws Refusal 404 for a membership or people the caller does not reach, 409 memberEnded, alreadyMember, 422 substituteSelf, substituteChain,
 * substituteDates, memberDates, memberPast, notHeld, roleFixed, roleSynced, dutiesApart
 */
export async function addSubstitute(ctx: IdentityCtx, { role_no, user_id, reason, ...days }: Input<typeof memberApi.substitute>): Promise<Reply<typeof memberApi.substitute>> {
  const { db, school_id, me, now } = ctx
  const [had] = await findMembers(ctx, [role_no])
  const names = await reachable(ctx, had ? [had.user_id, user_id] : [])
  if (!had || !names.has(had.user_id)) throw fail(commonErrors.notFound)
  if (!names.has(user_id)) throw fail(identityErrors.memberUnknown)
  if (had.user_id === user_id) throw fail(identityErrors.substituteSelf, { errors: [{ field: 'user_id', msg: identityErrors.substituteSelf.msg }] })
  if (had.acted_for !== null) throw fail(identityErrors.substituteChain)
  if (had.valid_to && had.valid_to <= now) throw fail(identityErrors.memberEnded)
  const { role_id, user_dep, scope_ids } = had
  await requireGivable(ctx, role_id)
  const span = newSpan(days, now)
  if (had.valid_to && (!span.valid_to || span.valid_to > had.valid_to)) throw fail(identityErrors.substituteDates, { errors: [{ field: 'valid_to', msg: identityErrors.substituteDates.msg }] })
  const given = await insertMembers(db, { school_id, role_id, ...span, reason, by: me.user_id, now, acted_for: had.user_id, scope_ids }, [{ user_id, user_dep }])
  const [made] = given.values()
  if (made === undefined) throw fail(identityErrors.alreadyMember)
  await requireApart(ctx)
  await publish(ctx, identityEvents.memberStarted, { members: [{ role_no: made, role_id, user_id }] })
  const told = { valid_from: schoolDay(span.valid_from), valid_to: lastDay(span.valid_to) }
  const after = { role: had.role_name, substitute: names.get(user_id), acted_for: had.user_name, ...told }
  ctx.note({ target_kind: 'identity.member', target_id: made, target_name: names.get(user_id), after, ...(reason ? { reason } : {}) })
  return { role_no: made, ...told }
}
