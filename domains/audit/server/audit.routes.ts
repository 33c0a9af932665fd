import { archiveLogApi, integrityApi, systemLogApi } from '@campus/audit/contract'
import { archiveDays, archiveFields, listArchive, newerArchive, readArchive } from './archive-log.service.ts'
import { implement } from './db.ts'
import { readIntegrity } from './integrity.service.ts'
import { exportArchive, exportOperations } from './log-export.ts'
import { exportSeals } from './seal/seal-export.ts'
import { listOperations, newerOperations, operationDays, readOperation } from './system-log.service.ts'

export const auditServerRoutes = [
  ...implement(systemLogApi, {
    page: listOperations,
    days: operationDays,
    newer: newerOperations,
    detail: (ctx, { id }) => readOperation(ctx, id),
    export: { before: exportOperations },
  }),
  ...implement(archiveLogApi, {
    page: listArchive,
    days: archiveDays,
    newer: newerArchive,
    fields: archiveFields,
    detail: (ctx, { id }) => readArchive(ctx, id),
    export: { before: exportArchive },
  }),
  ...implement(integrityApi, {
    state: ctx => readIntegrity(ctx),
    seals: { outside: exportSeals },
  }),
]
