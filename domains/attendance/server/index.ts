import { join } from 'node:path'
import { attendanceCards, attendanceEvents, attendanceRoutes as facts, attendChannel, attendTemplates, ruleErrors } from '@campus/attendance/contract'
import { jobKindPort } from '@campus/jobs/server'
import { registerEffect } from '@campus/leave/server'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, rekeyPort } from '@campus/people/server'
import { monthOf } from '@kit/server/db'
import { timerKindPort } from '@kit/server/event'
import { importTemplatePort } from '@kit/server/excel'
import { cardPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { clockRoutes } from './clock/clock.routes.ts'
import { attendanceConsumers, lessonEffect } from './follow.ts'
import { day_ms } from './judge/window.ts'
import { recomputeJob } from './recompute/run.ts'
import { fixTemplate } from './import/fix.template.ts'
import { dayTimer, unitTimer } from './recompute/timers.ts'
import { attendanceErase, attendanceRekey } from './result/person.follow.ts'
import { resultRoutes } from './result/result.routes.ts'
import { teacher_code } from './result/scope.ts'
import { mineRoutes } from './mine/mine.routes.ts'
import { noticeTimer } from './notice/send.ts'
import { ruleRoutes } from './rule/rule.routes.ts'
import { backdate_code } from './rule/rule.service.ts'

export { createAttendance } from './create.ts'
export type { AttendancePlan } from './create.ts'
export { createEvents, createResults } from './result/create.ts'
export type { PlannedEvent, PlannedResult } from './result/create.ts'

/** Claims and results are kept for two school years. */
const kept_days = 731

export const attendanceServer: DomainServer = {
  name: 'attendance',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [
    ...ruleRoutes,
    ...clockRoutes,
    ...resultRoutes,
    ...mineRoutes,
  ],
  facts,
  events: Object.values(attendanceEvents),
  consumers: attendanceConsumers,
  channels: [serveChannel(attendChannel)],
  codes: [backdate_code, teacher_code, fixTemplate.need],
  constraints: {
    attend_rule_name: ruleErrors.ruleName,
    attend_arrange_overlap: ruleErrors.arrangeOverlap,
    attend_exempt_overlap: ruleErrors.exemptOverlap,
  },
  compose({ app }) {
    for (const card of attendanceCards) cardPort.fill(app, card)
    registerEffect(app, lessonEffect)
    jobKindPort.fill(app, recomputeJob)
    for (const template of Object.values(attendTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [unitTimer, dayTimer, noticeTimer]) timerKindPort.fill(app, timer)
    importTemplatePort.fill(app, fixTemplate)
    rekeyPort.fill(app, attendanceRekey)
    erasePort.fill(app, attendanceErase)
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
