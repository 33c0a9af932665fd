import { join } from 'node:path'
import { accessErrors, accessEvents, accessRoutes as facts, passChannel } from '@campus/access/contract'
import { monthOf } from '@kit/server/db'
import type { DomainServer } from '@kit/server/http'
import { serveChannel } from '@kit/server/realtime'
import { passConsumers } from './pass/pass.follow.ts'
import { passRoutes } from './pass/pass.routes.ts'

/** Passes and days are kept for two school years (chapter 35 §1.5 pass_keep_months). */
const kept_days = 731
const day_ms = 86_400_000

export const accessServer: DomainServer = {
  name: 'access',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [
    ...passRoutes,
  ],
  facts,
  events: Object.values(accessEvents),
  consumers: [
    ...passConsumers,
  ],
  channels: [serveChannel(passChannel)],
  constraints: {
    visitor_apply_overlap: accessErrors.visitOverlap,
    visitor_receiver_full: accessErrors.receiverFull,
    visitor_reason_once: accessErrors.reasonName,
  },
  months: ({ now }) => {
    const first = monthOf(new Date(now.getTime() - kept_days * day_ms))
    return [{ table: 'access_pass', column: 'event_date', holds: 'day', first }, { table: 'access_user_day', column: 'date', holds: 'day', first }]
  },
}
