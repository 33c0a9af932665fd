import type { DevicesViews } from '@campus/devices/server'
import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { AccessTables, AccessViews } from '../tables.gen.ts'

/** The tables of passes and visitors, and the views of lower domains that they may name. */
export type PassDb = AccessTables & AccessViews & SchoolViews & IdentityViews & PeopleViews & PlacesViews & DevicesViews
export type PassCtx = Ctx<PassDb>
export type Db = Kysely<PassDb>
/** In which transaction something is done; `me` null: the system. */
export type Work = { app: App; db: Db; school_id: number; now: Date; me?: { user_id: string; user_name: string } | null }

export const implement = implementFor<PassDb>()

