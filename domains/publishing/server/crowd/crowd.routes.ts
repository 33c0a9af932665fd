import { crowdApi } from '@campus/publishing/contract'
import { implement } from '../db.ts'
import { addCrowd, addMembers, countRule, listCrowds, pageMembers, removeCrowd, removeMembers, updateCrowd } from './crowd.service.ts'

export const crowdRoutes = implement(crowdApi, {
  list: (ctx, query) => listCrowds(ctx, query),
  add: (ctx, draft) => addCrowd(ctx, draft),
  update: (ctx, asked) => updateCrowd(ctx, asked),
  remove: (ctx, asked) => removeCrowd(ctx, asked),
  count: (ctx, asked) => countRule(ctx, asked),
  members: (ctx, query) => pageMembers(ctx, query),
  addUsers: (ctx, asked) => addMembers(ctx, asked),
  removeUsers: (ctx, asked) => removeMembers(ctx, asked),
})
