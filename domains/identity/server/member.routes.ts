import { memberApi } from '@campus/identity/contract'
import { implement } from './db.ts'
import { exportMembers } from './member.export.ts'
import { listHolders, listPeople } from './member.read.ts'
import { addSubstitute } from './member.substitute.ts'
import { addMembers, endMembers, updateMember } from './member.write.ts'

export const memberRoutes = implement(memberApi, {
  list: (ctx, query) => listPeople(ctx, query),
  holders: (ctx, query) => listHolders(ctx, query),
  export: { before: async (pre, input) => exportMembers(pre, input) },
  add: (ctx, draft) => addMembers(ctx, draft),
  substitute: (ctx, draft) => addSubstitute(ctx, draft),
  update: (ctx, patch) => updateMember(ctx, patch),
  remove: (ctx, which) => endMembers(ctx, which),
})
