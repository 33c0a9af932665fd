import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** Names of people by user_id; whom the school does not know is left out. */
export type PersonNames = (db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

/** Filled by whoever knows the people of a school; the journals hold the id of the person on whose behalf somebody acted. */
export const personNamesPort = new Port<PersonNames>('audit.person_names')

/** Lines with the names of those on whose behalf they were done. */
export async function withActedFor<Row extends { acted_for: string | null }>({ app, db, school_id }: { app: App; db: QueryExecutorProvider; school_id: number }, rows: readonly Row[]): Promise<(Row & { acted_for_name: string | null })[]> {
  const asked = [...new Set(rows.flatMap(({ acted_for }) => acted_for ?? []))]
  const [namesOf] = personNamesPort.all(app)
  const names = asked.length > 0 ? await namesOf?.(db, school_id, asked) : undefined
  return rows.map(row => ({ ...row, acted_for_name: names?.get(row.acted_for ?? '') ?? null }))
}
