import { CrowdMember, CrowdRow, CrowdRule, post_state, publishingErrors, target } from '@campus/publishing/contract'
import type { crowdApi } from '@campus/publishing/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx, Work } from '../db.ts'
import { scopesOf } from '../depts.ts'
import { checkTargets } from '../post/targets.ts'
import { holdsRule, memberIds } from './crowd.queries.ts'

const [mine, department] = [0, 1] as const
const sampled = 20
const [in_it, out_of_it] = [1, 2] as const
const instant = z.date().transform(at => at.toISOString())
type Draft = Omit<Input<typeof crowdApi.add>, never>

/** Crowds that this identity may use: its own, those of its departments, those of the school. */
function usable(ctx: PublishingCtx, depts: 'all' | readonly string[]): RawBuilder<unknown> {
  const of_dept = depts === 'all' ? sql`true` : sql`c.owner_dept_id = any(${[...depts]}::bigint[])`
  return sql`(c.created_by = ${ctx.me.user_id} or c.shared = 2 or (c.shared = ${department} and ${of_dept}))`
}

/** One page of crowds; each is counted as it is today. */
export async function listCrowds(ctx: PublishingCtx, query: Input<typeof crowdApi.list>): Promise<Reply<typeof crowdApi.list>> {
  const { db, school_id, me } = ctx
  const { staff } = await scopesOf(ctx)
  const parts = [usable(ctx, staff), query.keyword === undefined ? sql`true` : sql`strpos(c.name, ${query.keyword}) > 0`, query.scene === undefined ? sql`true` : sql`c.scene = ${Number(query.scene)}`, query.shared === undefined ? sql`true` : sql`c.shared = ${Number(query.shared)}`]
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select c.crowd_id::text as id, c.name, c.scene::int as scene, c.shared::int as shared, c.rule, a.display_name as author_name, c.created_by = ${me.user_id} as is_mine, c.last_used_at, c.updated_at, c.row_version,
      (select count(*)::int from publishing_crowd_member m where m.school_id = ${school_id} and m.crowd_id = c.crowd_id) as manual, (count(*) over ())::int as total
    from publishing_crowd c left join person_label a on a.school_id = ${school_id} and a.user_id = c.created_by
    where c.school_id = ${school_id} and ${sql.join(parts, sql` and `)} order by c.updated_at desc, c.crowd_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const found = z.array(z.looseObject({ id: z.string(), scene: z.number(), rule: CrowdRule, last_used_at: instant.nullable(), updated_at: instant })).parse(rows)
  const list: CrowdRow[] = []
  for (const row of found) list.push(CrowdRow.parse({ ...row, members: await countMembers(ctx, row.scene, row.rule, row.id), rule_text: await ruleText(ctx, row.rule) }))
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

const people = (scene: number, school_id: number) => (scene === 1
  ? sql`(select s.user_id, s.user_name, s.student_no as user_no, s.dept_id, s.dept_name, s.grade, s.stage, s.sex, s.study_method, s.by_bus, array[s.dept_id] as dept_ids from live_student s where s.school_id = ${school_id}) s`
  : sql`(select s.user_id, s.user_name, s.teacher_no as user_no, s.primary_dept_id as dept_id, d.dept_name, s.sex, s.dept_ids from live_staff s left join dept_now d on d.school_id = ${school_id} and d.id = s.primary_dept_id where s.school_id = ${school_id}) s`)

async function countMembers(work: Pick<Work, 'db' | 'school_id'>, scene: number, rule: CrowdRule, crowd_id: string): Promise<number> {
  const holds = await holdsRule(work, scene, rule).catch(() => sql<boolean>`false`)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${people(scene, work.school_id)}
    where (${holds} or s.user_id in (${memberIds(work.school_id, crowd_id, in_it)})) and s.user_id not in (${memberIds(work.school_id, crowd_id, out_of_it)})`.execute(work.db)
  return rows[0]?.n ?? 0
}

/** The rule in words, names of departments and labels included. */
async function ruleText({ db, school_id }: Pick<Work, 'db' | 'school_id'>, rule: CrowdRule): Promise<string> {
  const { rows: depts } = await sql<{ name: string }>`select d.dept_name as name from dept_now d where d.school_id = ${school_id} and d.id = any(${rule.dept_ids}::bigint[]) order by d.node_path`.execute(db)
  const { rows: tags } = await sql<{ name: string }>`select distinct t.tag_name as name from person_tag_now t where t.school_id = ${school_id} and t.tag_id = any(${rule.tag_ids}::bigint[])`.execute(db)
  const words = await db.selectFrom('dictionary_v').select(['sc_code_type', 'sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', 'in', ['GRADE', 'STAGE', 'SEX', 'STUDY_METHOD']).execute()
  const named = (type: string, codes: readonly string[]) => codes.map(code => words.find(word => word.sc_code_type === type && word.sc_code_item === code)?.name ?? code)
  const parts = [depts.map(one => one.name), named('GRADE', rule.grades), named('STAGE', rule.stages), named('SEX', rule.sexes), named('STUDY_METHOD', rule.study_methods), tags.map(one => one.name), rule.by_bus === null ? [] : [rule.by_bus ? '乘坐校车' : '不乘校车']]
  return parts.filter(one => one.length > 0).map(one => one.join('、')).join(' 且 ') || '仅手动成员'
}

export async function addCrowd(ctx: PublishingCtx, draft: Draft): Promise<{ id: string }> {
  const { db, school_id, now, me } = ctx
  await scopesOf(ctx)
  await checkRule(ctx, draft)
  const home = await db.selectFrom('live_staff').select('primary_dept_id').where('school_id', '=', school_id).where('user_id', '=', me.user_id).executeTakeFirst()
  const { crowd_id } = await db.insertInto('publishing_crowd').values({ school_id, name: draft.name, scene: draft.scene, shared: draft.shared, rule: JSON.stringify(draft.rule), owner_dept_id: home?.primary_dept_id ?? null, created_at: now, created_by: me.user_id, updated_at: now }).returning('crowd_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.crowd', target_id: crowd_id, target_name: draft.name })
  return { id: crowd_id }
}

async function checkRule(work: Pick<Work, 'db' | 'school_id'>, { scene, rule }: Draft): Promise<void> {
  await checkTargets(work, scene, [...rule.dept_ids.map(target_id => ({ mode: 1 as const, target_type: target.dept, target_id })), ...rule.tag_ids.map(target_id => ({ mode: 1 as const, target_type: target.tag, target_id }))])
}

/** A crowd that this identity may use, and to change it, its own or one that is the school's. @throws Refusal 404 */
async function requireCrowd(ctx: PublishingCtx, crowd_id: string, lock = true) {
  const { staff } = await scopesOf(ctx)
  const { rows: [row] } = await sql<{ one: number }>`select 1 as one from publishing_crowd c where c.school_id = ${ctx.school_id} and c.crowd_id = ${crowd_id} and ${usable(ctx, staff)}`.execute(ctx.db)
  const query = ctx.db.selectFrom('publishing_crowd').selectAll().where('school_id', '=', ctx.school_id).where('crowd_id', '=', crowd_id)
  const crowd = row && (await (lock ? query.forUpdate() : query).executeTakeFirst())
  if (!crowd || (crowd.shared === mine && crowd.created_by !== ctx.me.user_id)) throw fail(commonErrors.notFound)
  return crowd
}

export async function updateCrowd(ctx: PublishingCtx, { id, row_version, ...draft }: Input<typeof crowdApi.update>): Promise<Record<string, never>> {
  const crowd = await requireCrowd(ctx, id)
  await checkRule(ctx, draft)
  if (crowd.row_version !== row_version) throw fail(publishingErrors.stale)
  await ctx.db.updateTable('publishing_crowd').set({ name: draft.name, shared: draft.shared, rule: JSON.stringify(draft.rule), row_version: row_version + 1, updated_at: ctx.now }).where('school_id', '=', ctx.school_id).where('crowd_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.crowd', target_id: id, target_name: draft.name, before: { rule: crowd.rule }, after: { rule: draft.rule } })
  return {}
}

/** @throws Refusal crowdInUse */
export async function removeCrowd(ctx: PublishingCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const crowd = await requireCrowd(ctx, id)
  const { rows: [used] } = await sql<{ n: number }>`
    select count(distinct p.post_id)::int as n from publishing_audience l join publishing_post p on p.school_id = ${school_id} and p.post_id = l.post_id and p.state in (${post_state.waiting}, ${post_state.planned})
    where l.school_id = ${school_id} and l.target_type = ${target.crowd} and l.target_id = ${id}`.execute(db)
  if ((used?.n ?? 0) > 0) throw fail(publishingErrors.crowdInUse, { params: { n: used?.n ?? 0 } })
  await db.deleteFrom('publishing_crowd').where('school_id', '=', school_id).where('crowd_id', '=', id).execute()
  ctx.note({ target_kind: 'publishing.crowd', target_id: id, target_name: crowd.name })
  return {}
}

/** How many a rule holds for, with a sample. */
export async function countRule(ctx: PublishingCtx, draft: Input<typeof crowdApi.count>): Promise<Reply<typeof crowdApi.count>> {
  await scopesOf(ctx)
  await checkRule(ctx, { ...draft, name: '', shared: 0 })
  const holds = await holdsRule(ctx, draft.scene, draft.rule)
  const { rows } = await sql<{ user_name: string; dept_name: string | null }>`select s.user_name, s.dept_name from ${people(draft.scene, ctx.school_id)} where ${holds} order by s.dept_id, s.user_id`.execute(ctx.db)
  const by_dept = [...Map.groupBy(rows, row => row.dept_name ?? '未分部门')].map(([dept_name, own]) => ({ dept_name, n: own.length }))
  return { total: rows.length, sample: rows.slice(0, sampled).map(row => row.user_name), by_dept }
}

/** Members with the reason: the rule, or somebody's hand; excluded ones are listed too. */
export async function pageMembers(ctx: PublishingCtx, query: Input<typeof crowdApi.members>): Promise<Reply<typeof crowdApi.members>> {
  const { db, school_id } = ctx
  const crowd = await requireCrowd(ctx, query.id, false)
  const holds = await holdsRule(ctx, crowd.scene, crowd.rule)
  const how = { 1: sql`h.mode is null`, 2: sql`h.mode = ${in_it}`, 3: sql`h.mode = ${out_of_it}` } as const
  const parts = [sql`(h.mode is not null or ${holds})`, query.keyword === undefined ? sql`true` : sql`(strpos(s.user_name, ${query.keyword}) > 0 or starts_with(s.user_no, ${query.keyword}))`, query.how === undefined ? sql`true` : how[query.how]]
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select s.user_id::text as user_id, s.user_name, s.user_no, s.dept_name, case when h.mode = ${out_of_it} then '手动排除' when h.mode = ${in_it} then '手动加入' else '规则' end || coalesce('：' || h.note, '') as why,
      h.mode is not null as is_manual, coalesce(h.mode = ${out_of_it}, false) as excluded, (h.valid_to - 1)::text as until, (count(*) over ())::int as total
    from ${people(crowd.scene, school_id)} left join publishing_crowd_member h on h.school_id = ${school_id} and h.crowd_id = ${query.id} and h.user_id = s.user_id
      and h.valid_from <= ${schoolDay(ctx.now)}::date and (h.valid_to is null or h.valid_to > ${schoolDay(ctx.now)}::date)
    where ${sql.join(parts, sql` and `)} order by s.dept_id, s.user_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  return { list: z.array(CrowdMember.loose()).parse(rows).map(row => CrowdMember.parse(row)), total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

/** Puts people in or takes them out by hand, until a day where one is given. @throws Refusal 404, crowdPersonWrong */
export async function addMembers(ctx: PublishingCtx, { id, user_ids, mode, until, note }: Input<typeof crowdApi.addUsers>): Promise<{ added: number }> {
  const { db, school_id, now } = ctx
  const crowd = await requireCrowd(ctx, id)
  await checkTargets(ctx, crowd.scene, user_ids.map(target_id => ({ mode: 1, target_type: target.person, target_id })))
  const { rows: fit } = await sql<{ user_id: string }>`select s.user_id::text as user_id from ${people(crowd.scene, school_id)} where s.user_id = any(${user_ids}::bigint[])`.execute(db)
  if (fit.length < new Set(user_ids).size) throw fail(publishingErrors.crowdPersonWrong)
  const today = schoolDay(now)
  const valid_to = until === null ? null : new Date(Date.parse(until) + 86_400_000).toISOString().slice(0, 10)
  await db.deleteFrom('publishing_crowd_member').where('school_id', '=', school_id).where('crowd_id', '=', id).where('user_id', 'in', user_ids).where('valid_from', '=', today).execute()
  await db.updateTable('publishing_crowd_member').set({ valid_to: today }).where('school_id', '=', school_id).where('crowd_id', '=', id).where('user_id', 'in', user_ids).where(sql<boolean>`(valid_to is null or valid_to > ${today}::date)`).execute()
  await db.insertInto('publishing_crowd_member').values(fit.map(({ user_id }) => ({ school_id, crowd_id: id, user_id, mode, valid_from: today, valid_to, note: note === '' ? null : note }))).execute()
  ctx.note({ target_kind: 'publishing.crowd', target_id: id, target_name: `${mode === in_it ? '加入' : '排除'}${fit.length}人` })
  return { added: fit.length }
}

/** Undoes what somebody's hand has done: the rule decides again. */
export async function removeMembers(ctx: PublishingCtx, { id, user_ids }: Input<typeof crowdApi.removeUsers>): Promise<{ removed: number }> {
  const { db, school_id, now } = ctx
  await requireCrowd(ctx, id)
  await checkTargets(ctx, 1, user_ids.map(target_id => ({ mode: 1, target_type: target.person, target_id })))
  const today = schoolDay(now)
  const of_today = await db.deleteFrom('publishing_crowd_member').where('school_id', '=', school_id).where('crowd_id', '=', id).where('user_id', 'in', user_ids).where('valid_from', '>=', today).executeTakeFirstOrThrow()
  const ended = await db.updateTable('publishing_crowd_member').set({ valid_to: today }).where('school_id', '=', school_id).where('crowd_id', '=', id).where('user_id', 'in', user_ids).where(sql<boolean>`(valid_to is null or valid_to > ${today}::date)`).executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'publishing.crowd', target_id: id, target_name: `取消手动成员${user_ids.length}人` })
  return { removed: Number(of_today.numDeletedRows) + Number(ended.numUpdatedRows) }
}
