import { changeApi, changeList, ledgerList } from '@campus/teaching/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from '../db.ts'
import { coverLesson, dismissNeed, swapLessons, undoChange } from './change.service.ts'
import { listChanges, listLedger } from './list.service.ts'
import { autoCover, listNeeds, listProposals } from './look.service.ts'

export const changeRoutes = implement(changeApi, {
  needs: (ctx, query) => listNeeds(ctx, query),
  proposals: (ctx, query) => listProposals(ctx, query),
  cover: (ctx, asked) => coverLesson(ctx, asked),
  swap: (ctx, asked) => swapLessons(ctx, asked),
  dismiss: (ctx, asked) => dismissNeed(ctx, asked),
  autoCover: (ctx, asked) => autoCover(ctx, asked),
  undo: (ctx, { id }) => undoChange(ctx, id),
  list: (ctx, query) => listChanges(ctx, query),
  export: exportHandler(changeApi.export, changeList, listChanges),
  ledger: (ctx, query) => listLedger(ctx, query),
  exportLedger: exportHandler(changeApi.exportLedger, ledgerList, listLedger),
})
