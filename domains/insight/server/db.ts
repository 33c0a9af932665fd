import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { InsightTables } from './tables.gen.ts'

/** Insight's layouts, and the views of lower tiers that it may name. */
export type InsightDb = InsightTables & SchoolViews & IdentityViews & PeopleViews
export type InsightCtx = Ctx<InsightDb>
export type Db = Kysely<InsightDb>

export const implement = implementFor<InsightDb>()
