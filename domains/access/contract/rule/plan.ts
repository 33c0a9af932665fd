import { UserId } from '@campus/people/contract'
import { id } from '@kit/contract'
import { z } from 'zod'

/** Above these a change is saved only with the plan it was shown (chapter 35 R58). */
export const plan_limits = { people: 50, devices: 5 } as const

/** What every change of rights carries: `preview` saves nothing; `plan_hash` is what the shown plan is known by. */
export const Commit = { preview: z.boolean().default(false), plan_hash: z.string().max(64).nullable().default(null) }

const Change = z.object({ user_id: UserId, user_name: z.string(), place_id: id('places.place'), place_name: z.string(), kind: z.enum(['gain', 'lose', 'change']) })
const Warning = z.object({ code: z.string(), text: z.string() })

/** What a change of rules does: 影响 N 人、M 台设备, and how last week would have gone under it (R57). */
export const Planned = z.object({
  plan_hash: z.string(),
  people: z.object({ total: z.number().int(), gain: z.number().int(), lose: z.number().int(), change: z.number().int() }),
  devices: z.object({ total: z.number().int(), offline: z.number().int() }),
  warnings: z.array(Warning),
  replay: z.object({ passes: z.number().int(), denied: z.number().int(), allowed: z.number().int() }),
  sample: z.array(Change).max(100),
  /** it is saved only with this plan's hash */
  needs_hash: z.boolean(),
})
export type Planned = z.output<typeof Planned>
