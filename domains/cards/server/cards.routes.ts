import { cardApi, cardList, cardLogApi, cardOpList, cardsErrors, cardSettingApi, cloudCardApi, socialApi, stockApi, stockList } from '@campus/cards/contract'
import type { CardSetting } from '@campus/cards/contract'
import { fail } from '@kit/contract'
import { exportHandler } from '@kit/server/export'
import { cancelLoss, exchangeCard, freezeCards, issueCard, reissueCard, reissueFast, renewCards, reportLoss, revokeCards } from './acts.service.ts'
import { cardProgress, listCards, readStates, reportOwnLoss, selfCards } from './card.service.ts'
import { implement } from './db.ts'
import type { CardsCtx } from './db.ts'
import { decideConflict, handleUsed, listBlocks, pageConflicts, pageDeposits, pageOps, pageUsed, statBlocks } from './log.service.ts'
import { readSetting } from './setting.ts'
import { autoIssue, checkAuto, exchangeSocial, findSocial, issueSocial, listSocial, loseSocial, revokeSocial } from './social.service.ts'
import { addRange, addStock, checkStock, countStock, listStock, returnFound, voidCards } from './stock.service.ts'
import { undoAct } from './undo.service.ts'

/** The same act for a school whose accounts the payment service keeps; another one is told so in the words of 00 §8, and nothing is written. */
function inCloud<I, R>(act: (ctx: CardsCtx, input: I) => Promise<R>): (ctx: CardsCtx, input: I) => Promise<R> {
  return async (ctx, input) => {
    const config = await ctx.db.selectFrom('school_config_v').select('cloud_fee').where('school_id', '=', ctx.school_id).executeTakeFirst()
    if (config?.cloud_fee !== 1) {
      ctx.scoped()
      throw fail(cardsErrors.cloudNotReady)
    }
    return act(ctx, input)
  }
}

/** @throws Refusal formatGone, stale */
async function writeSetting(ctx: CardsCtx, { row_version, ...asked }: CardSetting): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const before = await readSetting(db, school_id)
  if (before.row_version !== row_version) throw fail(cardsErrors.stale)
  if (asked.card_format_id !== null) {
    const format = await db.selectFrom('card_format_v').select('format_id').where('school_id', '=', school_id).where('format_id', '=', asked.card_format_id).executeTakeFirst()
    if (!format) throw fail(cardsErrors.formatGone, { errors: [{ field: 'card_format_id', msg: cardsErrors.formatGone.msg }] })
  }
  const kept = { ...asked, row_version: row_version + 1 }
  await db.insertInto('card_setting').values({ school_id, ...kept }).onConflict(clash => clash.column('school_id').doUpdateSet(kept)).execute()
  ctx.note({ target_kind: 'cards.setting', target_name: '卡务设置', before, after: asked })
  return {}
}

export const cardsRoutes = [
  ...implement(cardApi, {
    list: (ctx, query) => listCards(ctx, query),
    export: exportHandler(cardApi.export, cardList, listCards),
    progress: (ctx, query) => cardProgress(ctx, query),
    state: (ctx, asked) => readStates(ctx, asked),
    issue: (ctx, asked) => issueCard(ctx, asked),
    loss: (ctx, asked) => reportLoss(ctx, asked),
    cancelLoss: (ctx, asked) => cancelLoss(ctx, asked),
    reissue: (ctx, asked) => reissueCard(ctx, asked),
    reissueFast: (ctx, asked) => reissueFast(ctx, asked),
    revoke: (ctx, asked) => revokeCards(ctx, asked),
    exchange: (ctx, asked) => exchangeCard(ctx, asked),
    renew: (ctx, asked) => renewCards(ctx, asked),
    freeze: (ctx, asked) => freezeCards(ctx, asked, true),
    unfreeze: (ctx, asked) => freezeCards(ctx, asked, false),
    undo: (ctx, asked) => undoAct(ctx, asked),
    selfCards: ctx => selfCards(ctx),
    selfLoss: (ctx, asked) => reportOwnLoss(ctx, asked),
  }),
  ...implement(cloudCardApi, {
    state: inCloud(readStates),
    loss: inCloud(reportLoss),
    cancelLoss: inCloud(cancelLoss),
    issue: inCloud(issueCard),
    revoke: inCloud(revokeCards),
    reissue: inCloud(reissueCard),
    reissueFast: inCloud(reissueFast),
  }),
  ...implement(stockApi, {
    list: (ctx, query) => listStock(ctx, query),
    export: exportHandler(stockApi.export, stockList, listStock),
    counts: ctx => countStock(ctx),
    add: (ctx, asked) => addStock(ctx, asked),
    range: (ctx, asked) => addRange(ctx, asked),
    void: (ctx, asked) => voidCards(ctx, asked),
    found: (ctx, asked) => returnFound(ctx, asked),
    check: (ctx, asked) => checkStock(ctx, asked),
  }),
  ...implement(socialApi, {
    list: (ctx, query) => listSocial(ctx, query),
    checkAuto: (ctx, read) => checkAuto(ctx, read),
    issue: (ctx, asked) => issueSocial(ctx, asked),
    autoIssue: (ctx, read) => autoIssue(ctx, read),
    loss: (ctx, asked) => loseSocial(ctx, asked),
    cancelLoss: (ctx, asked) => findSocial(ctx, asked),
    revoke: (ctx, asked) => revokeSocial(ctx, asked),
    exchange: (ctx, asked) => exchangeSocial(ctx, asked),
  }),
  ...implement(cardLogApi, {
    page: (ctx, query) => pageOps(ctx, query),
    export: exportHandler(cardLogApi.export, cardOpList, pageOps),
    blocks: (ctx, query) => listBlocks(ctx, query),
    blockStat: (ctx, query) => statBlocks(ctx, query),
    used: (ctx, query) => pageUsed(ctx, query),
    handleUsed: (ctx, asked) => handleUsed(ctx, asked),
    conflicts: (ctx, query) => pageConflicts(ctx, query),
    decide: (ctx, asked) => decideConflict(ctx, asked),
    deposits: (ctx, query) => pageDeposits(ctx, query),
  }),
  ...implement(cardSettingApi, {
    read: ({ db, school_id }) => readSetting(db, school_id),
    write: (ctx, asked) => writeSetting(ctx, asked),
  }),
]
