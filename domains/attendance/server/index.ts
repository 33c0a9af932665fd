import { join } from 'node:path'
import { attendanceEvents, attendanceRoutes as facts, attendChannel } from '@campus/attendance/contract'
import { registerEffect } from '@campus/leave/server'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { attendanceConsumers, lessonEffect } from './follow.ts'
import { dayTimer, unitTimer } from './recompute/timers.ts'

export const attendanceServer: DomainServer = {
  name: 'attendance',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
  events: Object.values(attendanceEvents),
  consumers: attendanceConsumers,
  channels: [serveChannel(attendChannel)],
  compose({ app }) {
    registerEffect(app, lessonEffect)
    for (const timer of [unitTimer, dayTimer]) timerKindPort.fill(app, timer)
  },
}
