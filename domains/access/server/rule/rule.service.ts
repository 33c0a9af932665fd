import { accessErrors, RuleRow } from '@campus/access/contract'
import type { ruleApi } from '@campus/access/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { addDays, startOfDate, weekdayOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AccessCtx } from '../db.ts'
import type { Facts, Period, Rule, RuleDate } from '../decide/facts.ts'
import { dayMinutes, versionAt } from '../decide/minutes.ts'
import { readFacts } from '../decide/read-facts.ts'
import { readReceipts } from '../effect/effect.service.ts'
import type { Cause } from '../effect/record.ts'
import { concernedBy } from '../grant/concerned.ts'
import { commit } from '../grant/plan.ts'

const most_a_day = 8
const longest_days = 62
type Content = { periods: readonly Period[]; dates: readonly RuleDate[] }

/** Rules of a scene with how many go by each, and their weeks as they are now. */
export async function listRules({ db, school_id, now }: AccessCtx, { scene }: Input<typeof ruleApi.list>): Promise<Reply<typeof ruleApi.list>> {
  const list = await readRows({ db, school_id, now }, scene === undefined ? sql`true` : sql`r.scene = ${scene}`)
  return { list, total: list.length }
}

async function readRows({ db, school_id, now }: Pick<AccessCtx, 'db' | 'school_id' | 'now'>, which: ReturnType<typeof sql>): Promise<RuleRow[]> {
  const { rows } = await sql`
    select r.rule_id::text, r.rule_name, r.scene, r.enabled, r.remark, r.row_version, v.version, v.periods, v.dates,
      (select count(*)::int from dept_rule d where d.school_id = ${school_id} and d.rule_id = r.rule_id and (d.valid_to is null or d.valid_to > ${now})) as used_depts,
      (select count(*)::int from user_rule u where u.school_id = ${school_id} and u.rule_id = r.rule_id and (u.valid_to is null or u.valid_to > ${now})) as used_users
    from access_rule r join access_rule_version v on v.school_id = ${school_id} and v.rule_id = r.rule_id and v.valid_from <= ${now} and (v.valid_to is null or v.valid_to > ${now})
    where r.school_id = ${school_id} and ${which} order by r.scene, r.rule_id`.execute(db)
  return z.array(RuleRow).parse(rows)
}

/** @throws Refusal 404 */
async function requireRule(ctx: AccessCtx, rule_id: string): Promise<RuleRow> {
  const [found] = await readRows(ctx, sql`r.rule_id = ${rule_id}`)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** Which doors have taken the last change of a rule. @throws Refusal 404 */
export async function ruleReceipts(ctx: AccessCtx, { rule_id }: Input<typeof ruleApi.receipts>): Promise<Reply<typeof ruleApi.receipts>> {
  await requireRule(ctx, rule_id)
  return readReceipts(ctx, { kind: 'rule', id: rule_id })
}

/** A rule with its former and coming versions. */
export async function readRule(ctx: AccessCtx, { rule_id }: Input<typeof ruleApi.detail>): Promise<Reply<typeof ruleApi.detail>> {
  const rule = await requireRule(ctx, rule_id)
  const rows = await ctx.db.selectFrom('access_rule_version as v').leftJoin('person_label as l', join => join.onRef('l.school_id', '=', 'v.school_id').onRef('l.user_id', '=', 'v.published_by'))
    .select(['v.version', 'v.valid_from', 'v.valid_to', 'v.periods', 'l.display_name as by_name']).where('v.school_id', '=', ctx.school_id).where('v.rule_id', '=', rule_id).orderBy('v.version', 'desc').execute()
  const versions = rows.map(row => ({ ...row, valid_from: row.valid_from.toISOString(), valid_to: row.valid_to?.toISOString() ?? null, periods: RuleRow.shape.periods.parse(row.periods) }))
  return { rule, versions }
}

/** What a rule makes of each date, by the calendar of a grade (default: the whole school). */
export async function readDays(ctx: AccessCtx, { rule_id, from, to, grade: asked }: Input<typeof ruleApi.days>): Promise<Reply<typeof ruleApi.days>> {
  await requireRule(ctx, rule_id)
  const { calendar, rules } = await readFacts(ctx.db, ctx.school_id, startOfDate(from))
  const rule = rules.get(rule_id)
  const grade = asked ?? null
  const list: Reply<typeof ruleApi.days>['list'] = []
  for (let date = from; date <= to && list.length < longest_days; date = addDays(date, 1)) {
    const version = versionAt(rule, Math.max(startOfDate(date).getTime(), ctx.now.getTime()))
    const [day, next] = [calendar(grade, date), calendar(grade, addDays(date, 1))]
    const minutes = (direction: 1 | 2) => (version ? dayMinutes(version, calendar, { grade, date, direction }).map(([a, b]): [number, number] => [a, b]) : [])
    const label = day.is_teaching ? (next.is_teaching ? '' : '放假日') : next.is_teaching ? '返校日' : '休息'
    list.push({ date, is_teaching: day.is_teaching, is_moved: day.is_teaching && (day.weekday !== weekdayOfDate(date) || weekdayOfDate(date) > 5), label, in: minutes(1), out: minutes(2) })
  }
  return { list }
}

/** @throws Refusal 409 ruleName, 422 periodOverlap, tooManyPeriods */
export async function addRule(ctx: AccessCtx, { preview, plan_hash, periods, dates, ...draft }: Input<typeof ruleApi.add>): Promise<Reply<typeof ruleApi.add>> {
  refusePeriods({ periods, dates })
  // A new rule concerns nobody yet: its plan is that nothing changes.
  const { plan, written } = await commit(ctx, { whom: [], change: facts => facts, cause: { kind: 'rule', id: '' } }, { preview, plan_hash }, async () => {
    const { rule_id } = await ctx.db.insertInto('access_rule').values({ ...draft, school_id: ctx.school_id, updated_at: ctx.now, updated_by: ctx.me.user_id }).returning('rule_id').executeTakeFirstOrThrow()
    await ctx.db.insertInto('access_rule_version').values(versionOf(ctx, rule_id, 1, { periods, dates }, startOfDate(schoolDay(ctx.now)))).execute()
    return rule_id
  })
  if (written !== undefined) ctx.note({ target_kind: 'access.rule', target_id: written, target_name: draft.rule_name, after: { periods } })
  return { plan, rule: written === undefined ? null : await requireRule(ctx, written) }
}

/**
 * A new version of a rule, in force from now or from a later day; what has begun is never edited (R5).
 * @throws Refusal 404, 409 stale, ruleName, planStale, 422 ruleDay, planRequired
 */
export async function updateRule(ctx: AccessCtx, { rule_id, row_version, effective_from, preview, plan_hash, periods, dates, ...patch }: Input<typeof ruleApi.update>): Promise<Reply<typeof ruleApi.update>> {
  refusePeriods({ periods, dates })
  const before = await requireRule(ctx, rule_id)
  if (before.row_version !== row_version) throw fail(commonErrors.stale)
  const today = schoolDay(ctx.now)
  if (effective_from !== null && effective_from < today) throw fail(accessErrors.ruleDay)
  const begin = effective_from === null || effective_from === today ? ctx.now : startOfDate(effective_from)
  const same = JSON.stringify([before.periods, before.dates]) === JSON.stringify([periods, dates])
  const change = (facts: Facts, from: number): Facts => ({ ...facts, rules: new Map([...facts.rules, ...changed(facts.rules.get(rule_id), { periods, dates }, from === 0 ? 0 : begin.getTime())]) })
  const cause: Cause = { kind: 'rule', id: rule_id }
  const concerned = same ? { whom: [], change: (facts: Facts) => facts, cause } : { whom: await concernedBy(ctx, { rule_ids: [rule_id] }), change, cause }
  const { plan, written } = await commit(ctx, concerned, { preview, plan_hash }, async () => {
    await ctx.db.updateTable('access_rule').set({ ...patch, row_version: row_version + 1, updated_at: ctx.now, updated_by: ctx.me.user_id }).where('school_id', '=', ctx.school_id).where('rule_id', '=', rule_id).execute()
    if (!same) await publishVersion(ctx, rule_id, { periods, dates }, begin)
    return rule_id
  })
  if (written !== undefined) ctx.note({ target_kind: 'access.rule', target_id: rule_id, target_name: patch.rule_name, before: { periods: before.periods }, after: { periods } })
  return { plan, rule: written === undefined ? null : await requireRule(ctx, rule_id) }
}

function changed(rule: Rule | undefined, content: Content, begin: number): [string, Rule][] {
  if (!rule) return []
  const kept = rule.versions.filter(version => version.from < begin).map(version => ({ ...version, to: Math.min(version.to, begin) }))
  const version = Math.max(0, ...rule.versions.map(one => one.version)) + 1
  return [[rule.rule_id, { ...rule, versions: [...kept, { ...content, version, from: begin, to: Infinity }] }]]
}

async function publishVersion(ctx: AccessCtx, rule_id: string, content: Content, begin: Date): Promise<void> {
  const { db, school_id } = ctx
  const last = await db.selectFrom('access_rule_version').select(eb => eb.fn.max('version').as('version')).where('school_id', '=', school_id).where('rule_id', '=', rule_id).executeTakeFirstOrThrow()
  await db.deleteFrom('access_rule_version').where('school_id', '=', school_id).where('rule_id', '=', rule_id).where('valid_from', '>=', begin).execute()
  await db.updateTable('access_rule_version').set({ valid_to: begin }).where('school_id', '=', school_id).where('rule_id', '=', rule_id).where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', begin)])).execute()
  await db.insertInto('access_rule_version').values(versionOf(ctx, rule_id, Number(last.version) + 1, content, begin)).execute()
}

function versionOf({ school_id, me }: AccessCtx, rule_id: string, version: number, { periods, dates }: Content, valid_from: Date) {
  return { school_id, rule_id, version, valid_from, periods: JSON.stringify(periods), dates: JSON.stringify(dates), published_by: me.user_id }
}

/** The same week under another name. */
export async function copyRule(ctx: AccessCtx, { rule_id, rule_name }: Input<typeof ruleApi.copy>): Promise<Reply<typeof ruleApi.copy>> {
  const { scene, remark, periods, dates } = await requireRule(ctx, rule_id)
  const { rule } = await addRule(ctx, { scene, remark, periods, dates, rule_name, preview: false, plan_hash: null })
  if (!rule) throw fail(commonErrors.notFound)
  return { rule }
}

/** Switches a rule on or off. @throws Refusal 404, 409 ruleInUse while somebody goes by one that is switched off */
export async function turnRule(ctx: AccessCtx, { rule_id, enabled }: Input<typeof ruleApi.turn>): Promise<Reply<typeof ruleApi.turn>> {
  const before = await requireRule(ctx, rule_id)
  if (!enabled) refuseUsed(before)
  await ctx.db.updateTable('access_rule').set({ enabled, row_version: before.row_version + 1, updated_at: ctx.now }).where('school_id', '=', ctx.school_id).where('rule_id', '=', rule_id).execute()
  ctx.note({ target_kind: 'access.rule', target_id: rule_id, target_name: before.rule_name, before: { enabled: before.enabled }, after: { enabled } })
  return { rule: await requireRule(ctx, rule_id) }
}

/** @throws Refusal 404, 409 ruleInUse */
export async function removeRule(ctx: AccessCtx, { rule_id }: Input<typeof ruleApi.remove>): Promise<Reply<typeof ruleApi.remove>> {
  const before = await requireRule(ctx, rule_id)
  refuseUsed(before)
  const kept = await sql<{ n: number }>`
    select (select count(*)::int from dept_rule where school_id = ${ctx.school_id} and rule_id = ${rule_id}) + (select count(*)::int from user_rule where school_id = ${ctx.school_id} and rule_id = ${rule_id}) as n`.execute(ctx.db)
  // Who went by it is asked about later; a rule that was ever used is switched off for good.
  if ((kept.rows[0]?.n ?? 0) > 0) await ctx.db.updateTable('access_rule').set({ enabled: false, updated_at: ctx.now }).where('school_id', '=', ctx.school_id).where('rule_id', '=', rule_id).execute()
  else await ctx.db.deleteFrom('access_rule').where('school_id', '=', ctx.school_id).where('rule_id', '=', rule_id).execute()
  ctx.note({ target_kind: 'access.rule', target_id: rule_id, target_name: before.rule_name, before: { periods: before.periods } })
  return { rule_id }
}

function refuseUsed({ used_depts: n, used_users: m }: RuleRow): void {
  if (n + m > 0) throw fail(accessErrors.ruleInUse, { params: { n, m } })
}

/** Periods of one direction that may meet on a day: the same match, on a weekday that both name. */
function refusePeriods({ periods }: Content): void {
  for (const [at, a] of periods.entries()) {
    const others = periods.slice(0, at)
    const clash = others.findIndex(b => b.direction === a.direction && b.day_match === a.day_match && sharesDay(a, b) && a.begin_min < b.end_min && b.begin_min < a.end_min)
    if (clash >= 0) throw fail(accessErrors.periodOverlap, { params: { a: clash + 1, b: at + 1 } })
    const same = periods.filter(b => b.direction === a.direction && b.day_match === a.day_match && sharesDay(a, b))
    if (same.length > most_a_day) throw fail(accessErrors.tooManyPeriods)
  }
}

function sharesDay(a: Period, b: Period): boolean {
  return a.week_flags === null || b.week_flags === null || a.week_flags.some((flag, day) => flag && b.week_flags?.[day] === true)
}
