import type { CalendarViews } from '@campus/calendar/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { TeachingTables, TeachingViews } from './tables.gen.ts'

/** The tables of teaching, and the views of lower domains that they may name. */
export type TeachingDb = TeachingTables & TeachingViews & SchoolViews & CalendarViews & PeopleViews & PlacesViews
export type TeachingCtx = Ctx<TeachingDb>
export type Db = Kysely<TeachingDb>

export const implement = implementFor<TeachingDb>()
