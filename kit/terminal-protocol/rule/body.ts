import { z } from 'zod'

/** Times of a day, `[from, to)` in Asia/Shanghai; what runs over midnight is two of them. */
const Clock = z.string().regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/)
const End = z.string().regex(/^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$/)
const Span = z.object({ from: Clock, to: End })

/** How a door stands: as rights say, open to everybody, closed to everybody (chapter 30 rule 18). */
export const door_modes = ['normal', 'always_open', 'always_closed'] as const
export const DoorSpan = Span.extend({ mode: z.enum(door_modes), verify: z.array(z.number().int()).max(10) })
export type DoorSpan = z.output<typeof DoorSpan>

/** What wakes a screen that sleeps. */
export const wake_ways = ['touch', 'person', 'card'] as const
export const SleepSpan = Span.extend({ idle_minutes: z.number().int().min(0).max(120), brightness: z.number().int().min(0).max(100), wake_on: z.enum(wake_ways) })
export type SleepSpan = z.output<typeof SleepSpan>
export type Span = z.output<typeof Span>

/** The days one by one as far ahead as they are known, and what holds on the days after them, Monday 1. */
function timed<T extends z.ZodType>(span: T) {
  return { dates: z.array(z.object({ date: z.iso.date(), windows: z.array(span).max(96) })).max(120), weekly: z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6', '7']), z.array(span).max(96)) }
}

/** Row bodies of kind `rule`, by which a device opens, goes off and dims by itself (chapter 30 rules 18 and 19, chapter 31 §3). */
export const DoorRuleBody = z.object({ kind: z.literal('door'), unlock_sec: z.number().int().min(1).max(60), held_open_sec: z.number().int().min(0).max(600), fire_opens: z.boolean(), ...timed(DoorSpan) })
export type DoorRuleBody = z.output<typeof DoorRuleBody>
/** Its windows are the times at which the device is off. */
export const CloseRuleBody = z.object({ kind: z.literal('close'), ...timed(Span) })
export type CloseRuleBody = z.output<typeof CloseRuleBody>
export const SleepRuleBody = z.object({ kind: z.literal('sleep'), ...timed(SleepSpan) })
export type SleepRuleBody = z.output<typeof SleepRuleBody>
export const RuleBody = z.discriminatedUnion('kind', [DoorRuleBody, CloseRuleBody, SleepRuleBody])
export type RuleBody = z.output<typeof RuleBody>
