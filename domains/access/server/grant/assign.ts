import { accessErrors } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { addDays, startOfDate } from '@kit/terminal-protocol'
import type { AccessCtx } from '../db.ts'
import { requireDoors } from './place.ts'

/** What every assignment says: which rule, through which doors, from which day to which (both included, as people say it). */
export type Doors = { rule_id: string; in_place_ids: string[]; out_place_ids: string[]; valid_from: string; valid_to: string | null }

/** From now where it begins today, to the end of its last day. @throws Refusal 422 validRange */
export function spanOf({ now }: Pick<AccessCtx, 'now'>, { valid_from, valid_to }: Pick<Doors, 'valid_from' | 'valid_to'>): { valid_from: Date; valid_to: Date | null } {
  if (valid_to !== null && valid_to < valid_from) throw fail(accessErrors.validRange)
  const from = valid_from <= schoolDay(now) ? now : startOfDate(valid_from)
  const to = valid_to === null ? null : startOfDate(addDays(valid_to, 1))
  if (to !== null && to <= from) throw fail(accessErrors.validRange)
  return { valid_from: from, valid_to: to }
}

/** The last day of a span that ends at midnight or within a day. */
export function lastDay(valid_to: Date | null): string | null {
  return valid_to === null ? null : schoolDay(new Date(valid_to.getTime() - 1))
}

/** The rule is there and made for this scene, and the doors have the directions. @throws Refusal 404, 422 sceneMismatch, noDoor, placeNoDoor */
export async function requireAssignable(ctx: AccessCtx, scene: number, { rule_id, in_place_ids, out_place_ids }: Doors): Promise<void> {
  const rule = await ctx.db.selectFrom('access_rule').select(['scene', 'enabled']).where('school_id', '=', ctx.school_id).where('rule_id', '=', rule_id).executeTakeFirst()
  if (!rule) throw fail(commonErrors.notFound)
  if (rule.scene !== scene || !rule.enabled) throw fail(accessErrors.sceneMismatch)
  await requireDoors(ctx, { in_place_ids, out_place_ids })
}
