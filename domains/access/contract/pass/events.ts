import { PlaceId } from '@campus/places/contract'
import { event, Instant } from '@kit/contract'
import { z } from 'zod'

const Subject = { subject_kind: z.number().int(), subject_id: z.string(), place_id: PlaceId.nullable(), pass_key: z.string().nullable(), at: Instant }

export const passEvents = {
  /** somebody has come or gone; state 1 on campus, 2 left; basis 1 seen at the edge of the campus, 2 inferred from an inner door, 3 by hand */
  presenceChanged: event('access.presence.changed', z.object({ ...Subject, state: z.number().int(), basis: z.number().int() })),
  /** somebody who is known was not let through; result: PASS_STATE */
  passDenied: event('access.pass.denied', z.object({ ...Subject, direction: z.number().int(), result: z.number().int() })),
  /** passes were read: consumers read `access_pass_v` from the first to the last */
  passRecorded: event('access.pass.recorded', z.object({ from_seq: z.string(), to_seq: z.string() })),
}
