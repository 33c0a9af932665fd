import type { z } from 'zod'
import type { Consumer, EventDesk } from '../http/context.ts'

/**
 * Says which event a domain listens to and which of its fields it reads; `name` is unique in the product (`<domain>.<what it does>`).
 * `handle` runs in one transaction of the event's school, exactly once for what it writes there, events of one school in the order in
 * which they happened. Only SQL may be awaited in it: what leaves the process becomes due work of the consumer's own.
 */
export function consume<P extends z.ZodObject>(name: string, event: string, fields: P, handle: (desk: EventDesk, facts: z.output<P>) => Promise<void>): Consumer {
  return { name, event, fields, handle: async (desk, payloads) => {
    for (const payload of payloads) await handle(desk, fields.parse(payload))
  } }
}

/**
 * The same for events that come in bulk: up to `at_once` of those that wait are heard in one transaction, in their order. What fails is tried again
 * together; what is put aside after the last attempt is the first of them.
 */
export function consumeMany<P extends z.ZodObject>(name: string, { event, at_once }: { event: string; at_once: number }, fields: P, handle: (desk: EventDesk, facts: readonly z.output<P>[]) => Promise<void>): Consumer {
  return { name, event, fields, at_once, handle: (desk, payloads) => handle(desk, payloads.map(payload => fields.parse(payload))) }
}
