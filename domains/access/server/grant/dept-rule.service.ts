import { accessErrors, DeptRuleRow } from '@campus/access/contract'
import type { deptRuleApi } from '@campus/access/contract'
import { inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { startOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import type { DeptRule, Facts } from '../decide/facts.ts'
import { lastDay, requireAssignable, spanOf } from './assign.ts'
import { concernedBy } from './concerned.ts'
import type { Concerned } from './concerned.ts'
import { placeNames } from './place.ts'
import { commit } from './plan.ts'
import type { Change } from './plan.ts'
import { requireDepts, scopeOf } from './scope.ts'

type Saved = Reply<typeof deptRuleApi.add>

/** Rules of departments in force or to come, or those of a day, with how many people are below. */
export async function listDeptRules(ctx: AccessCtx, { scene, keyword, rule_id, dept_id, at, page_index, page_size }: Input<typeof deptRuleApi.list>): Promise<Reply<typeof deptRuleApi.list>> {
  const { db, school_id, now } = ctx
  const scope = await scopeOf(ctx, scene)
  if (dept_id !== undefined) await requireDepts(ctx, [dept_id], scope)
  const moment = at === undefined ? now : startOfDate(at)
  const tree = scene === 2 ? sql`staff_membership` : sql`student_membership`
  const from = sql`dept_rule r join access_rule a on a.school_id = ${school_id} and a.rule_id = r.rule_id left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    where r.school_id = ${school_id} and r.scene = ${scene} and (r.valid_to is null or r.valid_to > ${moment}) and ${at === undefined ? sql`true` : sql`r.valid_from <= ${moment}`}
      and (r.dept_id is null or ${inScope('r.dept_id', scope)}) and ${rule_id === undefined ? sql`true` : sql`r.rule_id = ${rule_id}`} and ${dept_id === undefined ? sql`true` : sql`r.dept_id = ${dept_id}`}
      and ${keyword === undefined ? sql`true` : sql`(strpos(d.dept_name, ${keyword}) > 0 or strpos(a.rule_name, ${keyword}) > 0)`}`
  const { rows } = await sql<Row>`
    select r.dept_rule_id::text, r.dept_id::text, coalesce(d.dept_name, r.grade) as dept_name, r.study_method, r.by_bus, r.max_stay_min, r.rule_id::text, a.rule_name, r.scene,
      r.in_place_ids::text[] as in_place_ids, r.out_place_ids::text[] as out_place_ids, r.valid_from, r.valid_to, r.row_version,
      (select count(distinct m.user_id)::int from ${tree} m join dept_now b on b.school_id = ${school_id} and b.id = m.dept_id and b.node_path >= d.node_path and b.node_path < left(d.node_path, -1) || '0'
        where m.school_id = ${school_id} and m.valid_from <= ${schoolDay(now)}::date and (m.valid_to is null or m.valid_to > ${schoolDay(now)}::date)) as people
    from ${from} order by d.node_path, r.valid_from, r.dept_rule_id limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  return { list: await named(ctx, rows), total: counted.rows[0]?.total ?? 0 }
}

type Row = Record<string, unknown> & { in_place_ids: string[]; out_place_ids: string[]; valid_from: Date; valid_to: Date | null }

async function named({ db, school_id }: AccessCtx, rows: readonly Row[]): Promise<DeptRuleRow[]> {
  const names = await placeNames(db, school_id, rows.flatMap(row => [...row.in_place_ids, ...row.out_place_ids]))
  const places = (ids: readonly string[]) => ids.map(place_id => ({ place_id, place_name: names.get(place_id) ?? '已停用的场所' }))
  return z.array(DeptRuleRow).parse(rows.map(row => ({ ...row, in_places: places(row.in_place_ids), out_places: places(row.out_place_ids), valid_from: schoolDay(row.valid_from), valid_to: lastDay(row.valid_to) })))
}

/** Lets departments go by a rule. @throws Refusal 404, 409 assignOverlap, 422 sceneMismatch, placeNoDoor, validRange, planRequired */
export async function addDeptRules(ctx: AccessCtx, { dept_ids, preview, plan_hash, ...draft }: Input<typeof deptRuleApi.add>): Promise<Saved> {
  await requireDepts(ctx, dept_ids, await scopeOf(ctx, draft.scene))
  await requireAssignable(ctx, draft.scene, draft)
  const span = spanOf(ctx, draft)
  const rows = [...new Set(dept_ids)].map(dept_id => ({ ...draft, ...span, school_id: ctx.school_id, dept_id, updated_at: ctx.now, updated_by: ctx.me.user_id }))
  const added = (from: number) => rows.map((row, at): DeptRule => ({ ...row, tag_id: null, id: `new ${at}`, level: `d${row.dept_id}`, from: from === 0 ? 0 : span.valid_from.getTime(), to: span.valid_to?.getTime() ?? Infinity }))
  const change = (facts: Facts, from: number) => ({ ...facts, dept_rules: [...facts.dept_rules, ...added(from)] })
  return save(ctx, { dept_ids, rule_id: draft.rule_id }, change, { preview, plan_hash }, async () => {
    await ctx.db.insertInto('dept_rule').values(rows).execute()
    ctx.note({ target_kind: 'access.dept_rule', after: { ...draft, dept_ids } })
    return rows.length
  })
}

/** The rule of a department from now on: what was so far ends now. @throws Refusal as `addDeptRules`, 409 assignStale */
export async function updateDeptRule(ctx: AccessCtx, { dept_rule_id, row_version, preview, plan_hash, ...patch }: Input<typeof deptRuleApi.update>): Promise<Saved> {
  const [before] = await requireDeptRules(ctx, [dept_rule_id])
  if (!before || before.row_version !== row_version) throw fail(accessErrors.assignStale)
  await requireAssignable(ctx, before.scene, patch)
  const span = spanOf(ctx, patch)
  const { dept_rule_id: _id, valid: _valid, ...kept } = before
  const row = { ...kept, ...patch, ...span, row_version: row_version + 1, updated_at: ctx.now, updated_by: ctx.me.user_id }
  const change = (facts: Facts, from: number) => {
    const added = { ...row, id: 'new', level: before.dept_id === null ? `g${before.grade}` : `d${before.dept_id}`, from: from === 0 ? 0 : span.valid_from.getTime(), to: span.valid_to?.getTime() ?? Infinity }
    return { ...facts, dept_rules: [...ended(facts, [dept_rule_id], from === 0 ? 0 : ctx.now.getTime()), added] }
  }
  return save(ctx, { ...concernedIn([before]), rule_id: patch.rule_id }, change, { preview, plan_hash }, async () => {
    await endRows(ctx, [dept_rule_id])
    await ctx.db.insertInto('dept_rule').values(row).execute()
    ctx.note({ target_kind: 'access.dept_rule', target_id: dept_rule_id, before: kept, after: patch })
    return 1
  })
}

/** Ends rules of departments now; the days before stay as they were. @throws Refusal 404 */
export async function endDeptRules(ctx: AccessCtx, { ids, preview, plan_hash }: Input<typeof deptRuleApi.end>): Promise<Saved> {
  const before = await requireDeptRules(ctx, ids)
  const change = (facts: Facts, from: number) => ({ ...facts, dept_rules: ended(facts, ids, from === 0 ? 0 : ctx.now.getTime()) })
  return save(ctx, { ...concernedIn(before), rule_id: before[0]?.rule_id ?? '' }, change, { preview, plan_hash }, async () => {
    await endRows(ctx, ids)
    ctx.note({ target_kind: 'access.dept_rule', before: { ids } })
    return before.length
  })
}

async function save(ctx: AccessCtx, of: Concerned & { rule_id: string }, change: Change, how: { preview: boolean; plan_hash: string | null }, write: () => Promise<number>): Promise<Saved> {
  const { plan, written = 0 } = await commit(ctx, { whom: await concernedBy(ctx, of), change, cause: { kind: 'rule', id: of.rule_id } }, how, write)
  return { plan, saved: written }
}

function concernedIn(rules: readonly { dept_id: string | null; grade: string | null }[]): Concerned {
  return { dept_ids: rules.flatMap(rule => rule.dept_id ?? []), grades: rules.flatMap(rule => (rule.dept_id === null ? (rule.grade ?? []) : [])) }
}

function ended(facts: Facts, ids: readonly string[], at: number): DeptRule[] {
  return facts.dept_rules.map(rule => (ids.includes(rule.id) ? { ...rule, to: Math.min(rule.to, at) } : rule))
}

/** One that has not begun is gone, one that has ends. */
async function endRows({ db, school_id, now }: AccessCtx, ids: readonly string[]): Promise<void> {
  await db.deleteFrom('dept_rule').where('school_id', '=', school_id).where('valid_from', '>=', now).where('dept_rule_id', 'in', [...ids]).execute()
  await db.updateTable('dept_rule').set({ valid_to: now, updated_at: now }).where('school_id', '=', school_id).where('dept_rule_id', 'in', [...ids]).execute()
}

async function requireDeptRules(ctx: AccessCtx, ids: readonly string[]) {
  const { db, school_id, now } = ctx
  const rows = await db.selectFrom('dept_rule').selectAll().where('school_id', '=', school_id).where('dept_rule_id', 'in', [...ids]).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)])).execute()
  if (rows.length < new Set(ids).size) throw fail(commonErrors.notFound)
  for (const row of rows) if (row.dept_id !== null) await requireDepts(ctx, [row.dept_id], await scopeOf(ctx, row.scene))
  return rows
}
