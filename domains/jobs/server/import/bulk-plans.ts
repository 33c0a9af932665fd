import type { QueryExecutorProvider } from 'kysely'
import { sql } from 'kysely'

/**
 * Until the transaction ends, the checks of foreign keys are planned once and not once a row, which otherwise is the dearest part of writing
 * hundreds of rows. Other statements are planned as before. The plans are as good as the planner's statistics: see `refreshStatistics`.
 */
export async function keepPlans(db: QueryExecutorProvider): Promise<void> {
  await sql`select set_config('plan_cache_mode', 'auto', true)`.execute(db)
}
