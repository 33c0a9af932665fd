import { api, download, get, SchoolId } from '@kit/contract'
import { z } from 'zod'

const Number_ = z.string().regex(/^\d{1,18}$/u)

/** Photographs for devices: the address comes with the row that is to hold it and works once (chapter 31 §3). */
export const photoApi = api('iot', 'devices.photo', {
  fetch: get('device/photo/:school_id/:device_id/:row_key/:ver', {
    params: z.object({ school_id: SchoolId, device_id: Number_, row_key: z.string().regex(/^f\d{1,18}$/u), ver: Number_ }),
    query: z.object({ e: z.coerce.number().int(), s: z.string().max(64) }),
    reply: download,
    auth: 'device',
  }),
})
