import {
  checkin_kind,
  checkinApi,
  checkinReport,
  homeworkApi,
  homeworkReport,
  informApi,
  informReport,
  survey_kind,
  surveyApi,
  surveyReport,
} from '@campus/publishing/contract'
import { reportExport } from '@kit/server/report'
import { implement } from '../db.ts'
import { listHomework, readLoad, reportHomework } from './homework.service.ts'
import { reportNotices } from './inform.service.ts'
import { listOf, reportOf } from './answers.service.ts'

const readCheckins = reportOf(checkin_kind, checkinReport)
const readSurveys = reportOf(survey_kind, surveyReport)

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
  ...implement(checkinApi, {
    list: (ctx, query) => listOf(ctx, checkin_kind, query),
    report: (ctx, query) => readCheckins(ctx, query),
    export: reportExport(checkinApi.export, checkinReport, readCheckins),
  }),
  ...implement(surveyApi, {
    list: (ctx, query) => listOf(ctx, survey_kind, query),
    report: (ctx, query) => readSurveys(ctx, query),
    export: reportExport(surveyApi.export, surveyReport, readSurveys),
  }),
]
