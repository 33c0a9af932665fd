import { identityEvents } from '@campus/identity/contract'
import type { SchoolViews } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { publish, setTimer } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { App, Boot } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from './db.ts'
import { lastDay, schoolDay, startOfDay } from './school-day.ts'

const kind = 'identity.member_ending'
const warned_days = 7
const day_ms = 86_400_000
/** Told at half past seven, before the first lesson. */
const hour_ms = 7.5 * 3_600_000
const most_told = 500
const active = 2

type Desk = { app: App; db: QueryExecutorProvider; school_id: number }

/** Has the memberships of a school looked at next morning; a day that is planned already stays planned. */
export async function planWarning(desk: Desk, now: Date): Promise<void> {
  const today = startOfDay(schoolDay(now)).getTime() + hour_ms
  const due_at = new Date(today > now.getTime() ? today : today + day_ms)
  await setTimer(desk, { kind, ref: schoolDay(due_at), due_at })
}

/** Each morning: whose membership ends within seven days, and has not been told of that end, is named by an event (chapter 10 B4). */
export const warnOfEnding: TimerKind = {
  kind,
  async run(db, { app, school_id, now }) {
    await planWarning({ app, db, school_id }, now)
    const { rows } = await sql<{ role_no: string; role_name: string; user_id: string; user_name: string; valid_to: Date }>`
      update role_member m set warned_to = m.valid_to
      from role r, school_user u
      where m.school_id = ${school_id} and r.school_id = m.school_id and r.role_id = m.role_id and u.school_id = m.school_id and u.user_id = m.user_id
        and u.left_at is null and r.enabled and m.valid_from <= ${now} and m.valid_to > ${now} and m.valid_to <= ${new Date(now.getTime() + warned_days * day_ms)}
        and m.warned_to is distinct from m.valid_to
        and m.role_no in (select w.role_no from role_member w where w.school_id = ${school_id} and w.valid_to > ${now} and w.warned_to is distinct from w.valid_to order by w.valid_to limit ${most_told})
      returning m.role_no, r.name as role_name, m.user_id, u.user_name, m.valid_to`.execute(asIdentity(db))
    const members = rows.map(({ valid_to, ...member }) => ({ ...member, last_day: lastDay(valid_to) ?? '' }))
    if (members.length > 0) await publish({ app, db, school_id, now }, identityEvents.memberEnding, { members })
  },
}

/** Plans the next morning of every school that has none planned: one made before there were warnings. */
export async function planWarnings({ app, database }: Boot): Promise<void> {
  const schools = await database.tenant<SchoolViews, { school_id: number }[]>(0, db => asTables<SchoolViews>(db).selectFrom('school_state_v').select('school_id').where('state', '=', active).execute())
  for (const { school_id } of schools) await database.tenant<unknown, void>(school_id, db => planWarning({ app, db, school_id }, app.clock.now()))
}
