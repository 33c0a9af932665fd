import { maintenanceApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { declareMaintenance, endMaintenance } from './maintenance/maintenance.service.ts'

export const maintenanceRoutes = implement(maintenanceApi, {
  declare: (ctx, asked) => declareMaintenance(ctx, asked),
  end: (ctx, asked) => endMaintenance(ctx, asked),
})
