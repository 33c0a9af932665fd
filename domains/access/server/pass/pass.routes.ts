import { deptTurnover, passApi, passList, placeTurnover, strangerTurnoverApi, studentTurnoverApi, teacherTurnoverApi, turnoverApi, userDayList, visitorTurnoverApi, wallApi } from '@campus/access/contract'
import type { PassQuery, TurnoverKind } from '@campus/access/contract'
import { exportHandler } from '@kit/server/export'
import { reportExport } from '@kit/server/report'
import { implement } from './db.ts'
import type { PassCtx } from './db.ts'
import { pagePasses, passDetail, sheetPasses } from './pass.queries.ts'
import { pageDays, rebuildDays, sheetDays, summariseDepts, summarisePlaces } from './turnover.service.ts'
import { fixPresence, listPresence, passesSince, passPhoto, wallSummary } from './wall.service.ts'

const pageOf = (kind: TurnoverKind) => (ctx: PassCtx, query: PassQuery) => pagePasses(ctx, kind, query)
const sheetOf = (kind: TurnoverKind) => (ctx: PassCtx, query: PassQuery) => sheetPasses(ctx, kind, query)

export const passRoutes = [
  ...implement(studentTurnoverApi, {
    page: pageOf('student'),
    day: (ctx, query) => pageDays(ctx, 'student', query),
    summary: (ctx, query) => summariseDepts(ctx, 'student', query),
    export: exportHandler(studentTurnoverApi.export, passList, sheetOf('student')),
    exportDay: exportHandler(studentTurnoverApi.exportDay, userDayList, (ctx: PassCtx, query) => sheetDays(ctx, 'student', query)),
    exportSummary: reportExport(studentTurnoverApi.exportSummary, deptTurnover, (ctx: PassCtx, query) => summariseDepts(ctx, 'student', query)),
  }),
  ...implement(teacherTurnoverApi, {
    page: pageOf('teacher'),
    day: (ctx, query) => pageDays(ctx, 'teacher', query),
    summary: (ctx, query) => summariseDepts(ctx, 'teacher', query),
    export: exportHandler(teacherTurnoverApi.export, passList, sheetOf('teacher')),
    exportDay: exportHandler(teacherTurnoverApi.exportDay, userDayList, (ctx: PassCtx, query) => sheetDays(ctx, 'teacher', query)),
    exportSummary: reportExport(teacherTurnoverApi.exportSummary, deptTurnover, (ctx: PassCtx, query) => summariseDepts(ctx, 'teacher', query)),
  }),
  ...implement(strangerTurnoverApi, {
    page: pageOf('stranger'),
    summary: (ctx, query) => summarisePlaces(ctx, 'stranger', query),
    export: exportHandler(strangerTurnoverApi.export, passList, sheetOf('stranger')),
    exportSummary: reportExport(strangerTurnoverApi.exportSummary, placeTurnover, (ctx: PassCtx, query) => summarisePlaces(ctx, 'stranger', query)),
  }),
  ...implement(visitorTurnoverApi, {
    page: pageOf('visitor'),
    summary: (ctx, query) => summarisePlaces(ctx, 'visitor', query),
    export: exportHandler(visitorTurnoverApi.export, passList, sheetOf('visitor')),
    exportSummary: reportExport(visitorTurnoverApi.exportSummary, placeTurnover, (ctx: PassCtx, query) => summarisePlaces(ctx, 'visitor', query)),
  }),
  ...implement(turnoverApi, { rebuild: (ctx, span) => rebuildDays(ctx, span) }),
  ...implement(passApi, { detail: (ctx, key) => passDetail(ctx, key), photo: (ctx, key) => passPhoto(ctx, key) }),
  ...implement(wallApi, {
    since: (ctx, query) => passesSince(ctx, query),
    summary: ctx => wallSummary(ctx),
    presence: (ctx, query) => listPresence(ctx, query),
    fix: (ctx, asked) => fixPresence(ctx, asked),
  }),
]
