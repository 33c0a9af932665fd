import type { CalendarViews } from '@campus/calendar/server'
import type { DevicesViews } from '@campus/devices/server'
import type { LeaveViews } from '@campus/leave/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { AccessTables } from './tables.gen.ts'

/** The tables of access, and the views of lower domains that they may name. */
export type AccessDb = AccessTables & SchoolViews & PeopleViews & CalendarViews & PlacesViews & DevicesViews & LeaveViews
export type AccessCtx = Ctx<AccessDb>
export type Db = Kysely<AccessDb>

/** Who works in which school and transaction, with or without a request. */
export type Step = { app: App; db: Db; school_id: number; now: Date }

export const implement = implementFor<AccessDb>()
