import { join } from 'node:path'
import type { DomainServer } from '@kit/server/http'

export { archive } from './archive.queries.ts'
export type { ArchiveChange, ArchiveOperator, ArchiveRow } from './archive.queries.ts'
export { writeOperation } from './operation.queries.ts'
export type { AuditViews } from './tables.gen.ts'

export const auditServer: DomainServer = { name: 'audit', migrations: join(import.meta.dirname, 'migrations'), routes: [] }
