import { join } from 'node:path'
import { peopleErrors, peopleRoutes } from '@campus/people/contract'
import type { DomainServer } from '@kit/server/http'
import { deptRoutes } from './dept.routes.ts'

export const peopleServer: DomainServer = {
  name: 'people',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [...deptRoutes],
  facts: peopleRoutes,
  constraints: { dept_version_sibling_name: peopleErrors.deptNameTaken },
}
