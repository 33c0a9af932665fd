import { importApi } from '@campus/jobs/contract'
import { implement } from '../db.ts'
import { fixRow } from './fix.service.ts'
import { applyBatch, errorSheet, listBatches, listRows, readBatch, templateFile } from './import.service.ts'
import { undoBatch } from './undo.service.ts'
import { uploadBatch } from './upload.service.ts'

export const importRoutes = implement(importApi, {
  template: { outside: (pre, { code }) => templateFile(pre, code) },
  upload: { before: uploadBatch },
  batches: listBatches,
  one: (ctx, { batch_no }) => readBatch(ctx, batch_no),
  rows: { outside: listRows },
  fix: { before: fixRow },
  apply: applyBatch,
  undo: (ctx, { batch_no, partial }) => undoBatch(ctx, batch_no, partial ?? false),
  errorSheet: { outside: (pre, { batch_no }) => errorSheet(pre, batch_no) },
})
