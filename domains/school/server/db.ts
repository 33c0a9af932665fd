import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { SchoolTables, SchoolViews } from './tables.gen.ts'

/** Tables and views the school domain may name. */
export type SchoolDb = SchoolTables & SchoolViews
export type SchoolCtx = Ctx<SchoolDb>

export const implement = implementFor<SchoolDb>()
