import { join } from 'node:path'
import { publishingRoutes as facts } from '@campus/publishing/contract'
import type { DomainServer } from '@kit/server/http'

export const publishingServer: DomainServer = {
  name: 'publishing',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
