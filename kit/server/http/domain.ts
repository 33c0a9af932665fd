import type { EventFact, Failure, MenuGroup, RouteFact } from '@kit/contract'
import type { Kysely } from 'kysely'
import type { Config } from '../config/index.ts'
import type { Database, MonthTable } from '../db/index.ts'
import type { App, Consumer, ServedChannel } from './context.ts'
import type { Route } from './implement.ts'

/** What a running server hands to the start step of a domain: the app and the database. */
export type Boot = { app: App; database: Database }

/** The facts of a school that is being made. */
export type NewSchool = { school_id: number; school_name: string; school_type: 1 | 2 }

/** The server side of one domain, composed by apps/server. */
export type DomainServer = {
  name: string
  /** folder of its SQL migrations; none: it has no tables */
  migrations?: string
  routes: readonly Route[]
  facts?: readonly RouteFact[]
  groups?: readonly MenuGroup[]
  /** permission codes that no call names as its need (import templates ask for theirs themselves) */
  codes?: readonly string[]
  /** events this domain publishes, and those of others that it listens to */
  events?: readonly EventFact[]
  consumers?: readonly Consumer[]
  /** what it tells open browsers */
  channels?: readonly ServedChannel[]
  /** database constraint → failure, so that nobody selects before inserting */
  constraints?: Record<string, Failure>
  /** its tables that lie in one partition a month, and since when they are kept */
  months?: (asked: { now: Date; config: Config; database: Database }) => readonly MonthTable[] | Promise<readonly MonthTable[]>
  /** fills its ports; runs before the server listens */
  compose?: (boot: Boot) => void
  /** starts background work; the answer stops it */
  start?: (boot: Boot) => Promise<() => Promise<void>>
  /** rows every new school begins with; runs in one transaction with the tenant set */
  seed?: (db: Kysely<unknown>, school: NewSchool, app: App) => Promise<void>
  /** what the database must hold before anything works (reference tables), in the platform's transaction */
  install?: (db: Kysely<unknown>, app: App) => Promise<void>
}
