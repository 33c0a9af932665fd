import { evaluationErrors, StarType, subject } from '@campus/evaluation/contract'
import type { StarTypeDraft, starTypeApi } from '@campus/evaluation/contract'
import { addDays } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EvaluationCtx } from './db.ts'
import { settleLevels } from './levels.service.ts'

const usage_days = 30
const by_half_life = 1

/** Dimensions and indicators in their order, with what was given of each in the last 30 days. */
export async function readTree({ db, school_id, now }: EvaluationCtx): Promise<Reply<typeof starTypeApi.tree>> {
  const { rows } = await sql`
    select t.star_type_id::text as id, t.superior_id::text as superior_id, t.star_kind, t.star_name, t.icon, t.colour,
      t.subject_kind::int as subject_kind, t.sign::int as sign, t.step, t.times_max::int as times_max,
      t.person_day_max::int as person_day_max, t.giver_week_quota::int as giver_week_quota, t.evidence::int as evidence, t.givers,
        t.approve, t.decay::int as decay, t.half_life_days::int as half_life_days, t.show_public,
      t.auto_trigger, t.level_cuts, t.enabled, t.row_version, jsonb_build_object('n', coalesce(u.n, 0), 'givers', coalesce(u.givers, 0),
        'mean_milli',
        coalesce(u.mean_milli, 0), 'top_share', coalesce(u.top_share, 0)) as usage
    from star_type t left join (
      select g.star_type_id, sum(g.n)::int as n, count(*)::int as givers, (sum(g.milli) / sum(g.n))::int as mean_milli,
        (max(g.n) * 100 / sum(g.n))::int as top_share from (
        select r.star_type_id, r.given_by, count(*) as n, sum(r.milli) as milli from star_record r where r.school_id = ${school_id}
          and r.record_date > ${addDays(schoolDay(now), -usage_days)}::date and r.state in (1, 3) group by r.star_type_id, r.given_by) g
      group by g.star_type_id) u on u.star_type_id = t.star_type_id
    where t.school_id = ${school_id} order by t.superior_id nulls first, t.show_order, t.star_type_id`.execute(db)
  return { list: z.array(StarType).parse(rows) }
}

/** What the schema cannot say: an unfair or endless negative type, a half-life without days (chapter 55 rule 41). */
function checkDraft({ sign, show_public, evidence, decay, half_life_days, auto_trigger, subject_kind }: Omit<StarTypeDraft,
  'superior_id'>): void {
  const say = (failure: (typeof evaluationErrors)[keyof typeof evaluationErrors], field: string) =>
    fail(failure, { errors: [{ field, msg: failure.msg }] })
  if (decay === by_half_life && half_life_days === null) throw say(evaluationErrors.halfLifeMissing, 'half_life_days')
  if (auto_trigger !== null && (sign < 0 || subject_kind !== subject.pupil)) throw say(evaluationErrors.autoRule, 'auto_trigger')
  if (sign < 0 && (show_public || evidence === 0 || decay === 0)) throw say(evaluationErrors.negativeRule, 'sign')
}

export async function addType(ctx: EvaluationCtx, asked: StarTypeDraft): Promise<Reply<typeof starTypeApi.add>> {
  const { db, school_id } = ctx
  checkDraft(asked)
  if (asked.superior_id === null && asked.auto_trigger !== null) throw fail(evaluationErrors.autoRule)
  if (asked.superior_id !== null) {
    const above = await db
      .selectFrom('star_type')
      .select('superior_id')
      .where('school_id', '=', school_id)
      .where('star_type_id', '=', asked.superior_id)
      .executeTakeFirst()
    if (!above) throw fail(commonErrors.notFound)
    if (above.superior_id !== null) throw fail(evaluationErrors.notIndicator)
  }
  const { rows: [last] } = await sql<{ next: number }>`
    select coalesce(max(t.show_order), 0)::int + 1 as next from star_type t where t.school_id = ${school_id}`.execute(db)
  const { star_type_id: id } = await db
    .insertInto('star_type')
    .values({ school_id, ...asked, show_order: last?.next ?? 1 })
    .returning('star_type_id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'evaluation.type', target_id: id, target_name: asked.star_name })
  return { id }
}

/** @throws Refusal stale, negativeRule; whom it is for and whether it takes away stay once something was given */
export async function updateType(
  ctx: EvaluationCtx,
  { id, row_version, ...asked }: Input<typeof starTypeApi.update>,
): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const before = await db
    .selectFrom('star_type')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!before) throw fail(commonErrors.notFound)
  if (before.row_version !== row_version) throw fail(evaluationErrors.stale)
  checkDraft(asked)
  if (before.superior_id === null && asked.auto_trigger !== null) throw fail(evaluationErrors.autoRule)
  if (before.sign !== asked.sign || before.subject_kind !== asked.subject_kind) await refuseUsed(ctx, id)
  await db
    .updateTable('star_type')
    .set({ ...asked, row_version: row_version + 1 })
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', id)
    .execute()
  if (before.level_cuts.join() !== asked.level_cuts.join()) await settleLevels(ctx, { star_type_ids: [id] })
  ctx.note({ target_kind: 'evaluation.type', target_id: id, target_name: asked.star_name, before, after: asked })
  return {}
}

async function refuseUsed({ db, school_id }: EvaluationCtx, id: string): Promise<void> {
  const { n } = await db
    .selectFrom('star_record')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(n) > 0) throw fail(evaluationErrors.typeInUse, { params: { n: String(n) } })
}

/** @throws Refusal typeInUse, dimensionInUse */
export async function removeType(ctx: EvaluationCtx, { id }: Input<typeof starTypeApi.remove>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const found = await db
    .selectFrom('star_type')
    .select('star_name')
    .where('school_id', '=', school_id)
    .where('star_type_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  await refuseUsed(ctx, id)
  const { n } = await db
    .selectFrom('star_type')
    .select(({ fn }) => fn.countAll<string>().as('n'))
    .where('school_id', '=', school_id)
    .where('superior_id', '=', id)
    .executeTakeFirstOrThrow()
  if (Number(n) > 0) throw fail(evaluationErrors.dimensionInUse, { params: { n: String(n) } })
  await db.deleteFrom('star_type').where('school_id', '=', school_id).where('star_type_id', '=', id).execute()
  ctx.note({ target_kind: 'evaluation.type', target_id: id, target_name: found.star_name })
  return {}
}

/** The order of the named types among themselves. @throws Refusal 404 when one is not of this school */
export async function orderTypes(ctx: EvaluationCtx, { star_type_ids }: Input<typeof starTypeApi.order>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const found = await db
    .selectFrom('star_type')
    .select('star_type_id')
    .where('school_id', '=', school_id)
    .where('star_type_id', 'in', star_type_ids)
    .orderBy('star_type_id')
    .forUpdate()
    .execute()
  if (found.length < new Set(star_type_ids).size) throw fail(commonErrors.notFound)
  for (const [at, id] of star_type_ids.entries())
    await db
      .updateTable('star_type')
      .set({ show_order: at + 1 })
      .where('school_id', '=', school_id)
      .where('star_type_id', '=', id)
      .execute()
  ctx.note({ target_kind: 'evaluation.type', target_name: `${star_type_ids.length}个类型` })
  return {}
}
