import { meChannel, memberChannel } from '@campus/identity/contract'
import { consume } from '@kit/server/event'
import type { Boot, EventDesk } from '@kit/server/http'
import { push, serveChannel } from '@kit/server/realtime'
import type { Watchers } from '@kit/server/realtime'
import { sql } from 'kysely'
import { z } from 'zod'
import { directory } from './directory.ts'
import type { Own } from './db.ts'
import { forgetSchool, forgetSessions, standingMe } from './gate.ts'
import { livingSessions, readChannels } from './realtime.queries.ts'
import { readTicket } from './realtime.token.ts'

/** What identity tells open browsers (chapter 10 S10). */
export const identityChannels = [
  serveChannel(meChannel, { always: true }),
  serveChannel(memberChannel, {
    async visible(desk, rows) {
      const { users } = await directory.one(desk.app).covers(desk)
      if (users === 'all') return rows
      const found = await sql<{ user_id: string }>`
        select u.user_id from school_user u where u.school_id = ${desk.school_id} and u.user_id = any(${rows.map(row => row.user_id)}::bigint[]) and u.user_id in (${users})`.execute(desk.db)
      const seen = new Set(found.rows.map(row => row.user_id))
      return rows.filter(row => seen.has(row.user_id))
    },
  }),
]

/** What was changed about a school reaches its open consoles (chapter 10 N1). */
export const consoleConsumers = ['school.config.changed', 'school.nav.changed', 'school.dict.changed'].map(event => consume(`identity.tell_${event.split('.')[1]}`, event, z.object({}), tellConfig))

function tellConfig(desk: EventDesk): Promise<void> {
  return push(desk, meChannel, [{ kind: 'config' }])
}

/** What the hub asks about sessions and connections. */
export function watchersOf({ app, database }: Boot): Watchers {
  const own: Own = (school_id, fn) => database.tenant(school_id, fn)
  const desk = () => ({ app, own, now: app.clock.now() })
  return {
    async admit(client_id, token) {
      const ticket = await readTicket(app, token, app.clock.now())
      if (ticket?.client_id !== client_id) return null
      const { school_id, sid: session_id, sub: user_id, role_no, until } = ticket
      const key = { school_id, session_id, user_id, role_no }
      // A ticket whose connection had to make room for newer ones opens none any more.
      if ((await own(0, db => readChannels(db, client_id))) === null) return null
      return (await standingMe(desk(), key)) ? { ...key, until } : null
    },
    identify: session => standingMe(desk(), session),
    channels: client_id => own(0, db => readChannels(db, client_id)),
    living: (school_id, session_ids) => own(school_id, db => livingSessions(db, school_id, session_ids, app.clock.now())),
    told(school_id, channel, rows, session_ids) {
      if (channel !== meChannel.name) return
      if (session_ids.length > 0) forgetSessions(app, session_ids)
      // What was read in the moment of the change is a second old at most, and the browsers ask at once.
      if (rows.some(row => row.kind === 'rights')) forgetSchool(app, school_id)
    },
  }
}
