import type { z } from 'zod'

/**
 * A fact that a domain tells the others after it has come true. `name`: `<owner>.<what_happened>` (chapter 90 §3); `payload`: ids and
 * the few facts that a consumer may not read for itself.
 */
export type EventFact<P extends z.ZodObject = z.ZodObject> = { name: string; payload: P }

/** Declares an event of a domain, in its `contract/events.ts`. */
export function event<P extends z.ZodObject>(name: string, payload: P): EventFact<P> {
  return { name, payload }
}
