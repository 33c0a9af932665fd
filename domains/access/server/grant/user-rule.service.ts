import { accessErrors, UserRuleRow } from '@campus/access/contract'
import type { userRuleApi } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import { kinds, scenes } from '../decide/facts.ts'
import type { Facts, UserRule } from '../decide/facts.ts'
import { lastDay, requireAssignable, spanOf } from './assign.ts'
import { concernedBy } from './concerned.ts'
import { placeNames } from './place.ts'
import { commit } from './plan.ts'
import { isSeen, requirePeople, scopesOf } from './scope.ts'

type Saved = Reply<typeof userRuleApi.add>

/** Rules of people in force or to come, or those of a day. */
export async function listUserRules(ctx: AccessCtx, { scene, keyword, rule_id, dept_id, at, page_index, page_size }: Input<typeof userRuleApi.list>): Promise<Reply<typeof userRuleApi.list>> {
  const { db, school_id, now } = ctx
  const moment = at === undefined ? now : startOfDate(at)
  const scopes = await scopesOf(ctx)
  if (dept_id !== undefined && !(await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst())) throw fail(commonErrors.notFound)
  const from = sql`user_rule r join access_rule a on a.school_id = ${school_id} and a.rule_id = r.rule_id
    join live_person l on l.school_id = ${school_id} and l.user_id = r.user_id and ${isSeen(scopes)} left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    where r.school_id = ${school_id} and r.scene = ${scene} and (r.valid_to is null or r.valid_to > ${moment}) and ${at === undefined ? sql`true` : sql`r.valid_from <= ${moment}`}
      and ${rule_id === undefined ? sql`true` : sql`r.rule_id = ${rule_id}`} and ${dept_id === undefined ? sql`true` : sql`l.label_dept_id = ${dept_id}`}
      and ${keyword === undefined ? sql`true` : sql`(strpos(l.user_name, ${keyword}) > 0 or starts_with(l.user_no, ${keyword}))`}`
  const { rows } = await sql<Record<string, unknown> & { in_place_ids: string[]; out_place_ids: string[]; valid_from: Date; valid_to: Date | null }>`
    select r.user_rule_id::text, r.user_id::text, l.user_name, l.user_no, d.dept_name, r.mode, r.rule_id::text, a.rule_name, r.scene, r.in_place_ids::text[] as in_place_ids, r.out_place_ids::text[] as out_place_ids,
      r.valid_from, r.valid_to, r.row_version
    from ${from} order by r.valid_from desc, r.user_rule_id limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  const names = await placeNames(db, school_id, rows.flatMap(row => [...row.in_place_ids, ...row.out_place_ids]))
  const places = (ids: readonly string[]) => ids.map(place_id => ({ place_id, place_name: names.get(place_id) ?? '已停用的场所' }))
  const list = rows.map(row => ({ ...row, in_places: places(row.in_place_ids), out_places: places(row.out_place_ids), valid_from: schoolDay(row.valid_from), valid_to: lastDay(row.valid_to) }))
  return { list: z.array(UserRuleRow).parse(list), total: counted.rows[0]?.total ?? 0 }
}

/** Gives people a rule of their own. @throws Refusal 404, 409 assignOverlap, 422 sceneMismatch, placeNoDoor, validRange, planRequired */
export async function addUserRules(ctx: AccessCtx, { user_ids, preview, plan_hash, ...draft }: Input<typeof userRuleApi.add>): Promise<Saved> {
  const people = await requirePeople(ctx, user_ids)
  const is_staff = draft.scene === scenes.staff
  if (people.some(person => (person.person_kind === kinds.student) === is_staff)) throw fail(accessErrors.sceneMismatch)
  await requireAssignable(ctx, draft.scene, draft)
  const span = spanOf(ctx, draft)
  const rows = people.map(({ user_id }) => ({ ...draft, ...span, school_id: ctx.school_id, user_id, updated_at: ctx.now, updated_by: ctx.me.user_id }))
  const change = (facts: Facts, from: number) => withRules(facts, [], rows.map((row, at) => ({ ...row, id: `new ${at}`, from: from === 0 ? 0 : span.valid_from.getTime(), to: span.valid_to?.getTime() ?? Infinity })), from)
  const { plan, written = 0 } = await commit(ctx, { whom: await concernedBy(ctx, { user_ids }), change, cause: causeOf(draft.rule_id) }, { preview, plan_hash }, async () => {
    await insertMany(ctx.db, 'user_rule', rows)
    ctx.note({ target_kind: 'access.user_rule', target_name: people[0]?.user_name, after: { ...draft, user_ids } })
    return rows.length
  })
  return { plan, saved: written }
}

/** Another rule, other doors or another end from now on; what was so far ends now. @throws Refusal as `addUserRules`, 409 assignStale */
export async function updateUserRule(ctx: AccessCtx, { user_rule_id, row_version, preview, plan_hash, ...patch }: Input<typeof userRuleApi.update>): Promise<Saved> {
  const [before] = await requireRules(ctx, [user_rule_id])
  if (!before || before.row_version !== row_version) throw fail(accessErrors.assignStale)
  await requireAssignable(ctx, before.scene, patch)
  const span = spanOf(ctx, patch)
  const { user_rule_id: _id, valid: _valid, ...kept } = before
  const row = { ...kept, ...patch, ...span, row_version: row_version + 1, updated_at: ctx.now, updated_by: ctx.me.user_id }
  const change = (facts: Facts, from: number) => withRules(facts, [user_rule_id], [{ ...row, id: 'new', from: from === 0 ? 0 : span.valid_from.getTime(), to: span.valid_to?.getTime() ?? Infinity }], from === 0 ? 0 : ctx.now.getTime())
  const { plan, written = 0 } = await commit(ctx, { whom: await concernedBy(ctx, { user_ids: [before.user_id] }), change, cause: causeOf(patch.rule_id) }, { preview, plan_hash }, async () => {
    await endRows(ctx, [user_rule_id])
    await ctx.db.insertInto('user_rule').values(row).execute()
    ctx.note({ target_kind: 'access.user_rule', target_id: user_rule_id, before: kept, after: patch })
    return 1
  })
  return { plan, saved: written }
}

/** Ends rules of people now; the days before stay as they were. @throws Refusal 404 */
export async function endUserRules(ctx: AccessCtx, { ids, preview, plan_hash }: Input<typeof userRuleApi.end>): Promise<Saved> {
  const before = await requireRules(ctx, ids)
  const change = (facts: Facts, from: number) => withRules(facts, ids, [], from === 0 ? 0 : ctx.now.getTime())
  const whom = await concernedBy(ctx, { user_ids: before.map(row => row.user_id) })
  const { plan, written = 0 } = await commit(ctx, { whom, change, cause: causeOf(before[0]?.rule_id ?? '') }, { preview, plan_hash }, async () => {
    await endRows(ctx, ids)
    ctx.note({ target_kind: 'access.user_rule', before: { ids } })
    return before.length
  })
  return { plan, saved: written }
}

const causeOf = (id: string) => ({ kind: 'rule', id }) as const

/** The facts with some rules ended at an instant and others added. */
function withRules(facts: Facts, ended: readonly string[], added: readonly UserRule[], at: number): Facts {
  const kept = [...facts.user_rules.values()].flat().map(rule => (ended.includes(rule.id) ? { ...rule, to: Math.min(rule.to, at) } : rule))
  return { ...facts, user_rules: Map.groupBy([...kept, ...added], rule => rule.user_id) }
}

async function endRows({ db, school_id, now }: AccessCtx, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('user_rule').where('school_id', '=', school_id).where('valid_from', '>=', now).where('user_rule_id', 'in', [...ids]).execute()
  await db.updateTable('user_rule').set({ valid_to: now, updated_at: now }).where('school_id', '=', school_id).where('user_rule_id', 'in', [...ids]).execute()
}

async function requireRules(ctx: AccessCtx, ids: readonly string[]) {
  const { db, school_id, now } = ctx
  const rows = await db.selectFrom('user_rule').selectAll().where('school_id', '=', school_id).where('user_rule_id', 'in', [...ids]).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)])).execute()
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  await requirePeople(ctx, rows.map(row => row.user_id))
  return rows
}
