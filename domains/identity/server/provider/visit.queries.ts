import { createHash, randomBytes } from 'node:crypto'
import { provider_adapters, provider_shapes, ProviderStep } from '@campus/identity/contract'
import type { ProviderAdapter, ProviderShape } from '@campus/identity/contract'
import { z } from 'zod'
import type { IdentityHandle } from '../db.ts'

const minutes = 10
const state_bytes = 16

/** A trip to a provider: which line of which school, begun in which browser. `user_id` is who tests, `external_id` whom nobody knows yet. */
type NewVisit = { purpose: 'login' | 'test' | 'bind'; browser: string; school_id: number; shape: ProviderShape; adapter: ProviderAdapter; user_id?: string; external_id?: string; steps?: readonly ProviderStep[] }

const Key = z.object({ shape: z.enum(provider_shapes), adapter: z.enum(provider_adapters) })
const Steps = z.array(ProviderStep)

/** Begins a trip; answers its state of 128 bits, of which only a hash is stored. It is good for ten minutes, once, in this browser. */
export async function beginVisit(db: IdentityHandle, { browser, steps, ...rest }: NewVisit, now: Date): Promise<string> {
  const state = randomBytes(state_bytes).toString('base64url')
  const row = { ...rest, state_hash: hashed(state), browser_hash: hashed(browser), steps: steps ? JSON.stringify(steps) : null, begun_at: now, expire_at: new Date(now.getTime() + minutes * 60_000) }
  await db.insertInto('provider_visit').values(row).execute()
  return state
}

/** Spends a state in its browser; of two parallel users only one gets it. */
export async function spendVisit(db: IdentityHandle, state: string, browser: string, purposes: readonly ('login' | 'test' | 'bind')[], now: Date) {
  const spent = await db
    .updateTable('provider_visit')
    .set({ used_at: now })
    .where('state_hash', '=', hashed(state))
    .where('browser_hash', '=', hashed(browser))
    .where('purpose', 'in', purposes)
    .where('expire_at', '>', now)
    .where('used_at', 'is', null)
    .returning(['purpose', 'school_id', 'shape', 'adapter', 'user_id', 'external_id', 'steps'])
    .executeTakeFirst()
  if (!spent) return null
  const { shape, adapter, steps, ...rest } = spent
  return { ...rest, ...Key.parse({ shape, adapter }), steps: Steps.parse(steps ?? []), state }
}
export type Visit = NonNullable<Awaited<ReturnType<typeof spendVisit>>>

/** Keeps how a test went. */
export async function keepSteps(db: IdentityHandle, state: string, steps: readonly ProviderStep[]): Promise<void> {
  await db.updateTable('provider_visit').set({ steps: JSON.stringify(steps) }).where('state_hash', '=', hashed(state)).where('purpose', '=', 'test').execute()
}

/** How far a test has come, for whoever began it; null when there is none. */
export async function readTest(db: IdentityHandle, test_no: string, user_id: string) {
  const found = await db
    .selectFrom('provider_visit')
    .select(['steps', 'used_at', 'expire_at'])
    .where('state_hash', '=', Buffer.from(test_no, 'base64url'))
    .where('purpose', '=', 'test')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return found ? { ...found, steps: Steps.parse(found.steps) } : null
}

/** The name of a test for the administrator who waits: of no use to whoever has not its state. */
export function testNoOf(state: string): string {
  return hashed(state).toString('base64url')
}

function hashed(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
