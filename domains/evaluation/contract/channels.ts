import { channel } from '@kit/contract'
import { z } from 'zod'

/** Stars of a class came or went: ask for the wall again. Dept 0 is the whole school. */
export const starChannel = channel('star:{dept_id}', z.object({ dept_id: z.string() }), { need: 'evaluation.star.view' })
