// The fault tests bring engines of their own: they speak through this door, so that they do not run again on another engine.
import type { Call } from '@kit/contract'
import { send } from '../testing/request.ts'
import type { Answer, CallOptions } from '../testing/request.ts'

export { freshDatabase, test_settings } from '../testing/database.ts'
export { dataOf, send } from '../testing/request.ts'
export type { Answer } from '../testing/request.ts'

/** Sends one call on a connection of its own: a server that is stopped afterwards need not wait for what an idle one may still bring. */
export function sendOnce(base: string, call: Call, input: unknown, options: CallOptions = {}): Promise<Answer> {
  return send(base, call, input, { ...options, headers: { connection: 'close', ...options.headers } })
}
