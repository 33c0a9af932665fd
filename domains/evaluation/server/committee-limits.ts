import { evaluationErrors } from '@campus/evaluation/contract'
import type { committeeApi } from '@campus/evaluation/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { EvaluationCtx } from './db.ts'

const Limits = z.record(z.string(), z.number())

/** How many may hold each post of a class at a time, as far as the school has said so (chapter 55 §1.3). */
export async function readLimits({ db, school_id }: Pick<EvaluationCtx, 'db' | 'school_id'>): Promise<Reply<typeof committeeApi.limits>> {
  const found = await db.selectFrom('star_setting').select(['committee_limits', 'row_version']).where('school_id', '=', school_id)
    .executeTakeFirst()
  return { limits: Limits.parse(found?.committee_limits ?? {}), row_version: found?.row_version ?? 0 }
}

/** New limits bind the next save of a class; committees of now stay. @throws Refusal stale */
export async function writeLimits(ctx: EvaluationCtx, { limits,
  row_version }: Input<typeof committeeApi.setLimits>): Promise<Reply<typeof committeeApi.setLimits>> {
  const { db, school_id } = ctx
  const next = row_version + 1
  const { rows } = await sql`
    insert into star_setting (school_id, committee_limits, row_version) values (${school_id}, ${JSON.stringify(limits)}::jsonb, ${next})
    on conflict (school_id) do update set committee_limits = excluded.committee_limits, row_version = excluded.row_version
      where star_setting.row_version = ${row_version}::int returning school_id`.execute(db)
  if (rows.length === 0) throw fail(evaluationErrors.stale)
  ctx.note({ target_kind: 'evaluation.committee', target_name: '班委人数', after: limits })
  return { row_version: next }
}
