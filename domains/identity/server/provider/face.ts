import type { FaceProvider } from '@campus/school/server'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from '../db.ts'
import { problemOf } from './adapters.ts'
import { openLine } from './line.queries.ts'
import { offeredLines } from './provider-start.service.ts'

/** What the login page of a school offers beside the password. */
export async function loginProviders(app: App, db: QueryExecutorProvider, school_id: number): Promise<FaceProvider[]> {
  const lines = await offeredLines({ app }, asIdentity(db), school_id)
  return lines
    .filter(line => problemOf(app, openLine(app, school_id, line)) === null)
    .map(({ shape, adapter, label, icon }) => ({ shape, label, icon, start_url: `/web/auth/provider/start?${new URLSearchParams({ school_id: String(school_id), shape, adapter })}` }))
}
