import { tagApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { bindTag, listMembers, unbindTag } from './tag.member.ts'
import { addTag, countRule, listTags, removeTag, seenBy, sortTags, updateTag } from './tag.service.ts'

export const tagRoutes = implement(tagApi, {
  list: ctx => listTags(ctx),
  add: (ctx, draft) => addTag(ctx, draft),
  update: (ctx, patch) => updateTag(ctx, patch),
  sort: (ctx, order) => sortTags(ctx, order),
  remove: (ctx, params) => removeTag(ctx, params),
  members: (ctx, asked) => listMembers(ctx, asked),
  bind: (ctx, asked) => bindTag(ctx, asked),
  unbind: (ctx, asked) => unbindTag(ctx, asked),
  preview: async (ctx, { rule }) => ({ count: await countRule(ctx, await seenBy(ctx), rule) }),
})
