import { channel } from '@kit/contract'
import { z } from 'zod'

/** Passes were read: a wall asks for those behind its own. No name and no place of anybody travels (chapter 35 §5). */
export const passChannel = channel('pass:live', z.object({ to_seq: z.string(), count: z.number().int() }), { need: 'access.live.view' })

/** The state of visits has changed: the board of visitors asks again. */
export const visitChannel = channel('visit', z.object({ apply_no: z.string() }), { need: 'access.visitor.view' })

/** An evacuation or closure of the school has begun or ended: every console page asks what goes on. */
export const doorChannel = channel('door_emergency', z.object({ is_open: z.boolean() }))
