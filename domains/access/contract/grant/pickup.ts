import { api, get, put } from '@kit/contract'
import { z } from 'zod'

export const pickup_mode_names = { 0: '不校验', 1: '家长核验后放行', 2: '同时核验' } as const
const Mode = z.object({ grade: z.string().min(1).max(2), mode: z.literal([0, 1, 2]) })

/** Which grades leave only after a guardian (chapter 35 R55). */
export const pickupModeApi = api('iot', 'access.pickup_mode', {
  read: get('pickup/mode', { reply: z.object({ list: z.array(Mode.extend({ dept_name: z.string() })) }), need: 'access.pickup.view' }),
  write: put('pickup/mode', { body: z.strictObject({ list: z.array(Mode).max(30) }), reply: z.object({ saved: z.number().int() }), need: 'access.pickup.edit' }),
})
