import { half_life_table, most_halvings } from '@campus/evaluation/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** What a record `r` of an indicator `t` is worth on a day; the same whole numbers as `worthAfter` of the contract. */
export function worthSql(on: string): RawBuilder<number> {
  const days = sql`greatest(${on}::date - r.record_date, 0)`
  return sql<number>`(case t.decay
    when 1 then (r.milli::bigint * (${[...half_life_table]}::int[])[1 + (${days} % t.half_life_days) * 64 / t.half_life_days] / 65536) / (1
      << least(${days} / t.half_life_days, ${most_halvings}::int))
    when 2 then (case when r.term_end < ${on}::date then 0 else r.milli end)
    else r.milli end)`
}

/** Records that count: in force, or under appeal as long as they are good (chapter 55 §2.7). */
export const counts = sql<boolean>`(r.state = 1 or (r.state = 3 and r.milli > 0))`
