import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { raiseStuck, raiseTwins } from '../clock/alert.raise.ts'
import type { AttendanceDb, Step } from '../db.ts'
import { isInUse, openUnits, unit_timer } from './dirty.ts'
import { dayAfter, dayStart } from './group.ts'
import { recomputeUnit } from './unit.ts'

const day_timer = 'attend.day'
/** Units of a day are opened so long after midnight. */
const after_ms = 5 * 60_000

/** Judges one unit: it was marked, or one of its windows has ended. */
export const unitTimer: TimerKind = {
  kind: unit_timer,
  async run(handle, { app, school_id, ref, now }) {
    const [date = '', shard = ''] = ref.split('/')
    await recomputeUnit({ app, db: asTables<AttendanceDb>(handle), school_id, now }, { date, shard }, 'normal')
  },
}

/** Every morning: the units of the day, as long as the school takes attendance. */
export const dayTimer: TimerKind = {
  kind: day_timer,
  async run(handle, { app, school_id, now }) {
    const step: Step = { app, db: asTables<AttendanceDb>(handle), school_id, now }
    await beginDay(step)
    if (!(await isInUse(step))) return
    await raiseTwins(step, schoolDay(now))
    await raiseStuck(step, schoolDay(now))
  },
}

/** Opens today's units and sets the timer of tomorrow; with the first arrange of a school it begins at once. */
export async function beginDay(step: Step): Promise<void> {
  if (!(await isInUse(step))) return
  const today = schoolDay(step.now)
  await openUnits(step, today)
  await setTimer(step, { kind: day_timer, ref: dayAfter(today), due_at: new Date(dayStart(dayAfter(today)).getTime() + after_ms) })
}
