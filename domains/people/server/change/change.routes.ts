import { changeApi, memberApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { applyChange, movePeople } from './apply.ts'
import { exportChanges } from './change.export.ts'
import { closeEffect, retryEffect } from './effect-hand.ts'
import { planChange } from './plan.ts'
import { listChanges, readReceipt } from './receipt.ts'
import { cancelChange, undoChange } from './undo.ts'

export const changeRoutes = [
  ...implement(changeApi, {
    preview: async (ctx, { draft }) => (await planChange(ctx, draft, 'look')).preview,
    apply: (ctx, asked) => applyChange(ctx, asked),
    page: (ctx, query) => listChanges(ctx, query),
    export: { before: async (pre, input) => exportChanges(pre, input) },
    detail: (ctx, { id }) => readReceipt(ctx, id),
    cancel: (ctx, asked) => cancelChange(ctx, asked),
    undo: (ctx, asked) => undoChange(ctx, asked),
    retry: (ctx, asked) => retryEffect(ctx, asked),
    close: (ctx, asked) => closeEffect(ctx, asked),
  }),
  ...implement(memberApi, {
    move: (ctx, draft) => movePeople(ctx, draft),
  }),
]
