import { join } from 'node:path'
import { examsRoutes as facts } from '@campus/exams/contract'
import type { DomainServer } from '@kit/server/http'

export const examsServer: DomainServer = {
  name: 'exams',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
