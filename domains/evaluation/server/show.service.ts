import { evaluationErrors } from '@campus/evaluation/contract'
import type { Display, RankPlace, StarPeriod, starShowApi, Wall } from '@campus/evaluation/contract'
import { mondayOf } from '@campus/calendar/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { EvaluationCtx, Work } from './db.ts'
import { manage_code } from './db.ts'
import { refreshWalls } from './give.service.ts'
import { requireScopeDept, requireStarred } from './subjects.ts'

const whole_school = '0'
const [river_length, most_classes, office_places] = [30, 60, 100] as const
const usual = { top_n: 10, name_mode: 2, row_version: 0 }
type Place = Pick<Work, 'db' | 'school_id'>

/** How names stand on the wall of a class, else of the school. */
async function displayOf({ db, school_id }: Place, dept_id: string): Promise<{ top_n: number; name_mode: number; row_version: number }> {
  const rows = await db
    .selectFrom('star_display')
    .select(['dept_id', 'top_n', 'name_mode', 'row_version'])
    .where('school_id', '=', school_id)
    .where('dept_id', 'in', [dept_id, whole_school])
    .execute()
  const own = rows.find(row => row.dept_id === dept_id)
  const whole = rows.find(row => row.dept_id === whole_school)
  return own ?? (whole ? { ...whole, row_version: 0 } : usual)
}

/** The name of a pupil `s` or a class `d` as a mode shows it. */
function shownName(mode: number): RawBuilder<string> {
  if (mode === 1) return sql<string>`coalesce(s.user_name, d.dept_name, '')`
  if (mode === 3) return sql<string>`coalesce('学号尾号' || right(s.student_no, 3), d.dept_name, '')`
  return sql<string>`coalesce(left(s.user_name, 1) || '同学', d.dept_name, '')`
}

/** The departments of a wall: those below one, or everything that is seen. @throws Refusal 404 */
async function scopeOf(
  ctx: EvaluationCtx,
  dept_id: string | undefined,
): Promise<{ dept: { dept_id: string; title: string }; within: (column: string) => RawBuilder<boolean> }> {
  const scope = await deptScope(ctx, 'student')
  if (dept_id === undefined || dept_id === whole_school)
    return { dept: { dept_id: whole_school, title: '全校' }, within: column => inScope(column, scope) }
  const { dept_name, node_path } = await requireScopeDept(ctx, scope, dept_id)
  const below = (column: string) =>
    sql<boolean>`${sql.ref(column)} in (select v.id from dept_now v where v.school_id = ${ctx.school_id}
      and v.node_path >= ${node_path} and v.node_path < left(${node_path}, -1) || '0')`
  return { dept: { dept_id, title: dept_name }, within: column => sql<boolean>`${inScope(column, scope)} and ${below(column)}` }
}

/** 星级展示: the best of this week, the latest stars, classes by head. Only public stars of those who are shown (55-A31). */
export async function readWall(ctx: EvaluationCtx, { dept_id }: Input<typeof starShowApi.wall>): Promise<Wall> {
  const { db, school_id, now } = ctx
  const { dept, within } = await scopeOf(ctx, dept_id)
  const { top_n, name_mode } = await displayOf(ctx, dept.dept_id)
  const [from, to] = [mondayOf(schoolDay(now)), schoolDay(now)]
  const named = sql`left join live_student s on s.school_id = ${school_id} and s.user_id = f.subject_id and f.subject_kind = 1
    left join dept_now d on d.school_id = ${school_id} and d.id = f.dept_id`
  const podium = await sql<RankPlace>`
    select * from (select rank() over (order by f.milli desc)::int as rank, ${shownName(name_mode)} as shown_name, coalesce(d.dept_name,
      '') as dept_name, f.milli::int as milli
      from (select v.subject_id, v.subject_kind, max(v.dept_id) as dept_id, sum(v.milli) as milli from star_public_v v
      where v.school_id = ${school_id} and v.subject_kind = 1 and v.record_date >= ${from}::date and ${within('v.dept_id')}
      group by v.subject_id, v.subject_kind) f ${named}) n
    where n.rank <= ${top_n}::int order by n.rank, n.shown_name limit ${top_n * 2}`.execute(db)
  const river = await sql<Omit<Wall['river'][number], 'happened_at'> & { happened_at: Date }>`
    select f.record_id::text as record_id, f.happened_at, ${shownName(name_mode)} as shown_name, coalesce(d.dept_name, '') as dept_name,
      f.star_name, f.icon, f.colour, f.milli
    from star_public_v f ${named} where f.school_id = ${school_id} and ${within('f.dept_id')}
    order by f.happened_at desc, f.record_id desc limit ${river_length}`.execute(db)
  const classes = await sql<Wall['classes'][number]>`
    select d.id::text as dept_id, d.dept_name, h.heads::int as heads, (coalesce(n.milli, 0) / h.heads)::int as mean_milli from dept_now d
    join (select s.dept_id, count(*) as heads from live_student s where s.school_id = ${school_id} group by s.dept_id) h on h.dept_id = d.id
    left join (select v.dept_id, sum(v.milli) as milli from star_public_v v where v.school_id = ${school_id}
    and v.record_date >= ${from}::date group by v.dept_id) n on n.dept_id = d.id
    where d.school_id = ${school_id} and d.dept_type = 4 and coalesce(n.milli, 0) > 0 and ${within('d.id')}
    order by mean_milli desc, d.node_path limit ${most_classes}`.execute(db)
  const { rows: [given] } = await sql<{ n: number }>`
    select count(*)::int as n from star_public_v v where v.school_id = ${school_id} and v.record_date >= ${from}::date
    and ${within('v.dept_id')}`.execute(db)
  return {
    title: dept.title,
    from,
    to,
    name_mode,
    podium: podium.rows,
    river: river.rows.map(row => ({ ...row, happened_at: row.happened_at.toISOString() })),
    classes: classes.rows,
    given: given?.n ?? 0,
  }
}

/** A settled ranking, its public part alone for everybody but the moral office: nobody reads it from below (chapter 55 rules 41, 44). */
export async function readRanking(
  ctx: EvaluationCtx,
  query: Input<typeof starShowApi.ranking>,
): Promise<Reply<typeof starShowApi.ranking>> {
  const { db, school_id, me } = ctx
  const { dept, within } = await scopeOf(ctx, query.dept_id)
  const { top_n, name_mode } = await displayOf(ctx, dept.dept_id)
  const period = await periodOf(ctx, query)
  if (!period) return { period: null, list: [] }
  const is_office = me.codes.has(manage_code)
  const most = is_office ? office_places : top_n
  const { rows } = await sql<RankPlace>`
    select * from (select rank() over (order by f.milli desc)::int as rank, ${shownName(is_office ? 1 : name_mode)} as shown_name,
      coalesce(d.dept_name, '') as dept_name, f.milli
      from star_ranking_v f
      left join live_student s on s.school_id = ${school_id} and s.user_id = f.subject_id and f.subject_kind = 1
      left join dept_now d on d.school_id = ${school_id} and d.id = f.dept_id
      where f.school_id = ${school_id} and f.period_id = ${period.period_id} and f.subject_kind = ${Number(query.subject_kind)}
      and ${within('f.dept_id')}) n
    where n.rank <= ${most}::int order by n.rank, n.shown_name limit ${most * 2}`.execute(db)
  return { period, list: rows }
}

async function periodOf(ctx: EvaluationCtx, { period_id, kind }: Input<typeof starShowApi.ranking>): Promise<StarPeriod | null> {
  const [found] = await periods(ctx, period_id === undefined ? sql`p.kind = ${Number(kind)}` : sql`p.period_id = ${period_id}`, 1)
  if (!found && period_id !== undefined) throw fail(commonErrors.notFound)
  return found ?? null
}

async function periods({ db, school_id }: Place, which: RawBuilder<unknown>, most: number): Promise<StarPeriod[]> {
  const { rows } = await sql<Omit<StarPeriod, 'settled_at'> & { settled_at: Date }>`
    select p.period_id::text as period_id, p.kind::int as kind, p.begin_date::text as begin_date, p.end_date::text as end_date,
      p.edition::int as edition, p.state::int as state, p.settled_at, p.hash
    from star_period p where p.school_id = ${school_id} and ${which} order by p.begin_date desc, p.edition desc limit ${most}`.execute(db)
  return rows.map(row => ({ ...row, settled_at: row.settled_at.toISOString() }))
}

/** Settled periods of a kind, every edition. */
export async function listPeriods(
  ctx: EvaluationCtx,
  { kind }: Input<typeof starShowApi.history>,
): Promise<Reply<typeof starShowApi.history>> {
  await deptScope(ctx, 'student')
  return { list: await periods(ctx, sql`p.kind = ${Number(kind)}`, 60) }
}

/** @throws Refusal 404 */
async function requireWall(ctx: EvaluationCtx, dept_id: string): Promise<string> {
  const { dept } = await scopeOf(ctx, dept_id)
  return dept.title
}

export async function readDisplay(ctx: EvaluationCtx, { dept_id }: Input<typeof starShowApi.display>): Promise<Display> {
  const { db, school_id, now } = ctx
  const { dept, within } = await scopeOf(ctx, dept_id)
  const on = schoolDay(now)
  const { rows } = await sql<Display['opted_out'][number]>`
    select o.user_id::text as user_id, s.user_name, s.dept_name, o.reason, o.valid_from::text as valid_from from star_opt_out o
      join live_student s on s.school_id = ${school_id} and s.user_id = o.user_id
    where o.school_id = ${school_id} and o.valid_from <= ${on}::date and (o.valid_to is null or o.valid_to > ${on}::date)
    and ${within('s.dept_id')} order by s.dept_name, s.student_no limit 300`.execute(db)
  return { ...(await displayOf(ctx, dept.dept_id)), opted_out: rows }
}

/** @throws Refusal stale when another one has saved meanwhile */
export async function writeDisplay(
  ctx: EvaluationCtx,
  { dept_id, top_n, name_mode, row_version }: Input<typeof starShowApi.setDisplay>,
): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const title = await requireWall(ctx, dept_id)
  const { rows } =
    await sql`insert into star_display (school_id, dept_id, top_n, name_mode, row_version) values (${school_id}, ${dept_id}, ${top_n},
      ${name_mode}, ${row_version + 1})
    on conflict (school_id, dept_id) do update set top_n = excluded.top_n, name_mode = excluded.name_mode,
      row_version = excluded.row_version where star_display.row_version = ${row_version}::int returning dept_id`.execute(db)
  if (rows.length === 0) throw fail(evaluationErrors.stale)
  await refreshWalls(ctx, [dept_id])
  ctx.note({ target_kind: 'evaluation.ranking', target_id: dept_id, target_name: title, after: { top_n, name_mode } })
  return {}
}

/** A pupil who is not shown is on no wall, feed or ranking from today on (chapter 55 rule 44). */
export async function setOptOut(
  ctx: EvaluationCtx,
  { user_id, shown, reason }: Input<typeof starShowApi.optOut>,
): Promise<Record<string, never>> {
  const { db, school_id, now, me } = ctx
  const [pupil] = await requireStarred(ctx, 1, [user_id], await deptScope(ctx, 'student'))
  const today = schoolDay(now)
  const held = await db
    .selectFrom('star_opt_out')
    .select('valid_from')
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('valid_to', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (shown && held)
    await db
      .updateTable('star_opt_out')
      .set({ valid_to: today })
      .where('school_id', '=', school_id)
      .where('user_id', '=', user_id)
      .where('valid_from', '=', held.valid_from)
      .execute()
  if (!shown && !held) {
    // A choice that was taken back today opens again.
    await db
      .insertInto('star_opt_out')
      .values({ school_id, user_id, valid_from: today, reason, set_by: me.user_id })
      .onConflict(clash =>
        clash.columns(['school_id', 'user_id', 'valid_from']).doUpdateSet({ valid_to: null, reason, set_by: me.user_id }),
      )
      .execute()
  }
  if (pupil) await refreshWalls(ctx, [pupil.dept_id])
  ctx.note({
    target_kind: 'evaluation.ranking',
    target_id: user_id,
    target_name: `${pupil?.name ?? ''}${shown ? '恢复展示' : '不展示'}`,
    reason,
  })
  return {}
}
