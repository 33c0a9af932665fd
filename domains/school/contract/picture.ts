import { api, del, put } from '@kit/contract'
import { z } from 'zod'
import { SchoolDetail } from './info.ts'

/** The two pictures of a school: its logo, and the background of its login page. */
export const PictureKind = z.enum(['logo', 'login_bg'])
export type PictureKind = z.output<typeof PictureKind>

/** `file_key`: an upload of the caller's own for the purpose `logo`. */
const Picture = z.object({ kind: PictureKind, file_key: z.string().regex(/^[0-9]+\/[0-9]+\/[0-9]{8}\/[A-Za-z0-9._-]{1,80}$/) })

export const pictureApi = api('web', 'school.picture', {
  save: put('school/info/picture', { body: Picture, reply: SchoolDetail, need: 'school.info.edit', within: 'school' }),
  remove: del('school/info/picture', { query: z.object({ kind: PictureKind }), reply: SchoolDetail, need: 'school.info.edit', within: 'school' }),
})
