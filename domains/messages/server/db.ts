import type { IdentityViews } from '@campus/identity/server'
import type { Database } from '@kit/server/db'
import { asTables } from '@kit/server/db'
import { implementFor, Port } from '@kit/server/http'
import type { Ctx } from '@kit/server/http'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { MessagesTables, MessagesViews } from './tables.gen.ts'

/** Tables and views the messages domain may name. */
export type MessagesDb = MessagesTables & MessagesViews & IdentityViews
export type MessagesHandle = Kysely<MessagesDb>
export type MessagesCtx = Ctx<MessagesDb>

export const implement = implementFor<MessagesDb>()

/** The transaction of another domain, typed to the tables of messages. */
export function asMessages(db: QueryExecutorProvider): MessagesHandle {
  return asTables<MessagesDb>(db)
}

/** The database of one running server, for what happens after a transaction; filled by this domain's own compose step. */
export const databasePort = new Port<Database>('messages.database')
