import { join } from 'node:path'
import { insightCards, insightErrors, insightEvents, metrics } from '@campus/insight/contract'
import { cardPort } from '@kit/server/http'
import type { DomainServer } from '@kit/server/http'
import { dashboardRoutes } from './dashboard.routes.ts'
import { statisticsRoutes } from './statistics.routes.ts'

export { standLayout } from './dashboard.queries.ts'

export const insightServer: DomainServer = {
  name: 'insight',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...statisticsRoutes, ...dashboardRoutes],
  events: Object.values(insightEvents),
  constraints: { dashboard_layout_one: insightErrors.layoutTaken },
  compose: ({ app }) => {
    for (const card of insightCards) cardPort.fill(app, card)
  },
  // A figure asks for the permission of its rows, whether or not a call of their owner names it too.
  codes: Object.values(metrics).map(({ need }) => need),
}
