import { createHash } from 'node:crypto'
import { RuleBody, ruleErrors, RuleVersion } from '@campus/attendance/contract'
import type { ruleApi, RuleRow } from '@campus/attendance/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx, Db } from '../db.ts'
import { markDays } from '../recompute/dirty.ts'

export const backdate_code = 'attendance.rule.backdate'
const Row = z.object({
  rule_id: z.string(), rule_name: z.string(), person_kind: z.number(), kind: z.enum(['course', 'clock']), enabled: z.boolean(), note: z.string(), arranges: z.number(), version_no: z.number(), effective_from: z.string(),
  body: RuleBody, row_version: z.number(),
})

type Filter = { school_id: number; today: string; rule_id?: string; keyword?: string | undefined; kind?: string | undefined; person_kind?: string | undefined; state?: string | undefined }

/** Rules with the version of a day: the one in force, or the first to come. */
async function readRules(
  db: Db, { school_id, today, rule_id, keyword, kind, person_kind, state }: Filter, page?: { limit: number; offset: number }
): Promise<{ rows: RuleRow[]; total: number }> {
  const where = [
    sql`r.school_id = ${school_id} and not r.removed`, rule_id === undefined
      ? sql`true`
      : sql`r.rule_id = ${rule_id}`, keyword === undefined
      ? sql`true`
      : nameHas(nameKeyOf('r.rule_name'), keyword),
    kind === undefined
      ? sql`true`
      : sql`r.kind = ${kind}`, person_kind === undefined
      ? sql`true`
      : sql`r.person_kind = ${Number(person_kind)}`, state === undefined
      ? sql`true`
      : sql`r.enabled = ${state === '1'}`,
  ]
  const { rows } = await sql<{ total: number }>`
    select r.rule_id::text as rule_id, r.rule_name, r.person_kind::int as person_kind, r.kind, r.enabled, r.note,
      r.row_version::int as row_version, v.version_no::int as version_no,
      v.effective_from::text as effective_from, v.body, (select count(*)::int from attend_arrange a where a.school_id = ${school_id}
        and a.rule_id = r.rule_id) as arranges, count(*) over ()::int as total
    from attend_rule r
    join lateral (select x.version_no, x.effective_from, x.body from attend_rule_version x where x.school_id = ${school_id}
      and x.rule_id = r.rule_id
      order by (x.effective_from <= ${today}::date) desc, case when x.effective_from <= ${today}::date
        then x.effective_from end desc nulls last, x.effective_from, x.version_no desc limit 1) v on true
    where ${sql.join(where, sql` and `)} order by r.enabled desc, r.rule_id ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(db)
  return { rows: rows.map(row => Row.parse(row)), total: rows[0]?.total ?? 0 }
}

export async function listRules(
  { db, school_id, now }: AttendanceCtx, { page_index, page_size, ...asked }: Input<typeof ruleApi.list>,
): Promise<Reply<typeof ruleApi.list>> {
  const { rows, total } = await readRules(
    db, { school_id, today: schoolDay(now), ...asked }, { limit: page_size, offset: (page_index - 1) * page_size }
  )
  return { list: rows, total }
}

/** @throws Refusal 404 */
export async function requireRule(
  { db, school_id, now }: Pick<AttendanceCtx, 'db' | 'school_id' | 'now'>, rule_id: string,
): Promise<RuleRow> {
  const [row] = (await readRules(db, { school_id, today: schoolDay(now), rule_id })).rows
  if (!row) throw fail(commonErrors.notFound)
  return row
}

/** @throws Refusal 409 ruleName, 422 ruleWindow, backdate */
export async function addRule(
  ctx: AttendanceCtx, { body, effective_from, reason, ...draft }: Input<typeof ruleApi.add>,
): Promise<Reply<typeof ruleApi.add>> {
  const { db, school_id, now, me } = ctx
  refuseBackdate(ctx, effective_from, reason)
  await refuseWindow(db, school_id, draft.kind, body)
  const { rule_id } = await db.insertInto('attend_rule').values({ ...draft, school_id, updated_at: now, updated_by: me.user_id })
    .returning('rule_id').executeTakeFirstOrThrow()
  await insertVersion(ctx, { rule_id, version_no: 1, effective_from, body, reason })
  ctx.note({ target_kind: 'attendance.rule', target_id: rule_id, target_name: draft.rule_name, after: { ...draft, effective_from } })
  return { row: await requireRule(ctx, rule_id) }
}

/**
 * Another body is another version from a day on; versions are never changed. @throws Refusal 404, 403 backdateRight, 409 stale, ruleName,
 * 422 ruleWindow, backdate
 */
export async function updateRule(
  ctx: AttendanceCtx, { id, row_version, body, effective_from, reason, ...patch }: Input<typeof ruleApi.update>,
): Promise<Reply<typeof ruleApi.update>> {
  const { db, school_id, now, me } = ctx
  const before = await requireRule(ctx, id)
  await refuseWindow(db, school_id, before.kind, body)
  const changed = await db.updateTable('attend_rule')
    .set({ ...patch, row_version: row_version + 1, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id)
    .where('rule_id', '=', id)
    .where('row_version', '=', row_version).executeTakeFirstOrThrow()
  if (changed.numUpdatedRows === 0n) throw fail(ruleErrors.stale)
  const last = await db.selectFrom('attend_rule_version').select(['version_no', 'body_hash', 'effective_from'])
    .where('school_id', '=', school_id).where('rule_id', '=', id).orderBy('version_no', 'desc').limit(1).executeTakeFirstOrThrow()
  if (last.body_hash !== hashOf(body) || last.effective_from !== effective_from) {
    refuseBackdate(ctx, effective_from, reason)
    await insertVersion(ctx, { rule_id: id, version_no: last.version_no + 1, effective_from, body, reason })
    if (before.arranges > 0 && effective_from <= schoolDay(now)) await markDays(ctx, effective_from, schoolDay(now), 'rule', id)
  }
  ctx.note({
    target_kind: 'attendance.rule', target_id: id, target_name: patch.rule_name, reason,
    before: { rule_name: before.rule_name, version_no: before.version_no }, after: { ...patch, effective_from },
  })
  return { row: await requireRule(ctx, id) }
}

/** @throws Refusal 404, 409 ruleInUse */
export async function removeRule(ctx: AttendanceCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const { arranges, rule_name } = await requireRule(ctx, id)
  if (arranges > 0) throw fail(ruleErrors.ruleInUse, { params: { n: arranges } })
  await db.updateTable('attend_rule').set({ removed: true, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id)
    .where('rule_id', '=', id).execute()
  ctx.note({ target_kind: 'attendance.rule', target_id: id, target_name: rule_name })
  return {}
}

/**
 * A disabled rule is offered to no new arrange; what it has judged stays, and arranges that use it go on (chapter 55 §3.17). @throws
 * Refusal 404
 */
export async function enableRule(ctx: AttendanceCtx, { id, enabled }: Input<typeof ruleApi.enable>): Promise<Reply<typeof ruleApi.enable>> {
  const { db, school_id, now, me } = ctx
  const { rule_name, row_version } = await requireRule(ctx, id)
  await db.updateTable('attend_rule').set({ enabled, row_version: row_version + 1, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  ctx.note({ target_kind: 'attendance.rule', target_id: id, target_name: rule_name, after: { enabled } })
  return { row: await requireRule(ctx, id) }
}

/** Versions, the newest first. @throws Refusal 404 */
export async function listVersions(ctx: AttendanceCtx, id: string): Promise<Reply<typeof ruleApi.versions>> {
  const { db, school_id } = ctx
  await requireRule(ctx, id)
  const { rows } = await sql`
    select v.version_no::int as version_no, v.effective_from::text as effective_from, v.body, v.reason, v.created_at,
      p.display_name as created_by_name
    from attend_rule_version v left join person_label p on p.school_id = ${school_id} and p.user_id = v.created_by
    where v.school_id = ${school_id} and v.rule_id = ${id} order by v.version_no desc`.execute(db)
  return { list: z.array(RuleVersion.extend({ created_at: z.date().transform(at => at.toISOString()) })).parse(rows) }
}

function refuseBackdate({ now, me }: AttendanceCtx, effective_from: string, reason: string): void {
  if (effective_from >= schoolDay(now)) return
  if (!me.codes.has(backdate_code)) throw fail(ruleErrors.backdateRight)
  if (reason === '') throw fail(ruleErrors.backdate, { errors: [{ field: 'reason', msg: ruleErrors.backdate.msg }] })
}

/** The window must lie inside the shortest lesson it will meet (chapter 55 §3.2). */
async function refuseWindow(db: Db, school_id: number, kind: string, body: RuleBody): Promise<void> {
  const shortest = kind === 'clock'
    ? null
    : await sql<{ n: number | null }>`select min(end_min - begin_min)::int as n from bell_section_v where school_id = ${school_id} and section is not null`.execute(db)
  const n = shortest?.rows[0]?.n ?? body.late_until_min
  if (body.late_until_min > n || body.late_grace_min > body.late_until_min) throw fail(
    ruleErrors.ruleWindow, { params: { n }, errors: [{ field: 'late_until_min', msg: '请缩短迟到截止时间' }] }
  )
}

async function insertVersion(
  { db, school_id, now, me }: AttendanceCtx,
  { body, reason, ...version }: { rule_id: string; version_no: number; effective_from: string; body: RuleBody; reason: string }
): Promise<void> {
  await db.insertInto('attend_rule_version')
    .values({
      ...version, school_id, body: JSON.stringify(body), body_hash: hashOf(body), reason: reason === '' ? null : reason, created_at: now,
      created_by: me.user_id,
    })
    .execute()
}

export function hashOf(body: RuleBody): string {
  return createHash('sha256').update(JSON.stringify(body, Object.keys(body).concat(Object.keys(body.notify)).toSorted())).digest('hex')
}
