import { join } from 'node:path'
import { leaveRoutes as facts } from '@campus/leave/contract'
import type { DomainServer } from '@kit/server/http'

export const leaveServer: DomainServer = {
  name: 'leave',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
