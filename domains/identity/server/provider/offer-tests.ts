import { provider_shapes } from '@campus/identity/contract'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { asIdentity } from '../db.ts'
import { mayTest } from './test-provider.ts'

/** Turns the test provider on in every shape (chapter 10 §8); nothing happens where it may not be used. */
export async function offerTestLogins(app: App, db: QueryExecutorProvider, school_id: number): Promise<void> {
  if (!mayTest(app)) return
  const rows = provider_shapes.map(shape => ({ school_id, shape, adapter: 'test', enabled: true, match_by: 'external_bind', label: `演示登录${shape}`, icon: 'test' }))
  await asIdentity(db).insertInto('login_provider').values(rows).onConflict(oc => oc.doNothing()).execute()
}
