import { api, download, get, SchoolId } from '@kit/contract'
import { z } from 'zod'

/** A file key of a public purpose: `{school_id}/logo/{name}` (logos and login pictures). */
const PublicKey = z.object({ school_id: SchoolId, purpose: z.literal('logo'), name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/) })

export const publicFileApi = api('material', 'school.public_file', {
  read: get('f/:school_id/:purpose/:name', { params: PublicKey, reply: download, open: '登录页显示学校标志与背景，尚无登录态' }),
})
