import { join } from 'node:path'
import { accessRoutes as facts } from '@campus/access/contract'
import type { DomainServer } from '@kit/server/http'

export const accessServer: DomainServer = {
  name: 'access',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
