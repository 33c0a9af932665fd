import { abnormalEvents } from './abnormal/abnormal.ts'
import { doorEvents } from './door/events.ts'
import { passEvents } from './pass/events.ts'
import { pickupEvents } from './pickup/events.ts'
import { visitEvents } from './visitor/events.ts'

/** What the access domain publishes (chapter 35 §7). */
export const accessEvents = {
  ...abnormalEvents,
  ...doorEvents,
  ...passEvents,
  ...pickupEvents,
  ...visitEvents,
}
