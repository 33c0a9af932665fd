import { ruleApi } from '@campus/devices/contract'
import { implement } from './db.ts'
import { previewRule } from './rule/preview.service.ts'
import { listFollowers, listRules, tellRule } from './rule/rule.service.ts'
import { addRule, deleteRule, enableRule, updateRule } from './rule/rule.write.ts'
import { readRulesThen } from './rule/told.service.ts'
import { syncRules } from './rule/sync.service.ts'

export const ruleRoutes = implement(ruleApi, {
  page: (ctx, asked) => listRules(ctx, asked),
  detail: (ctx, { id }) => tellRule(ctx, id),
  followers: (ctx, { id }) => listFollowers(ctx, id),
  live_at: (ctx, asked) => readRulesThen(ctx, asked),
  add: (ctx, draft) => addRule(ctx, draft),
  update: (ctx, draft) => updateRule(ctx, draft),
  delete: (ctx, asked) => deleteRule(ctx, asked),
  enable: (ctx, asked) => enableRule(ctx, asked),
  preview: (ctx, draft) => previewRule(ctx, draft),
  sync: (ctx, asked) => syncRules(ctx, asked),
})
