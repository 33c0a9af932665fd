import { api, channel, Instant, post } from '@kit/contract'
import { z } from 'zod'
import { DeviceId } from './device-id.ts'
import { RowKind } from './sync.ts'

const view = { need: 'devices.sync.view', within: 'place' } as const
/** So long a device's messages are told after somebody has asked for them; who goes on looking asks again. */
export const wire_lease_s = 300

const WireRow = z.object({ kind: RowKind.nullable(), row_key: z.string(), status: z.enum(['put', 'delete', 'applied', 'same', 'refused', 'retry']), text: z.string().nullable() })
export type WireRow = z.output<typeof WireRow>

/**
 * One message between server and device, without secrets and without what is somebody's own. `kind`: its type or action; `name`: which command. `re`: the
 * message that it answers. `rows`: what it says of rows, `rows_more` that many others. `text`: its body, at most some thousand signs.
 */
export const WireLine = z.object({
  line_id: z.uuid(),
  at: Instant,
  way: z.enum(['up', 'down']),
  kind: z.string(),
  name: z.string().nullable(),
  id: z.string().nullable(),
  re: z.string().nullable(),
  code: z.string().nullable(),
  bytes: z.number().int(),
  rows: z.array(WireRow),
  rows_more: z.number().int(),
  text: z.string(),
  is_cut: z.boolean(),
})
export type WireLine = z.output<typeof WireLine>

/** What server and device say to each other, as it happens (chapter 31 §10.1). */
export const wireChannel = channel('wire:{id}', WireLine, view)

export const wireApi = api('iot', 'devices.wire', {
  watch: post('device/:id/wire', { params: z.object({ id: DeviceId }), reply: z.object({ until: Instant }), op: 4, ...view }),
})
