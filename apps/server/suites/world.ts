import type { Call, Request } from '@kit/contract'
import type { TestApp, TestUser } from '../testing/index.ts'

/** What the builders of valid calls may name: one school with a person who may do everything. */
export type World = {
  app: TestApp
  me: TestUser
  school_id: number
  ids: Record<string, string>
}

/** How one call is made validly; `file` for uploads, `token` where another credential than the session's is needed, `letter` for what a provider signs. */
type ValidCall<I> = { input: I; file?: { name: string; body: Uint8Array }; token?: string; headers?: Record<string, string>; letter?: string }
export type Builder<I = unknown> = (world: World) => Promise<ValidCall<I>> | ValidCall<I>

/** Builders of every call of one api constant; a missing one does not compile. */
export function buildersOf<T extends Record<string, Call>>(calls: T, builders: { [K in keyof T]: Builder<Request<T[K]>> }): Map<string, Builder>
export function buildersOf(calls: Record<string, Call>, builders: Record<string, Builder>): Map<string, Builder> {
  return new Map(Object.entries(calls).flatMap(([verb, call]) => (builders[verb] ? [[call.call, builders[verb]]] : [])))
}
