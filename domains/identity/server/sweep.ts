import type { Boot } from '@kit/server/http'
import type { Own } from './db.ts'
import { giveAllDefaults } from './default-rights.ts'
import { planWarnings } from './member.ending.ts'
import { schoolDay } from './school-day.ts'
import { deleteOldSessions } from './session.sweep.ts'

const every_ms = 5 * 60_000
const day_ms = 86_400_000

/** Plans warnings that nobody has planned, gives schools of an earlier release the defaults of this one, and removes what nobody can use any more: captchas, tickets, trips to login providers, old throttle lines, dead remember tokens; once a day sessions that have long been over. Answers the stop. */
export async function startSweep({ app, database }: Boot): Promise<() => Promise<void>> {
  const own: Own = (school_id, fn) => database.tenant(school_id, fn)
  let running = planWarnings({ app, database })
    .catch((error: unknown) => app.log.warn({ err: error }, 'warnings of ending memberships could not be planned'))
    .then(() => giveAllDefaults({ app, database }))
    .catch((error: unknown) => app.log.error({ err: error }, 'new default rights could not be given to all schools'))
  let swept_on = ''
  const timer = setInterval(() => {
    const now = app.clock.now()
    const is_new_day = swept_on !== schoolDay(now)
    swept_on = schoolDay(now)
    running = sweep(own, now, is_new_day).catch((error: unknown) => app.log.warn({ err: error }, 'sweep of identity failed'))
  }, every_ms)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

/** One round of the sweep. */
async function sweep(own: Own, now: Date, is_new_day: boolean): Promise<void> {
  const day_ago = new Date(now.getTime() - 2 * day_ms)
  await own(0, async db => {
    await db.deleteFrom('captcha').where('expire_at', '<', now).execute()
    await db.deleteFrom('ticket').where('expire_at', '<', now).execute()
    await db.deleteFrom('provider_visit').where('expire_at', '<', now).execute()
    await db.deleteFrom('login_throttle').where('window_at', '<', day_ago).where(eb => eb.or([eb('locked_until', 'is', null), eb('locked_until', '<', day_ago)])).execute()
    await db.deleteFrom('realtime_watch').where('expire_at', '<', now).execute()
    await db.deleteFrom('remember_token').where('expire_at', '<', now).execute()
  })
  if (is_new_day) await deleteOldSessions(own, now)
}
