import { join } from 'node:path'
import { registerProvider } from '@campus/approval/server'
import { leaveCards, leaveChannel, leaveErrors, leaveEvents, leaveRoutes as facts, leaveTemplates } from '@campus/leave/contract'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, precheckPort, rekeyPort } from '@campus/people/server'
import { importTemplatePort } from '@kit/server/excel'
import { timerKindPort } from '@kit/server/event'
import { serveChannel } from '@kit/server/realtime'
import { cardPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { endingTimer, lateTimer, undecidedTimer } from './apply/timers.ts'
import { effectConsumers } from './effect/converge.ts'
import { peopleConsumers } from './follow.ts'
import { leaveTemplate } from './import/leave.template.ts'
import { quotaTemplate } from './import/quota.template.ts'
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
  channels: [serveChannel(leaveChannel)],
  consumers: [...effectConsumers, ...peopleConsumers],
  codes: ['leave.apply.detail', 'leave.apply.backdate', leaveTemplate.need, quotaTemplate.need],
  constraints: {
    leave_reason_name: leaveErrors.reasonTaken,
    leave_form_name: leaveErrors.formTaken,
    leave_span_overlap: leaveErrors.overlap,
    leave_version_one_open: leaveErrors.changing,
  },
  compose({ app }) {
    for (const card of leaveCards) cardPort.fill(app, card)
    registerProvider(app, leaveProvider)
    for (const template of [leaveTemplate, quotaTemplate]) importTemplatePort.fill(app, template)
    for (const template of Object.values(leaveTemplates)) messageTemplatePort.fill(app, template)
    for (const timer of [endingTimer, undecidedTimer, lateTimer]) timerKindPort.fill(app, timer)
    rekeyPort.fill(app, leaveRekey)
    erasePort.fill(app, leaveErase)
    precheckPort.fill(app, leavePrecheck)
  },
}
