import { appeal_days, record_state } from '@campus/evaluation/contract'
import type { myStarApi, Profile, recordApi } from '@campus/evaluation/contract'
import { addDays } from '@campus/calendar/contract'
import { deptScope, selfScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { EvaluationCtx } from './db.ts'
import { negativesFor } from './record.queries.ts'
import { requireStarred } from './subjects.ts'
import { counts, worthSql } from './worth.ts'

/** Negative records leave profiles after a year (90 decision 37). */
const negative_days = 365
const most_lines = 200
const day_ms = 86_400_000
type Pupil = { user_id: string; user_name: string; dept_id: string; dept_name: string }
type Line = Profile['timeline'][number] & { visible_at: Date | null }

/** 成长档案 of a pupil in the scope. @throws Refusal 404 */
export async function readProfile(ctx: EvaluationCtx, { user_id }: Input<typeof recordApi.profile>): Promise<Profile> {
  await requireStarred(ctx, 1, [user_id], await deptScope(ctx, 'student'))
  const seen = await negativesFor(ctx)
  const timeline = await readLines(ctx, user_id, seen)
  return { ...(await readFigures(ctx, user_id, seen)), timeline: timeline.map(({ visible_at: _visible_at, ...line }) => line) }
}

async function requirePupil({ db, school_id }: EvaluationCtx, user_id: string): Promise<Pupil> {
  const found = await db
    .selectFrom('live_student')
    .select(['user_id', 'user_name', 'dept_id', 'dept_name'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** Worth today by dimension against the mean of the class, and the levels of indicators: today's, and what was reached when. */
async function readFigures(ctx: EvaluationCtx, user_id: string, seen: RawBuilder<boolean>): Promise<Omit<Profile, 'timeline'>> {
  const { db, school_id, now } = ctx
  const { dept_id, ...pupil } = await requirePupil(ctx, user_id)
  const worth = worthSql(schoolDay(now))
  const radar = await sql<Profile['radar'][number]>`
    select u.star_name as dimension, coalesce(w.own, 0)::int as milli, (coalesce(w.whole, 0) / greatest(1, (select count(*)
      from live_student s where s.school_id = ${school_id} and s.dept_id = ${dept_id})))::int as class_milli
    from star_type u left join (
      select t.superior_id, sum(${worth}) filter (where r.subject_id = ${user_id}
        and ${seen}) as own, sum(${worth}) filter (where r.milli > 0) as whole
      from star_record r join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id
      where r.school_id = ${school_id} and r.subject_kind = 1 and r.dept_id = ${dept_id} and ${counts}
      group by t.superior_id) w on w.superior_id = u.star_type_id
    where u.school_id = ${school_id} and u.superior_id is null and u.enabled order by u.show_order, u.star_type_id`.execute(db)
  const levels = await sql<Profile['levels'][number]>`
    select t.star_name, t.icon, t.colour, coalesce(w.milli, 0) as milli, (1 + (select count(*) from unnest(t.level_cuts) as c(cut)
      where c.cut <= w.milli))::int as level, coalesce(g.got, '[]') as got
    from star_type t
    left join (select r.star_type_id, sum(${worth})::int as milli from star_record r
      join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id and t.sign = 1
      where r.school_id = ${school_id} and r.subject_kind = 1 and r.subject_id = ${user_id} and ${counts}
      group by r.star_type_id) w on w.star_type_id = t.star_type_id
    left join (select l.star_type_id, jsonb_agg(jsonb_build_object('level', l.level, 'valid_from', l.valid_from) order by l.level) as got
      from star_level l where l.school_id = ${school_id} and l.subject_kind = 1 and l.subject_id = ${user_id}
      group by l.star_type_id) g on g.star_type_id = t.star_type_id
    where t.school_id = ${school_id} and (w.milli > 0 or g.got is not null) order by 4 desc, t.star_type_id limit 12`.execute(db)
  return { ...pupil, radar: radar.rows, levels: levels.rows, total_milli: radar.rows.reduce((sum, row) => sum + row.milli, 0) }
}

async function readLines({ db, school_id, now }: EvaluationCtx, user_id: string, seen: RawBuilder<boolean>): Promise<Line[]> {
  const { rows } = await sql<Omit<Line, 'happened_at'> & { happened_at: Date }>`
    select r.record_id::text as record_id, r.happened_at, r.visible_at, coalesce(u.star_name, '') as dimension, t.star_name, t.icon,
      t.colour, r.milli, r.reason, coalesce(g.display_name, '系统') as giver_name, r.state::int as state
    from star_record r join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id
    left join star_type u on u.school_id = ${school_id} and u.star_type_id = t.superior_id
    left join person_label g on g.school_id = ${school_id} and g.user_id = r.given_by
    where r.school_id = ${school_id} and r.subject_kind = 1 and r.subject_id = ${user_id} and r.state in (1, 3, 4, 5) and ${seen}
      and (r.milli > 0 or r.record_date > ${addDays(schoolDay(now), -negative_days)}::date)
      order by r.happened_at desc, r.record_id desc limit ${most_lines}`.execute(db)
  return rows.map(row => ({ ...row, happened_at: row.happened_at.toISOString() }))
}

/** Myself where I am a pupil, and my children. */
export async function listMySubjects(ctx: EvaluationCtx): Promise<Reply<typeof myStarApi.subjects>> {
  const { rows } = await sql<Reply<typeof myStarApi.subjects>['list'][number]>`
    select s.user_id::text as user_id, s.user_name, s.dept_name from live_student s where s.school_id = ${ctx.school_id}
      and s.user_id = any(${await selfScope(ctx)}::bigint[]) order by s.user_id`.execute(ctx.db)
  return { list: rows }
}

/**
 * Everything that a pupil or a guardian sees of a pupil's stars, what he may object to, and how objections stand. @throws Refusal 404 for
 * nobody of mine
 */
export async function listMyStars(ctx: EvaluationCtx, { user_id }: Input<typeof myStarApi.list>): Promise<Reply<typeof myStarApi.list>> {
  const { db, school_id, now } = ctx
  if (!(await selfScope(ctx)).includes(user_id)) throw fail(commonErrors.notFound)
  const figures = await readFigures(ctx, user_id, sql<boolean>`true`)
  const lines = await readLines(ctx, user_id, sql<boolean>`true`)
  const appeals = await db
    .selectFrom('star_appeal')
    .select(['record_id', 'state', 'step', 'due_at', 'opinion'])
    .where('school_id', '=', school_id)
    .where('record_id', 'in', ['0', ...lines.map(line => line.record_id)])
    .orderBy('appeal_id')
    .execute()
  const of_record = new Map(appeals.map(({ record_id, due_at, ...appeal }) => [record_id, { ...appeal, due_at: due_at.toISOString() }]))
  const isOpen = (line: Line) =>
    line.state === record_state.counts &&
    now.getTime() - (line.visible_at?.getTime() ?? Date.parse(line.happened_at)) <= appeal_days * day_ms
  return {
    ...figures,
    list: lines.map(({ visible_at, ...line }) => ({
      ...line,
      may_appeal: isOpen({ ...line, visible_at }),
      appeal: of_record.get(line.record_id) ?? null,
    })),
  }
}
