import { join } from 'node:path'
import { teachingRoutes as facts } from '@campus/teaching/contract'
import type { DomainServer } from '@kit/server/http'

export const teachingServer: DomainServer = {
  name: 'teaching',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
