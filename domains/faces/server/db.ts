import type { DevicesViews } from '@campus/devices/server'
import type { PeopleViews } from '@campus/people/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { FacesTables, FacesViews } from './tables.gen.ts'

/** The tables of faces, and the views of lower domains that they may name. */
export type FacesDb = FacesTables & FacesViews & SchoolViews & PeopleViews & DevicesViews
export type FacesCtx = Ctx<FacesDb>
export type Db = Kysely<FacesDb>

/** Who acts on faces in which transaction; `by` null: the system. */
export type Act = { app: App; db: Db; school_id: number; now: Date; by: string | null }

export function actOf({ app, db, school_id, now, me }: FacesCtx): Act {
  return { app, db, school_id, now, by: me.user_id }
}

export const implement = implementFor<FacesDb>()
