import type { CalendarViews } from '@campus/calendar/server'
import type { DevicesViews } from '@campus/devices/server'
import type { LeaveViews } from '@campus/leave/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import type { TeachingViews } from '@campus/teaching/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { ExamsTables, ExamsViews } from './tables.gen.ts'

/** The tables of exams, and the views of other domains that they may name. */
export type ExamsDb = ExamsTables & ExamsViews & SchoolViews & CalendarViews & PeopleViews & PlacesViews & TeachingViews &
  LeaveViews & DevicesViews
export type ExamsCtx = Ctx<ExamsDb>
export type Db = Kysely<ExamsDb>

export const implement = implementFor<ExamsDb>()
