import { sql } from 'kysely'
import { z } from 'zod'
import type { Line } from '../link/line.ts'
import { modelLimits } from '../model.limits.ts'

const taken_away = 1
const Reported = z.object({ 'access.offlineAccessNum': z.number().int().positive().optional(), 'access.deleteRecordAfterUpload': z.number().optional(), 'access.uploadToCloud': z.number().optional() }).catch({})

/** How a device keeps its records: so many at most (null: nobody knows), whether it forgets what was taken, whether their pictures come with them. */
export type Keeping = { most: number | null; forgets: boolean; has_pictures: boolean }

/** As it said itself the last time, else as its model is documented. */
export async function readKeeping({ db, school_id, device_id }: Line): Promise<Keeping> {
  const row = await db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_config as c', join => join.onRef('c.school_id', '=', 'd.school_id').onRef('c.device_id', '=', 'd.device_id'))
    .select(['m.model_code', 'm.limits', 'c.reported'])
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', device_id)
    .executeTakeFirstOrThrow()
  const said = Reported.parse(row.reported ?? {})
  return { most: said['access.offlineAccessNum'] ?? modelLimits(row).record_store ?? null, forgets: (said['access.deleteRecordAfterUpload'] ?? taken_away) === taken_away, has_pictures: said['access.uploadToCloud'] === 1 }
}

/** The greatest number of a record that was here before a moment and the least that has come since; null where there is none. */
export async function numbersAround({ db, school_id, device_id }: Line, epoch: string, moment: Date): Promise<{ before: number | null; since: number | null }> {
  const number = sql`split_part(device_seq, ':', 2)::float8`
  const { rows } = await sql<{ before: number | null; since: number | null }>`
    select max(${number}) filter (where received_at < ${moment}) as before, min(${number}) filter (where received_at >= ${moment}) as since from pass_event
    where school_id = ${school_id} and device_id = ${device_id} and device_seq like ${`${epoch}:%`}`.execute(db)
  return rows[0] ?? { before: null, since: null }
}
