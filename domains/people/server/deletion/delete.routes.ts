import { deleteApi, userDeleteApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { cancelBatch, confirmBatch, retryBatch } from './batch.service.ts'
import { listBatches, listOperators } from './batch.read.ts'
import { readSettings, saveSettings } from './delete-config.service.ts'
import { deletePeople, precheckPeople } from './delete.service.ts'
import { exportDetails } from './detail.export.ts'
import { listDetails, readProof } from './detail.read.ts'
import { countDue } from './due.queries.ts'

export const deleteRoutes = [
  ...implement(deleteApi, {
    run: (ctx, wish) => deletePeople(ctx, wish),
    runTeacher: (ctx, { id, ...wish }) => deletePeople(ctx, { ...wish, user_ids: [id] }, 'staff'),
    runTeachers: (ctx, wish) => deletePeople(ctx, wish, 'staff'),
    precheck: (ctx, asked) => precheckPeople(ctx, asked),
    operators: ctx => listOperators(ctx),
  }),
  ...implement(userDeleteApi, {
    config: ctx => readSettings(ctx),
    saveConfig: (ctx, draft) => saveSettings(ctx, draft),
    due: (ctx, wanted) => countDue(ctx.db, ctx.school_id, ctx.now, wanted),
    batches: (ctx, query) => listBatches(ctx, query),
    details: (ctx, query) => listDetails(ctx, query),
    exportErrors: { before: async (pre, input) => exportDetails(pre, input, true) },
    exportAll: { before: async (pre, input) => exportDetails(pre, input, false) },
    confirm: (ctx, asked) => confirmBatch(ctx, asked),
    cancel: (ctx, asked) => cancelBatch(ctx, asked),
    retry: (ctx, asked) => retryBatch(ctx, asked),
    proof: (ctx, asked) => readProof(ctx, asked),
  }),
]
