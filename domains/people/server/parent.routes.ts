import { guardianLinkApi, parentApi, parentFileApi } from '@campus/people/contract'
import { unlinkGuardian } from './change/unlink.ts'
import { implement } from './db.ts'
import { readParent, setParentPlates } from './parent.file.ts'
import { listParents } from './parent.service.ts'

export const parentRoutes = [
  ...implement(parentApi, {
    list: (ctx, query) => listParents(ctx, query),
  }),
  ...implement(parentFileApi, {
    detail: (ctx, params) => readParent(ctx, params),
    plates: (ctx, patch) => setParentPlates(ctx, patch),
  }),
  ...implement(guardianLinkApi, { remove: unlinkGuardian }),
]
