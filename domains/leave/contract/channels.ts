import { channel, id } from '@kit/contract'
import { z } from 'zod'

/** A leave, or what follows from it, has changed: open lists ask again. Whose leave it is does not travel. */
export const leaveChannel = channel('leave:out', z.object({ leave_id: id('leave.apply') }), { need: 'leave.apply.view' })
