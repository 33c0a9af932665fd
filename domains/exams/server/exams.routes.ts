import { examApi, examList } from '@campus/exams/contract'
import { exportHandler } from '@kit/server/export'
import { implement } from './db.ts'
import { addExam, cancelExam, copyExam, listExams, listTerms, removeExam, updateExam } from './exam/exam.service.ts'
import { readPlan, savePapers, saveSessions, suggest } from './exam/plan.service.ts'

export const examsServerRoutes = [
  ...implement(examApi, {
    list: (ctx, query) => listExams(ctx, query),
    export: exportHandler(examApi.export, examList, listExams),
    terms: ctx => listTerms(ctx),
    read: (ctx, { exam_id }) => readPlan(ctx, exam_id),
    add: (ctx, draft) => addExam(ctx, draft),
    update: (ctx, patch) => updateExam(ctx, patch),
    remove: (ctx, { exam_id }) => removeExam(ctx, exam_id),
    copy: (ctx, asked) => copyExam(ctx, asked),
    cancel: (ctx, asked) => cancelExam(ctx, asked),
    savePapers: (ctx, asked) => savePapers(ctx, asked),
    saveSessions: (ctx, asked) => saveSessions(ctx, asked),
    suggest: (ctx, asked) => suggest(ctx, asked),
  }),
]
