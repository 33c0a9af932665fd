import type { CalendarViews } from '@campus/calendar/server'
import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { SchoolViews } from '@campus/school/server'
import { implementFor } from '@kit/server/http'
import type { App, Ctx } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { LeaveTables, LeaveViews } from './tables.gen.ts'

/** The tables of leave, and the views of lower domains that they may name. */
export type LeaveDb = LeaveTables & LeaveViews & SchoolViews & IdentityViews & PeopleViews & CalendarViews
export type LeaveCtx = Ctx<LeaveDb>
export type Db = Kysely<LeaveDb>

/** Who acts on leaves in which transaction; `by` null: the system. */
export type Act = { app: App; db: Db; school_id: number; now: Date; by: { user_id: string; user_name: string } | null }

/** The act of somebody's request. */
export function actOf({ app, db, school_id, now, me }: LeaveCtx): Act {
  return { app, db, school_id, now, by: { user_id: me.user_id, user_name: me.user_name } }
}

export const implement = implementFor<LeaveDb>()
