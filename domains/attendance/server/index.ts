import { join } from 'node:path'
import { attendanceRoutes as facts } from '@campus/attendance/contract'
import { erasePort, rekeyPort } from '@campus/people/server'
import { monthOf } from '@kit/server/db'
import type { DomainServer } from '@kit/server/http'
import { resultErase, resultRekey } from './result/person.follow.ts'

/** Claims and results are kept for two school years. */
const kept_days = 731
const day_ms = 86_400_000

export const attendanceServer: DomainServer = {
  name: 'attendance',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
  compose({ app }) {
    rekeyPort.fill(app, resultRekey)
    erasePort.fill(app, resultErase)
  },
  months: ({ now }) => {
    const first = monthOf(new Date(now.getTime() - kept_days * day_ms))
    return [
      { table: 'attend_event', column: 'event_date', holds: 'day', first },
      { table: 'attend_result', column: 'lesson_date', holds: 'day', first },
      { table: 'attend_change', column: 'lesson_date', holds: 'day', first },
    ]
  },
}
