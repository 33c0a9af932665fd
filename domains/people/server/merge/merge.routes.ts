import { mergeApi, mergeRunApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { dismissCase, listCases } from './case.service.ts'
import { listMerges, readMergeProof } from './log.service.ts'
import { mergePair } from './merge.service.ts'
import { previewMerge } from './preview.ts'
import { reverseMerge } from './reverse.service.ts'

export const mergeRoutes = [
  ...implement(mergeApi, {
    cases: (ctx, query) => listCases(ctx, query),
    log: (ctx, query) => listMerges(ctx, query),
    proof: (ctx, params) => readMergeProof(ctx, params),
    preview: (ctx, asked) => previewMerge(ctx, asked),
    reverse: (ctx, asked) => reverseMerge(ctx, asked),
    dismiss: (ctx, params) => dismissCase(ctx, params),
  }),
  ...implement(mergeRunApi, {
    teacher: (ctx, body) => mergePair(ctx, 'teacher', body),
    parent: (ctx, body) => mergePair(ctx, 'parent', body),
    student: (ctx, body) => mergePair(ctx, 'student', body),
  }),
]
