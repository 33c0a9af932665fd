import type { CalendarViews } from '@campus/calendar/server'
import type { CanteenViews } from '@campus/canteen/server'
import type { DevicesViews } from '@campus/devices/server'
import type { ExamsViews } from '@campus/exams/server'
import type { FilesViews } from '@campus/files/server'
import type { IdentityViews } from '@campus/identity/server'
import type { PeopleViews } from '@campus/people/server'
import type { PlacesViews } from '@campus/places/server'
import type { SchoolViews } from '@campus/school/server'
import type { TeachingViews } from '@campus/teaching/server'
import { asTables } from '@kit/server/db'
import { implementFor } from '@kit/server/http'
import type { App, Ctx, EventDesk } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { PublishingTables, PublishingViews } from './tables.gen.ts'

/** The tables of publishing, and the views of lower domains that they may name. */
export type PublishingDb = PublishingTables & PublishingViews & SchoolViews & IdentityViews & PeopleViews & PlacesViews & DevicesViews & FilesViews & CalendarViews & CanteenViews & TeachingViews & ExamsViews
export type PublishingCtx = Ctx<PublishingDb>
export type Db = Kysely<PublishingDb>
/** Work in a school, in a request or without one. */
export type Work = { app: App; db: Db; school_id: number; now: Date }

/** What an event or a timer brings, as work on the tables of publishing. */
export function workOf({ app, db, school_id, now }: Omit<EventDesk, 'db'> & { db: Parameters<typeof asTables>[0] }): Work {
  return { app, db: asTables<PublishingDb>(db), school_id, now }
}

export const implement = implementFor<PublishingDb>()
