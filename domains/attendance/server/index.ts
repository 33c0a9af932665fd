import { join } from 'node:path'
import { attendanceRoutes as facts } from '@campus/attendance/contract'
import type { DomainServer } from '@kit/server/http'

export const attendanceServer: DomainServer = {
  name: 'attendance',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: [],
  facts,
}
