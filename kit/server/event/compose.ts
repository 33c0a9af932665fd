import type { EventFact } from '@kit/contract'
import { z } from 'zod'
import type { Consumer } from '../http/context.ts'

/**
 * Who listens to which event. Compares what each consumer reads with what the publisher declares, so that a payload that changes stops
 * the start and not a school's morning.
 * @throws Error in one line: two events or consumers of one name, an event nobody publishes, a field that is missing or of another shape
 */
export function composeEvents(events: readonly EventFact[], consumers: readonly Consumer[]): ReadonlyMap<string, readonly Consumer[]> {
  refuseTwice('events', events.map(({ name }) => name))
  refuseTwice('consumers of events', consumers.map(({ name }) => name))
  for (const consumer of consumers) {
    const published = events.find(({ name }) => name === consumer.event)
    if (!published) throw new Error(`${consumer.name} listens to ${consumer.event}, which nobody publishes`)
    for (const [field, wanted] of Object.entries(consumer.fields.shape)) {
      const given = published.payload.shape[field]
      if (given === undefined || shapeOf(given) !== shapeOf(wanted)) throw new Error(`${consumer.name} reads ${consumer.event}.${field}, which is published otherwise`)
    }
  }
  return Map.groupBy(consumers, ({ event }) => event)
}

function refuseTwice(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Error(`two ${what} are called ${twice}`)
}

function shapeOf(schema: z.core.$ZodType): string {
  return JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))
}
