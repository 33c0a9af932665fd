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
const Weekday = z.enum(['1', '2', '3', '4', '5', '6', '7'])

/** The days one by one as far ahead as they are known, and what holds on the days after them, Monday 1. */
function timed<T extends z.ZodType>(span: T) {
  return { dates: z.array(z.object({ date: z.iso.date(), windows: z.array(span).max(96) })).max(120), weekly: z.partialRecord(Weekday, z.array(span).max(96)) }
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

const Part = z.number().min(0).max(1)
const [fewest_corners, most_corners, most_cameras] = [3, 12, 50] as const

/**
 * Row body of kind `rule` under `ai:{rule_id}`: what a box is to warn of (chapter 30 §1.5). Cameras by serial number, each with the part of its picture that counts (corners in parts of width and height; absent:
 * all of it); `weekly` by weekday, Monday 1 (absent: at all times); `sensitivity` 1 to 100: it warns of what it is at least 100 - sensitivity percent sure of; `dwell_sec`: not before it has lasted so long.
 */
export const WarnRuleBody = z.object({
  kind: z.literal('warn'), rule_id: z.string().regex(/^[0-9]{1,18}$/), warn_kind: z.string().min(1).max(4),
  cameras: z.array(z.object({ sn: z.string().min(1).max(64), roi: z.array(z.object({ x: Part, y: Part })).min(fewest_corners).max(most_corners).optional() })).min(1).max(most_cameras),
  weekly: z.partialRecord(Weekday, z.array(Span).max(96)).optional(), sensitivity: z.number().int().min(1).max(100), dwell_sec: z.number().int().min(0).max(600),
})
export type WarnRuleBody = z.output<typeof WarnRuleBody>
