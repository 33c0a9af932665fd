import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { AuditTables, AuditViews } from './tables.gen.ts'

/** Tables and views the audit domain may name. */
export type AuditDb = AuditTables & AuditViews & SchoolViews
export type AuditCtx = Ctx<AuditDb>
/** Where a journal is read: a school's transaction. */
export type LogDesk = { app: App; db: Kysely<AuditDb>; school_id: number; now: Date }

export const implement = implementFor<AuditDb>()
