import { join } from 'node:path'
import { evaluationRoutes as facts } from '@campus/evaluation/contract'
import type { DomainServer } from '@kit/server/http'

export const evaluationServer: DomainServer = {
  name: 'evaluation',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
