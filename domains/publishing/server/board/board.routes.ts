import { classBoardApi, contentApi, countdownApi, playerApi, playReport, playRuleApi, templateApi } from '@campus/publishing/contract'
import { reportExport } from '@kit/server/report'
import { implement } from '../db.ts'
import { listBoardDeliveries, listBoards, listPlans, previewBoard } from './board.queries.ts'
import { makePairing, refreshBoards, showUrgent, stopUrgent, updateBoard } from './board.service.ts'
import { publishContents, takeDown } from './content.acts.ts'
import { listContents, listDeliveries, listWeek } from './content.queries.ts'
import { addContent, prepareContent, removeContent, updateContent } from './content.service.ts'
import { addCountdown, listCountdowns, removeCountdown, updateCountdown } from './countdown.service.ts'
import { hearPlayer, pairPlayer, tellFile, tellPlan } from './player.service.ts'
import { reportPlays } from './play-stat.service.ts'
import { addRule, enableRule, listRules, removeRule, updateRule } from './rule.service.ts'
import { addTemplate, changeTemplate, listTemplates, listUses, removeTemplate, updateTemplate } from './template.service.ts'
import { listZones, saveZone } from './zone.service.ts'

export const boardRoutes = [
  ...implement(classBoardApi, {
    list: (ctx, query) => listBoards(ctx, query),
    deliveries: (ctx, asked) => listBoardDeliveries(ctx, asked),
    plans: (ctx, asked) => listPlans(ctx, asked),
    preview: (ctx, asked) => previewBoard(ctx, asked),
    playstat: (ctx, query) => reportPlays(ctx, query),
    playstat_export: reportExport(classBoardApi.playstat_export, playReport, reportPlays),
    update: (ctx, asked) => updateBoard(ctx, asked),
    refresh: (ctx, asked) => refreshBoards(ctx, asked),
    urgent: (ctx, asked) => showUrgent(ctx, asked),
    urgent_stop: (ctx, asked) => stopUrgent(ctx, asked),
    pair: (ctx, asked) => makePairing(ctx, asked),
  }),
  ...implement(contentApi, {
    list: (ctx, query) => listContents(ctx, query),
    add: {
      before: async (pre, draft) => {
        const prepared = await prepareContent(pre, draft)
        return ctx => addContent(ctx, draft, prepared)
      },
    },
    update: {
      before: async (pre, asked) => {
        const prepared = await prepareContent(pre, asked, asked.id)
        return ctx => updateContent(ctx, asked, prepared)
      },
    },
    remove: (ctx, asked) => removeContent(ctx, asked),
    publish: (ctx, asked) => publishContents(ctx, asked),
    takedown: (ctx, asked) => takeDown(ctx, asked),
    delivery: (ctx, asked) => listDeliveries(ctx, asked),
    zones: (ctx, asked) => listZones(ctx, asked),
    saveZone: (ctx, asked) => saveZone(ctx, asked),
    week: (ctx, asked) => listWeek(ctx, asked),
  }),
  ...implement(templateApi, {
    list: (ctx, query) => listTemplates(ctx, query),
    add: (ctx, draft) => addTemplate(ctx, draft),
    update: (ctx, asked) => updateTemplate(ctx, asked),
    remove: (ctx, asked) => removeTemplate(ctx, asked),
    in_use: (ctx, query) => listUses(ctx, query),
    change: (ctx, asked) => changeTemplate(ctx, asked),
  }),
  ...implement(playRuleApi, {
    list: (ctx, query) => listRules(ctx, query),
    add: (ctx, draft) => addRule(ctx, draft),
    update: (ctx, asked) => updateRule(ctx, asked),
    remove: (ctx, asked) => removeRule(ctx, asked),
    enable: (ctx, asked) => enableRule(ctx, asked),
  }),
  ...implement(countdownApi, {
    list: (ctx, query) => listCountdowns(ctx, query),
    add: (ctx, draft) => addCountdown(ctx, draft),
    update: (ctx, asked) => updateCountdown(ctx, asked),
    remove: (ctx, asked) => removeCountdown(ctx, asked),
  }),
  ...implement(playerApi, {
    pair: { outside: (pre, asked) => pairPlayer(pre, asked) },
    plan: { outside: pre => tellPlan(pre) },
    file: { outside: (pre, asked) => tellFile(pre, asked) },
    receipts: { outside: (pre, asked) => hearPlayer(pre, asked) },
  }),
]
