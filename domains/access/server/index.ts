import { join } from 'node:path'
import { accessErrors, accessRoutes as facts } from '@campus/access/contract'
import { erasePort, rekeyPort } from '@campus/people/server'
import { timerKindPort } from '@kit/server/event'
import type { DomainServer } from '@kit/server/http'
import { registerDecider } from '@campus/devices/server'
import { decideSwipe } from './grant/decider.ts'
import { grantConsumers, rollTimer } from './grant/follow.ts'
import { grantRoutes } from './grant/grant.routes.ts'
import { accessErase, accessRekey } from './grant/person.follow.ts'
import { ruleRoutes } from './rule/rule.routes.ts'
import { temporaryRoutes } from './temporary/temporary.routes.ts'

export { createAccess } from './grant/create.ts'
export type { PlannedAccess } from './grant/create.ts'

export const accessServer: DomainServer = {
  name: 'access',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [
    ...grantRoutes,
    ...ruleRoutes,
    ...temporaryRoutes,
  ],
  facts,
  consumers: [
    ...grantConsumers,
  ],
  constraints: {
    access_rule_name: accessErrors.ruleName,
    access_ban_overlap: accessErrors.banOverlap,
    dept_rule_overlap: accessErrors.assignOverlap,
    user_rule_overlap: accessErrors.assignOverlap,
  },
  compose({ app }) {
    timerKindPort.fill(app, rollTimer)
    registerDecider(app, decideSwipe)
    rekeyPort.fill(app, accessRekey)
    erasePort.fill(app, accessErase)
  },
}
