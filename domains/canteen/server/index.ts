import { join } from 'node:path'
import { canteenRoutes as facts } from '@campus/canteen/contract'
import type { DomainServer } from '@kit/server/http'

export const canteenServer: DomainServer = {
  name: 'canteen',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
