import { event } from '@kit/contract'
import { z } from 'zod'

export const passEvents = {
  /** passes were read: consumers read `access_pass_v` from the first to the last */
  passRecorded: event('access.pass.recorded', z.object({ from_seq: z.string(), to_seq: z.string() })),
}
