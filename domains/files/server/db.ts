import type { SchoolViews } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { implementFor, Port } from '@kit/server/http'
import type { App, Pre } from '@kit/server/http'
import type { StoreKey } from '@kit/server/secrets'
import type { Kysely, QueryExecutorProvider } from 'kysely'
import type { FilesTables, FilesViews } from './tables.gen.ts'

/** Tables and views the files domain may name. */
export type FilesDb = FilesTables & FilesViews & SchoolViews
export type FilesHandle = Kysely<FilesDb>
export type FileRow = { school_id: number; file_key: string }

export const implement = implementFor<FilesDb>()

/** The transaction of another domain, typed to the tables of files. */
export function asFiles(db: QueryExecutorProvider): FilesHandle {
  return asTables<FilesDb>(db)
}

/** What is needed outside a transaction: the app and short transactions of one's own. */
export type Desk = Pick<Pre, 'app' | 'own' | 'now'>

/** The database of one running server, for what happens after a transaction; filled by this domain's own compose step. */
export const databasePort = new Port<{ database: Database }>('files.database')

/** The keys of outside stores of one running server; filled by this domain's own compose step. */
export const storesPort = new Port<readonly StoreKey[]>('files.stores')

/** The key of a school for its kind of store, if it has one. */
export function storeKeyOf(app: App, school_id: number, oss_type: number): StoreKey | null {
  const fitting = storesPort.one(app).filter(store => store.oss_type === oss_type)
  return fitting.find(store => store.school_id === school_id) ?? fitting.find(store => store.school_id === null) ?? null
}
