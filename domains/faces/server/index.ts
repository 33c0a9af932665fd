import { join } from 'node:path'
import { facesRoutes as facts } from '@campus/faces/contract'
import type { DomainServer } from '@kit/server/http'

export const facesServer: DomainServer = {
  name: 'faces',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
