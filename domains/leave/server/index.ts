import { join } from 'node:path'
import { registerProvider } from '@campus/approval/server'
import { leaveErrors, leaveEvents, leaveRoutes as facts, leaveTemplates } from '@campus/leave/contract'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, precheckPort, rekeyPort } from '@campus/people/server'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { endingTimer, lateTimer, undecidedTimer } from './apply/timers.ts'
import { effectConsumers } from './effect/converge.ts'
import { peopleConsumers } from './follow.ts'
import { leaveRoutes } from './leave.routes.ts'
import { leaveErase, leavePrecheck, leaveRekey } from './person.follow.ts'
import { leaveProvider } from './task/provider.ts'

export { open } from './apply/open.ts'
export type { NewLeave } from './apply/open.ts'
export { followPresence, returned } from './apply/presence.ts'
export { createLeaves } from './create.ts'
export type { LeavePlan } from './create.ts'
export { registerEffect } from './effect/port.ts'
export type { EffectContext, EffectReceipt, LeaveEffect, LeaveFact } from './effect/port.ts'
export type { LeaveViews } from './tables.gen.ts'

export const leaveServer: DomainServer = {
  name: 'leave',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: leaveRoutes,
  facts,
  events: Object.values(leaveEvents),
  consumers: [...effectConsumers, ...peopleConsumers],
  codes: ['leave.apply.detail'],
  constraints: {
    leave_reason_name: leaveErrors.reasonTaken,
    leave_form_name: leaveErrors.formTaken,
    leave_span_overlap: leaveErrors.overlap,
    leave_version_one_open: leaveErrors.changing,
  },
  compose({ app }) {
    registerProvider(app, leaveProvider)
    for (const template of Object.values(leaveTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [endingTimer, undecidedTimer, lateTimer]) timerKindPort.fill(app, timer)
    rekeyPort.fill(app, leaveRekey)
    erasePort.fill(app, leaveErase)
    precheckPort.fill(app, leavePrecheck)
  },
}
