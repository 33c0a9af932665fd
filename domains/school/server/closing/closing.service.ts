import { closed_kept_days, school_states } from '@campus/school/contract'
import type { schoolManageApi, SchoolReceipt } from '@campus/school/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { setTimer } from '@kit/server/event'
import type { App, Pre } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { SchoolDb } from '../db.ts'
import { findSchool } from '../school.queries.ts'
import { beginClosing, dropReceipts, findClosing, listReceipts, tellReceipt } from './closing.queries.ts'
import { schoolFilesPort, schoolStopPort } from './closing.port.ts'
import { closingTimer } from './closing.timer.ts'

const day_ms = 86_400_000
const zone_ms = 8 * 3_600_000

type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** What comes with a new state of a school, in the transaction that moves it there (chapter 10 §7): receipts, and when it is closed the retention clock and the plan to remove its files. */
export async function followMove(desk: Desk, state: number, sessions_ended: number): Promise<void> {
  const { app, db, school_id, now } = desk
  if (state === school_states.active) return dropReceipts(db, school_id)
  if (state === school_states.suspended) {
    await tellReceipt(db, school_id, { effect: 'sessions', target: `结束${sessions_ended}个登录，新的登录已停止`, state: 'done', at: now })
    for (const stop of schoolStopPort.all(app)) await tellReceipt(db, school_id, { effect: 'jobs', target: await stop(db, school_id), state: 'done', at: now })
    return
  }
  await startClock(desk)
}

async function startClock({ app, db, school_id, now }: Desk): Promise<void> {
  const files_total = await schoolFilesPort.one(app).count(db, school_id)
  const keep_until = new Date(now.getTime() + closed_kept_days * day_ms)
  const day = new Date(keep_until.getTime() + zone_ms).toISOString().slice(0, 10)
  await beginClosing(db, { school_id, closed_at: now, keep_until, files_total })
  await tellReceipt(db, school_id, { effect: 'retention', target: `资料保存至 ${day}`, state: 'running', at: now })
  await tellReceipt(db, school_id, { effect: 'files', target: `${files_total}个文件，${day} 起删除`, state: 'planned', at: now })
  await setTimer({ app, db, school_id }, closingTimer(0, keep_until))
}

const Effect = z.enum(['sessions', 'jobs', 'retention', 'files'])
const State = z.enum(['planned', 'running', 'done', 'failed'])

/** What became of a school that was suspended or closed. @throws Refusal 404 */
export function readClosing(pre: Pre, { id: school_id }: Input<typeof schoolManageApi.closing>): Promise<Reply<typeof schoolManageApi.closing>> {
  return pre.own<SchoolDb, Reply<typeof schoolManageApi.closing>>(school_id, async db => {
    const school = await findSchool(db, school_id)
    if (!school) throw fail(commonErrors.notFound)
    const closing = await findClosing(db, school_id)
    const receipts = (await listReceipts(db, school_id)).map((row): SchoolReceipt => ({ effect: Effect.parse(row.effect), target: row.target, state: State.parse(row.state), at: row.at.toISOString() }))
    return {
      school_id, state: school.state, receipts,
      closed_at: closing?.closed_at.toISOString() ?? null,
      keep_until: closing?.keep_until.toISOString() ?? null,
      files_total: closing?.files_total ?? 0,
      files_removed: closing?.files_removed ?? 0,
      finished_at: closing?.finished_at?.toISOString() ?? null,
    }
  })
}
