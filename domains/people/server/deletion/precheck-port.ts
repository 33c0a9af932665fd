import type { delete_levels } from '@campus/people/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

export type PrecheckLevel = (typeof delete_levels)[number]
/** Where people are looked at; `db` is a transaction of the school, nothing but SQL may be awaited. */
export type PrecheckDesk = { db: QueryExecutorProvider; app: App; school_id: number; now: Date }
/** Somebody with something unsettled: what to do about it, and the page where it is done. */
export type PrecheckHit = { user_id: string; action: string; link: string | null }

/**
 * One thing that may be unsettled when somebody is deleted (chapter 20 rule 22). `code` is unique in the product; `level` holds until a school
 * chooses another one, which it cannot where `is_fixed`. With `settle` the thing can be settled on the spot, in the transaction of the deletion.
 */
export type Precheck = {
  code: string
  title: string
  level: PrecheckLevel
  is_fixed?: true
  find(desk: PrecheckDesk, user_ids: readonly string[]): Promise<PrecheckHit[]>
  settle?(desk: PrecheckDesk, user_ids: readonly string[]): Promise<void>
}

/** Filled by every domain in which people leave something open. */
export const precheckPort = new Port<Precheck>('people.delete_precheck')
