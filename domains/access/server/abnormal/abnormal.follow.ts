import { accessEvents } from '@campus/access/contract'
import { devicesEvents } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb, Step } from '../db.ts'
import { findAbnormals } from './find.ts'
import { judgePasses } from './judge.ts'
import { raiseAbnormals } from './raise.ts'

const [overdue, gap, visitor, hour_ms] = [11, 13, 4, 3_600_000] as const
const { passRecorded, visitOverdue } = accessEvents
const stepOf = ({ app, db, school_id, now }: { app: App; db: QueryExecutorProvider; school_id: number; now: Date }): Step => ({
  app,
  db: asTables<AccessDb>(db),
  school_id,
  now,
})

async function followVisit(step: Step, apply_no: string): Promise<void> {
  const { db, school_id } = step
  const {
    rows: [row],
  } = await sql<{
    subject_id: string
    overdue_at: Date
  }>`select subject_id::text, overdue_at from visitor_apply where school_id = ${school_id} and apply_no = ${apply_no}
    and overdue_at is not null`.execute(db)
  if (!row) return
  const { subject_id, overdue_at } = row
  await raiseAbnormals(step, [
    {
      kind: overdue,
      subject_key: `${visitor}/${subject_id}`,
      subject_kind: visitor,
      subject_id,
      dept_id: null,
      place_id: null,
      window_start: overdue_at,
      severity: 2,
      evidence: [],
      detail: `来访单号 ${apply_no}`,
    },
  ])
}

async function followGap(step: Step, device_id: string, lost: number): Promise<void> {
  const { db, school_id, now } = step
  const device = await db
    .selectFrom('device_live_v')
    .select(['device_name', 'place_id'])
    .where('school_id', '=', school_id)
    .where('device_id', '=', device_id)
    .executeTakeFirst()
  if (!device) return
  const window_start = new Date(Math.floor(now.getTime() / hour_ms) * hour_ms)
  await raiseAbnormals(step, [
    {
      kind: gap,
      subject_key: `device/${device_id}`,
      subject_kind: null,
      subject_id: null,
      dept_id: null,
      place_id: device.place_id,
      window_start,
      severity: 2,
      evidence: [],
      detail: `${device.device_name}有${lost}条记录未上传即被覆盖`,
    },
  ])
}

/** Every pass is judged and looked at (R32, R54); visits that last too long and records that a device has lost stand in the same queue. */
export const abnormalConsumers = [
  consume('access.judge_passes', passRecorded.name, passRecorded.payload, async (desk, span) => {
    const step = stepOf(desk)
    await raiseAbnormals(step, findAbnormals(await judgePasses(step, span)))
  }),
  consume('access.abnormal_visit', visitOverdue.name, visitOverdue.payload, (desk, { apply_no }) => followVisit(stepOf(desk), apply_no)),
  consume('access.abnormal_gap', devicesEvents.recordLost.name, devicesEvents.recordLost.payload, (desk, { device_id, from, to, lost }) =>
    followGap(stepOf(desk), device_id, lost ?? to - from + 1),
  ),
]
