import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { CanteenTables, CanteenViews } from './tables.gen.ts'

/** The tables of the canteen, and the views of lower domains that it may name. */
export type CanteenDb = CanteenTables & CanteenViews & SchoolViews & PeopleViews & PlacesViews
export type CanteenCtx = Ctx<CanteenDb>

export const implement = implementFor<CanteenDb>()
