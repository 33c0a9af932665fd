import type { pickupModeApi } from '@campus/access/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { AccessCtx } from '../db.ts'
import { derive } from './derive.ts'

const grade_dept = 3

/** The grades of the school with how their children leave. */
export async function readModes({ db, school_id }: AccessCtx): Promise<Reply<typeof pickupModeApi.read>> {
  const { rows } = await sql<{ grade: string; dept_name: string; mode: 0 | 1 | 2 }>`
    select d.grade, min(d.dept_name) as dept_name, coalesce(max(m.mode), 0)::int as mode from dept_now d left join pickup_mode m on m.school_id = ${school_id} and m.grade = d.grade
    where d.school_id = ${school_id} and d.dept_type = ${grade_dept} and d.grade is not null group by d.grade order by d.grade`.execute(db)
  return { list: rows }
}

/** Whether children of a grade leave alone or after a guardian: their way out follows at once. */
export async function writeModes(ctx: AccessCtx, { list }: Input<typeof pickupModeApi.write>): Promise<Reply<typeof pickupModeApi.write>> {
  const { db, school_id } = ctx
  await insertMany(db, 'pickup_mode', list.map(row => ({ school_id, ...row })), { columns: ['school_id', 'grade'], set: ['mode'] })
  await derive(ctx, null)
  ctx.note({ target_kind: 'access.pickup_mode', after: { list } })
  return { saved: list.length }
}
