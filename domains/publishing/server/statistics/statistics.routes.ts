import { homeworkApi, homeworkReport, informApi, informReport } from '@campus/publishing/contract'
import { reportExport } from '@kit/server/report'
import { implement } from '../db.ts'
import { listHomework, readLoad, reportHomework } from './homework.service.ts'
import { reportNotices } from './inform.service.ts'

export const statisticsRoutes = [
  ...implement(informApi, {
    notice: (ctx, query) => reportNotices(ctx, query),
    export: reportExport(informApi.export, informReport, reportNotices),
  }),
  ...implement(homeworkApi, {
    list: (ctx, query) => listHomework(ctx, query),
    report: (ctx, query) => reportHomework(ctx, query),
    load: (ctx, asked) => readLoad(ctx, asked),
    export: reportExport(homeworkApi.export, homeworkReport, reportHomework),
  }),
]
