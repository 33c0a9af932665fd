import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { PlacesTables, PlacesViews } from './tables.gen.ts'

/** The tables of places, and the views of lower domains that they may name. */
export type PlacesDb = PlacesTables & PlacesViews & SchoolViews & IdentityViews & PeopleViews
export type PlacesCtx = Ctx<PlacesDb>
export type Db = Kysely<PlacesDb>

export const implement = implementFor<PlacesDb>()
