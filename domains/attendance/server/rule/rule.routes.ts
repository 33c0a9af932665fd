import { arrangeApi, attendSettingApi, exemptApi, pointApi, ruleApi } from '@campus/attendance/contract'
import { implement } from '../db.ts'
import { addArrange, copyArranges, listArranges, removeArrange, updateArrange } from './arrange.service.ts'
import { addExempt, listExempts, listPoints, removeExempt, savePoint } from './point.service.ts'
import { classWeek, personPreview } from './preview.service.ts'
import { addRule, enableRule, listRules, listVersions, removeRule, updateRule } from './rule.service.ts'
import { readSetting, saveSetting } from './setting.service.ts'
import { tryRule } from './trial.ts'

export const ruleRoutes = [
  ...implement(ruleApi, {
    list: (ctx, asked) => listRules(ctx, asked),
    add: (ctx, draft) => addRule(ctx, draft),
    update: (ctx, patch) => updateRule(ctx, patch),
    remove: (ctx, { id }) => removeRule(ctx, id),
    enable: (ctx, asked) => enableRule(ctx, asked),
    versions: (ctx, { id }) => listVersions(ctx, id),
    dryRun: (ctx, asked) => tryRule(ctx, asked),
  }),
  ...implement(arrangeApi, {
    list: (ctx, asked) => listArranges(ctx, asked),
    add: (ctx, draft) => addArrange(ctx, draft),
    update: (ctx, patch) => updateArrange(ctx, patch),
    remove: (ctx, { id }) => removeArrange(ctx, id),
    copy: (ctx, asked) => copyArranges(ctx, asked),
    week: (ctx, asked) => classWeek(ctx, asked),
    preview: (ctx, asked) => personPreview(ctx, asked),
  }),
  ...implement(attendSettingApi, { read: ctx => readSetting(ctx.db, ctx.school_id), save: (ctx, asked) => saveSetting(ctx, asked) }),
  ...implement(pointApi, { list: (ctx, asked) => listPoints(ctx, asked), save: (ctx, asked) => savePoint(ctx, asked) }),
  ...implement(
    exemptApi,
    {
      list: (ctx, asked) => listExempts(ctx, asked), add: (ctx, draft) => addExempt(ctx, draft),
      remove: (ctx, { id }) => removeExempt(ctx, id),
    }
  ),
]
