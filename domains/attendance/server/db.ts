import type { AccessViews } from '@campus/access/server'
import type { CalendarViews } from '@campus/calendar/server'
import type { DevicesViews } from '@campus/devices/server'
import type { ExamsViews } from '@campus/exams/server'
import type { IdentityViews } from '@campus/identity/server'
import type { LeaveViews } from '@campus/leave/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import type { TeachingViews } from '@campus/teaching/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { AttendanceTables, AttendanceViews } from './tables.gen.ts'

type LowerViews = SchoolViews & IdentityViews & PeopleViews & CalendarViews & PlacesViews & DevicesViews & TeachingViews & LeaveViews & AccessViews & ExamsViews

/** The tables of attendance, and the views of lower domains that they may name. */
export type AttendanceDb = AttendanceTables & AttendanceViews & LowerViews
export type AttendanceCtx = Ctx<AttendanceDb>
export type Db = Kysely<AttendanceDb>

/** Who works in which school and transaction, with or without a request. */
export type Step = { app: App; db: Db; school_id: number; now: Date }

export const implement = implementFor<AttendanceDb>()
