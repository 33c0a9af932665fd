import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { DevicesTables, DevicesViews } from './tables.gen.ts'

/** The tables of devices, and the views of lower domains that they may name. */
export type DevicesDb = DevicesTables & DevicesViews & SchoolViews & IdentityViews & PeopleViews & PlacesViews
export type DevicesCtx = Ctx<DevicesDb>
export type Db = Kysely<DevicesDb>

export const implement = implementFor<DevicesDb>()
