import type { SchoolFace } from '@campus/school/contract'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'

/** One way to sign in beside the password, as the login page shows it. */
export type FaceProvider = z.output<typeof SchoolFace>['providers'][number]

/** Filled by identity: what the login page of an open school offers, in the transaction that reads its face. */
export const loginProviderPort = new Port<(app: App, db: QueryExecutorProvider, school_id: number) => Promise<FaceProvider[]>>('school.login_provider')
