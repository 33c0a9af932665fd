import type { DevicesViews } from '@campus/devices/server'
import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { CardsTables, CardsViews } from './tables.gen.ts'

/** The tables of cards, and the views of lower domains that they may name. */
export type CardsDb = CardsTables & CardsViews & SchoolViews & IdentityViews & PeopleViews & PlacesViews & DevicesViews
export type CardsCtx = Ctx<CardsDb>
export type Db = Kysely<CardsDb>

/** Who acts on cards in which transaction; `by` null: the system. `via`: 1 reader, 2 by hand, 3 import, 4 holder or parent, 5 the system. */
export type Act = { app: App; db: Db; school_id: number; now: Date; by: { user_id: string; user_name: string } | null; via: number; batch_no?: string }

/** The act of somebody's request. */
export function actOf({ app, db, school_id, now, me }: CardsCtx, via: number): Act {
  return { app, db, school_id, now, by: me, via }
}

export const implement = implementFor<CardsDb>()
