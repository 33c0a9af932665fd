import type { ConfigKey } from '@campus/school/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** Where a check asks: the transaction of the change, whose handle may be typed to any tables. */
export type ConfigDesk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * What another domain says before a value of the configuration is saved: how many people it will touch and how (null: nobody), or a
 * thrown refusal.
 */
export type ConfigCheck = { key: ConfigKey; check(desk: ConfigDesk, value: unknown): Promise<{ count: number; text: string } | null> }

/** Filled by the domains that act on a value (chapter 10 §1 registerConfigCheck). */
export const configCheckPort = new Port<ConfigCheck>('school.config_check')
