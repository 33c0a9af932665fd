import { join } from 'node:path'
import { approvalRoutes as facts } from '@campus/approval/contract'
import type { DomainServer } from '@kit/server/http'

export const approvalServer: DomainServer = {
  name: 'approval',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
