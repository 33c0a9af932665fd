import { createRecharge } from '@campus/people/server'
import type { NewRecharge } from '@campus/people/server'
import { sql } from 'kysely'
import type { Work } from './school-work.ts'
import { startOfDay } from './school-year.ts'

const day_ms = 86_400_000
const pupils = { is_open: true, channels: ['1', '2'], min_fen: 1000, max_fen: 50_000, quick_fen: [5000, 10_000, 20_000, 30_000], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: true } satisfies Partial<NewRecharge>
const staff = { ...pupils, channels: ['1', '2', '3'], max_fen: 100_000, quick_fen: [10_000, 20_000, 50_000], day_limit_fen: 200_000, balance_cap_fen: 500_000 } satisfies Partial<NewRecharge>

/** What pupils and staff of the main school may put into a wallet; a higher limit for pupils waits for approval. */
export async function fillRecharge({ db, school_id, today }: Work): Promise<void> {
  const { rows } = await sql<{ user_id: string }>`select user_id from live_staff where school_id = ${school_id} order by teacher_no desc limit 2`.execute(db)
  const [agreed, entered] = rows
  if (!entered || !agreed) return
  const by = { created_by: entered.user_id }
  const ago = (days: number) => new Date(startOfDay(today).getTime() - days * day_ms)
  await createRecharge(db, school_id, [
    { ...pupils, ...by, person_kind: 1, version: 1, approved_by: agreed.user_id, at: ago(60) },
    { ...pupils, ...by, person_kind: 1, version: 2, max_fen: 80_000, quick_fen: [5000, 10_000, 20_000, 50_000], at: ago(1) },
    { ...staff, ...by, person_kind: 2, version: 1, approved_by: agreed.user_id, at: ago(60) },
  ])
}
