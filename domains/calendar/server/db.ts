import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { CalendarTables, CalendarViews } from './tables.gen.ts'

/** The tables of the calendar, and the views of lower domains that they may name. */
export type CalendarDb = CalendarTables & CalendarViews & SchoolViews
export type CalendarCtx = Ctx<CalendarDb>
export type Db = Kysely<CalendarDb>

export const implement = implementFor<CalendarDb>()
