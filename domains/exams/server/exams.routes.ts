import { controlApi, examApi, examList, examSheetApi, planApi, presenceApi, resultApi, reviewApi, scoreApi,
  swapApi } from '@campus/exams/contract'
import { exportHandler } from '@kit/server/export'
import { overrideControl, readControl } from './control/control.service.ts'
import { implement } from './db.ts'
import { addExam, cancelExam, copyExam, listExams, listTerms, removeExam, updateExam } from './exam/exam.service.ts'
import { listCandidates, numberCandidates, refreshCandidates, saveCandidate } from './plan/candidate.service.ts'
import { assignDuty, readDuties, runDuties } from './plan/duty.service.ts'
import { planExport, scoreExport } from './plan/export.service.ts'
import { publishPlan, recallPlan } from './plan/publish.service.ts'
import { listPlaces, listRooms, saveRooms } from './plan/room.service.ts'
import { readSheets } from './plan/sheet.service.ts'
import { acceptSwap, askSwap, decideSwap, listFit, listSwaps, readMyDuties, withdrawSwap } from './plan/swap.service.ts'
import { confirmPresence, readPresence, signPresence } from './presence/presence.service.ts'
import { moveSeat, pinSeat, readSeatMap, runSeats } from './plan/seat.service.ts'
import { askAmend, decideAmend, listAmends } from './result/amend.service.ts'
import { listResults, readAnalysis } from './result/analysis.service.ts'
import { readMine } from './result/mine.service.ts'
import { answerReview, askReview, listReviews } from './result/review.service.ts'
import { publishResults, readState, reviewAll, withdrawResults } from './result/release.service.ts'
import { listClasses, listTasks, readGrid, returnEntry, saveCells, submitEntry } from './score/entry.service.ts'
import { listDifferences, readSecondGrid, saveSecond } from './score/second.service.ts'
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
  ...implement(planApi, {
    candidates: (ctx, query) => listCandidates(ctx, query),
    refresh: (ctx, asked) => refreshCandidates(ctx, asked),
    renumber: (ctx, asked) => numberCandidates(ctx, asked),
    candidate: (ctx, asked) => saveCandidate(ctx, asked),
    rooms: (ctx, { exam_id }) => listRooms(ctx, exam_id),
    places: (ctx, { exam_id }) => listPlaces(ctx, exam_id),
    saveRooms: (ctx, asked) => saveRooms(ctx, asked),
    runSeats: (ctx, asked) => runSeats(ctx, asked),
    seats: (ctx, query) => readSeatMap(ctx, query),
    move: (ctx, asked) => moveSeat(ctx, asked),
    pin: (ctx, asked) => pinSeat(ctx, asked),
    runDuties: (ctx, asked) => runDuties(ctx, asked),
    duties: (ctx, { exam_id }) => readDuties(ctx, exam_id),
    assign: (ctx, asked) => assignDuty(ctx, asked),
    sheets: (ctx, query) => readSheets(ctx, query),
    publish: (ctx, { exam_id }) => publishPlan(ctx, exam_id),
    recall: (ctx, asked) => recallPlan(ctx, asked),
  }),
  ...implement(examSheetApi, { plan: planExport, score: scoreExport }),
  ...implement(scoreApi, {
    classes: (ctx, { exam_id }) => listClasses(ctx, exam_id),
    grid: (ctx, query) => readGrid(ctx, query),
    cell: (ctx, asked) => saveCells(ctx, asked),
    second: (ctx, query) => readSecondGrid(ctx, query),
    secondCell: (ctx, asked) => saveSecond(ctx, asked),
    differences: (ctx, query) => listDifferences(ctx, query),
    tasks: (ctx, { exam_id }) => listTasks(ctx, exam_id),
    submit: (ctx, asked) => submitEntry(ctx, asked),
    giveBack: (ctx, asked) => returnEntry(ctx, asked),
  }),
  ...implement(resultApi, {
    list: (ctx, query) => listResults(ctx, query),
    analysis: (ctx, query) => readAnalysis(ctx, query),
    state: (ctx, { exam_id }) => readState(ctx, exam_id),
    review: (ctx, { exam_id }) => reviewAll(ctx, exam_id),
    publish: (ctx, asked) => publishResults(ctx, asked),
    withdraw: (ctx, asked) => withdrawResults(ctx, asked),
    amends: (ctx, { exam_id }) => listAmends(ctx, exam_id),
    amend: (ctx, asked) => askAmend(ctx, asked),
    decide: (ctx, asked) => decideAmend(ctx, asked),
    mine: (ctx, query) => readMine(ctx, query),
  }),
  ...implement(reviewApi, {
    page: (ctx, { exam_id }) => listReviews(ctx, exam_id),
    ask: (ctx, asked) => askReview(ctx, asked),
    answer: (ctx, asked) => answerReview(ctx, asked),
  }),
  ...implement(controlApi, {
    read: (ctx, { exam_id }) => readControl(ctx, exam_id),
    override: (ctx, asked) => overrideControl(ctx, asked),
  }),
  ...implement(presenceApi, {
    read: (ctx, { session_id }) => readPresence(ctx, session_id),
    sign: (ctx, asked) => signPresence(ctx, asked),
    confirm: (ctx, asked) => confirmPresence(ctx, asked),
  }),
  ...implement(swapApi, {
    mine: ctx => readMyDuties(ctx),
    fit: (ctx, { session_id }) => listFit(ctx, session_id),
    ask: (ctx, asked) => askSwap(ctx, asked),
    accept: (ctx, asked) => acceptSwap(ctx, asked),
    withdraw: (ctx, asked) => withdrawSwap(ctx, asked),
    page: (ctx, { exam_id }) => listSwaps(ctx, exam_id),
    decide: (ctx, asked) => decideSwap(ctx, asked),
  }),
]
