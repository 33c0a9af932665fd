import { changeApi, changeList, ledgerList } from '@campus/teaching/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import { coverLesson, dismissNeed, swapLessons, undoAuto, undoChange } from './change.service.ts'
import { answerCover, listAsked } from './consent.service.ts'
import { coverChain } from './chain.service.ts'
import { listChanges, listLedger } from './list.service.ts'
import { autoCover, listNeeds, listProposals } from './look.service.ts'
import { moveLesson } from './move.service.ts'
import { addRequest, approveRequest, listPartners, listRequests, refuseRequest, withdrawRequest } from './request.service.ts'

export const changeRoutes = implement(changeApi, {
  needs: (ctx, query) => listNeeds(ctx, query),
  proposals: (ctx, query) => listProposals(ctx, query),
  cover: (ctx, asked) => coverLesson(ctx, asked),
  swap: (ctx, asked) => swapLessons(ctx, asked),
  move: (ctx, asked) => moveLesson(ctx, asked),
  chain: (ctx, asked) => coverChain(ctx, asked),
  dismiss: (ctx, asked) => dismissNeed(ctx, asked),
  autoCover: (ctx, asked) => autoCover(ctx, asked),
  undoAuto: (ctx, { id }) => undoAuto(ctx, id),
  mine: ctx => listAsked(ctx),
  answer: (ctx, asked) => answerCover(ctx, asked),
  add: (ctx, asked) => addRequest(ctx, asked),
  requests: ctx => listRequests(ctx),
  partners: (ctx, query) => listPartners(ctx, query),
  withdraw: (ctx, { id }) => withdrawRequest(ctx, id),
  approve: (ctx, { id }) => approveRequest(ctx, id),
  refuse: (ctx, asked) => refuseRequest(ctx, asked),
  undo: (ctx, { id }) => undoChange(ctx, id),
  list: (ctx, query) => listChanges(ctx, query),
  export: exportHandler(changeApi.export, changeList, listChanges),
  ledger: (ctx, query) => listLedger(ctx, query),
  exportLedger: exportHandler(changeApi.exportLedger, ledgerList, listLedger),
})
