import { join } from 'node:path'
import { auditEvents, auditRoutes } from '@campus/audit/contract'
import { listExportPort } from '@kit/server/excel'
import type { DomainServer } from '@kit/server/http'
import { auditServerRoutes } from './audit.routes.ts'
import { archiveExport, operationExport } from './log-export.ts'
import { journalMonths } from './month.ts'
import { startKeeper } from './seal/keeper.ts'
import { watchSchool } from './seal/seal.queries.ts'

export { archive, archiveAll } from './archive.queries.ts'
export type { ArchiveChange, ArchiveOperator, ArchiveRow } from './archive.queries.ts'
export { archiveChanges } from './change-text.ts'
export { personNamesPort } from './person-names.ts'
export type { PersonNames } from './person-names.ts'
export { writeOperation, writeOperations } from './operation.queries.ts'
export { handOverSealKey } from './seal/hand-over.ts'
export { sealDue } from './seal/keeper.ts'
export { sealFileOf, verifySchool, verifySealFile } from './seal/verify-school.ts'
export type { AuditViews } from './tables.gen.ts'

/** The two journals of every school, their seals and their months. */
export const auditServer: DomainServer = {
  name: 'audit',
  migrations: join(import.meta.dirname, 'migrations'),
  routes: auditServerRoutes,
  facts: auditRoutes,
  events: Object.values(auditEvents),
  compose({ app }) {
    for (const list of [operationExport, archiveExport]) listExportPort.fill(app, list)
  },
  months: ({ now, config }) => journalMonths(now, config.CAMPUS_JOURNAL_KEEP_DAYS),
  seed: (db, { school_id }, app) => watchSchool(db, school_id, app.clock.now()),
  start: startKeeper,
}
