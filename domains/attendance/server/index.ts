import { join } from 'node:path'
import { attendanceRoutes as facts } from '@campus/attendance/contract'
import { erasePort, rekeyPort } from '@campus/people/server'
import { monthOf } from '@kit/server/db'
import type { DomainServer } from '@kit/server/http'
import { resultErase, resultRekey } from './result/person.follow.ts'
import { resultRoutes } from './result/result.routes.ts'
import { teacher_code } from './result/scope.ts'

export { createEvents, createResults } from './result/create.ts'
export type { PlannedEvent, PlannedResult } from './result/create.ts'

/** Claims and results are kept for two school years. */
const kept_days = 731
const day_ms = 86_400_000

export const attendanceServer: DomainServer = {
  name: 'attendance',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [
    ...resultRoutes,
  ],
  facts,
  codes: [teacher_code],
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
