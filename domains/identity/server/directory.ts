import { Port } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** What identity asks of whoever knows people and departments. */
export type Directory = {
  /** Names of departments by id; unknown ids are left out. */
  labels(db: QueryExecutorProvider, school_id: number, dept_ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Filled by people at start; identity works without it, then departments have no names. */
export const directory = new Port<Directory>('identity.directory')
