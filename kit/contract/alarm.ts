import { z } from 'zod'
import { event } from './event.ts'
import { Instant } from './wire.ts'

/**
 * Something that a duty officer must act on. `domain`, `kind` and `source_id` together name it for good: the same three again are the same thing, opened once more.
 * `level` 3 does not wait for the morning; `deadline`: until when something must have been done, null where nothing says so; `need`: the code without which nobody is told of it.
 */
const Alarm = z.object({ domain: z.string(), kind: z.string(), source_id: z.string(), level: z.union([z.literal(1), z.literal(2), z.literal(3)]), deadline: Instant.nullable(), need: z.string() })

/** What every domain may tell the duty officers' box of (chapter 90 §3): no domain's own, published by whichever has something. */
export const alarmEvents = {
  raised: event('alarm.raised', Alarm),
  /** its level, its deadline or what it is about (how many people, which value) is another one: whoever shows it asks its owner again */
  changed: event('alarm.changed', Alarm),
  /** nobody has to do anything about it any more */
  closed: event('alarm.closed', Alarm),
}
