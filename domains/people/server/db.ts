import type { AuditViews } from '@campus/audit/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { PeopleTables, PeopleViews } from './tables.gen.ts'

/** Tables and views the people domain may name. */
export type PeopleDb = PeopleTables & PeopleViews & SchoolViews & AuditViews
export type PeopleCtx = Ctx<PeopleDb>
export type Db = Kysely<PeopleDb>
/** What edits of departments need, inside a request or in a step of an import. */
export type DeptDesk = Pick<PeopleCtx, 'app' | 'db' | 'me' | 'school_id' | 'now' | 'note' | 'scoped'>

export const implement = implementFor<PeopleDb>()
