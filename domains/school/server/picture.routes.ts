import { pictureApi } from '@campus/school/contract'
import { implement } from './db.ts'
import { dropPicture, keepPicture } from './picture.service.ts'

export const pictureRoutes = implement(pictureApi, {
  save: { before: (pre, input) => keepPicture(pre, input) },
  remove: (ctx, input) => dropPicture(ctx, input.kind),
})
