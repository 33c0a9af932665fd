import type { z } from 'zod'
import type { Consumer, EventDesk } from '../http/context.ts'

/**
 * Says which event a domain listens to and which of its fields it reads; `name` is unique in the product (`<domain>.<what it does>`).
 * `handle` runs in one transaction of the event's school, exactly once for what it writes there, events of one school in the order in
 * which they happened. Only SQL may be awaited in it: what leaves the process becomes due work of the consumer's own.
 */
export function consume<P extends z.ZodObject>(name: string, event: string, fields: P, handle: (desk: EventDesk, facts: z.output<P>) => Promise<void>): Consumer {
  return { name, event, fields, handle: (desk, payload) => handle(desk, fields.parse(payload)) }
}
