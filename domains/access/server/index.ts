import { join } from 'node:path'
import { accessCards, accessErrors, accessEvents, accessRoutes as facts, doorChannel, passChannel, visitChannel, visitTemplates } from '@campus/access/contract'
import { registerDecider } from '@campus/devices/server'
import { registerEffect } from '@campus/leave/server'
import { messageTemplatePort } from '@campus/messages/server'
import { erasePort, rekeyPort, timelinePort, todayLinePort } from '@campus/people/server'
import { monthOf } from '@kit/server/db'
import { timerKindPort } from '@kit/server/event'
import { cardPort } from '@kit/server/http'
import { importTemplatePort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { sealedPort } from '@kit/server/secrets'
import { abnormalConsumers } from './abnormal/abnormal.follow.ts'
import { abnormalRoutes } from './abnormal/abnormal.routes.ts'
import { doorConsumers, emergencyTimer } from './door/door.follow.ts'
import { doorRoutes } from './door/door.routes.ts'
import { effectConsumers } from './effect/effect.follow.ts'
import { decideSwipe } from './grant/decider.ts'
import { grantConsumers, rollTimer } from './grant/follow.ts'
import { grantRoutes } from './grant/grant.routes.ts'
import { blackTemplate } from './import/black.template.ts'
import { deptRuleTemplate } from './import/dept-rule.template.ts'
import { pickupPersonTemplate } from './import/pickup-person.template.ts'
import { temporaryTemplate } from './import/temporary.template.ts'
import { userRuleTemplate } from './import/user-rule.template.ts'
import { visitTemplate } from './import/visit.template.ts'
import { gateEffect } from './leave/gate.effect.ts'
import { passConsumers } from './pass/pass.follow.ts'
import { passRoutes } from './pass/pass.routes.ts'
import { photoTimer } from './pass/photo.ts'
import { passLane, passToday } from './pass/person.lanes.ts'
import { pickupConsumers, pickupTimer } from './pickup/pickup.follow.ts'
import { accessErase, accessRekey } from './person.follow.ts'
import { ruleRoutes } from './rule/rule.routes.ts'
import { temporaryRoutes } from './temporary/temporary.routes.ts'
import { visit_sealed_parts } from './visitor/seal.ts'
import { visitConsumers, visitTimer } from './visitor/visit.follow.ts'
import { visitorRoutes } from './visitor/visitor.routes.ts'

export { createAccess } from './grant/create.ts'
export type { PlannedAccess } from './grant/create.ts'
export { putExamRights } from './temporary/exam-rights.ts'
export type { ExamDenial, ExamRight } from './temporary/exam-rights.ts'
export { readPastPasses } from './pass/create.ts'
export { createPickups } from './pickup/create.ts'
export { createVisits } from './visitor/create.ts'
export type { PlannedVisit } from './visitor/create.ts'
export type { AccessViews } from './tables.gen.ts'

/** Passes and days are kept for two school years (chapter 35 §1.5 pass_keep_months). */
const kept_days = 731
const day_ms = 86_400_000

export const accessServer: DomainServer = {
  name: 'access',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [
    ...abnormalRoutes,
    ...doorRoutes,
    ...grantRoutes,
    ...ruleRoutes,
    ...temporaryRoutes,
    ...passRoutes,
    ...visitorRoutes,
  ],
  facts,
  events: Object.values(accessEvents),
  consumers: [
    ...abnormalConsumers,
    ...doorConsumers,
    ...effectConsumers,
    ...grantConsumers,
    ...passConsumers,
    ...pickupConsumers,
    ...visitConsumers,
  ],
  channels: [serveChannel(passChannel), serveChannel(visitChannel), serveChannel(doorChannel)],
  constraints: {
    door_emergency_open: accessErrors.doorBusy,
    access_rule_name: accessErrors.ruleName,
    access_ban_overlap: accessErrors.banOverlap,
    pickup_person_overlap: accessErrors.pickupTwice,
    dept_rule_overlap: accessErrors.assignOverlap,
    user_rule_overlap: accessErrors.assignOverlap,
    visitor_apply_overlap: accessErrors.visitOverlap,
    visitor_receiver_full: accessErrors.receiverFull,
    visitor_reason_once: accessErrors.reasonName,
  },
  compose({ app }) {
    for (const card of accessCards) cardPort.fill(app, card)
    registerDecider(app, decideSwipe)
    registerEffect(app, gateEffect)
    for (const template of [blackTemplate, deptRuleTemplate, pickupPersonTemplate, temporaryTemplate, userRuleTemplate, visitTemplate]) {
      importTemplatePort.fill(app, template)
    }
    for (const timer of [emergencyTimer, photoTimer, pickupTimer, rollTimer, visitTimer]) timerKindPort.fill(app, timer)
    rekeyPort.fill(app, accessRekey)
    erasePort.fill(app, accessErase)
    timelinePort.fill(app, passLane)
    todayLinePort.fill(app, passToday)
    for (const template of Object.values(visitTemplates)) messageTemplatePort.fill(app, template)
    for (const part of visit_sealed_parts) sealedPort.fill(app, part)
  },
  months: ({ now }) => {
    const first = monthOf(new Date(now.getTime() - kept_days * day_ms))
    return [
      { table: 'access_pass', column: 'event_date', holds: 'day', first },
      { table: 'access_pass_photo', column: 'event_date', holds: 'day', first },
      { table: 'access_user_day', column: 'date', holds: 'day', first },
      { table: 'door_command', column: 'asked_on', holds: 'day', first },
    ]
  },
}
