import { ruleApi } from '@campus/access/contract'
import { implement } from '../db.ts'
import { addRule, copyRule, listRules, readDays, readRule, removeRule, ruleReceipts, turnRule, updateRule } from './rule.service.ts'

export const ruleRoutes = implement(ruleApi, {
  list: (ctx, asked) => listRules(ctx, asked),
  detail: (ctx, asked) => readRule(ctx, asked),
  receipts: (ctx, asked) => ruleReceipts(ctx, asked),
  days: (ctx, asked) => readDays(ctx, asked),
  add: (ctx, draft) => addRule(ctx, draft),
  update: (ctx, patch) => updateRule(ctx, patch),
  copy: (ctx, asked) => copyRule(ctx, asked),
  turn: (ctx, asked) => turnRule(ctx, asked),
  remove: (ctx, asked) => removeRule(ctx, asked),
})
