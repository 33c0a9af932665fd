import { courseApi, courseList, lessonApi, solveApi, tableFileApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import { exportHandler } from '@kit/server/export'
import { changeRoutes } from './cover/change.routes.ts'
import { addCourse, allCourses, enableCourses, listCourses, removeCourse, updateCourse } from './course/course.service.ts'
import { implement } from './db.ts'
import { electiveRoutes } from './elective/elective.routes.ts'
import { listTerms } from './plan/plan.queries.ts'
import { changeTeacher, copyTeaching, readLoad, readMatrix, readUnavailable, saveTeaching, saveUnavailable } from './plan/teaching.service.ts'
import { makeFeed, readFeed } from './lesson/feed.service.ts'
import { listDayLessons, listTargets, readNow, readPlan, readWeek } from './lesson/lesson.service.ts'
import { readMine } from './lesson/mine.service.ts'
import { timetableSheet, versionSheet } from './lesson/sheet.service.ts'
import { latestImport, startImport, undoImport } from './import/table-import.service.ts'
import { readMoves, takeRun } from './solve/result.service.ts'
import { latestRun, precheckVersion, startSolve, stopSolve } from './solve/solve.service.ts'
import { listSteps, redoStep, runCommands, syncVersion, undoStep } from './timetable/edit.service.ts'
import { checkVersion, diffVersions, readCandidates, readGrid } from './timetable/look.service.ts'
import { publishVersion, withdrawVersion } from './timetable/publish.service.ts'
import { addVersion, copyTimetable, createTimetable, listTimetables, removeTimetable, removeVersion, updateTimetable } from './timetable/timetable.service.ts'

export const teachingServerRoutes = [
  ...electiveRoutes,
  ...changeRoutes,
  ...implement(courseApi, {
    list: (ctx, query) => listCourses(ctx, query),
    export: exportHandler(courseApi.export, courseList, listCourses),
    all: ctx => allCourses(ctx),
    add: (ctx, draft) => addCourse(ctx, draft),
    update: (ctx, patch) => updateCourse(ctx, patch),
    enable: (ctx, asked) => enableCourses(ctx, asked),
    remove: (ctx, { id }) => removeCourse(ctx, id),
  }),
  ...implement(teachingApi, {
    terms: ({ db, school_id, now }) => listTerms(db, school_id, schoolDay(now)),
    matrix: (ctx, query) => readMatrix(ctx, query),
    load: (ctx, query) => readLoad(ctx, query),
    save: (ctx, asked) => saveTeaching(ctx, asked),
    changeTeacher: (ctx, asked) => changeTeacher(ctx, asked),
    copy: (ctx, asked) => copyTeaching(ctx, asked),
    unavailable: (ctx, query) => readUnavailable(ctx, query),
    saveUnavailable: (ctx, asked) => saveUnavailable(ctx, asked),
  }),
  ...implement(timetableApi, {
    list: (ctx, query) => listTimetables(ctx, query),
    create: (ctx, draft) => createTimetable(ctx, draft),
    copy: (ctx, asked) => copyTimetable(ctx, asked),
    update: (ctx, patch) => updateTimetable(ctx, patch),
    remove: (ctx, { id }) => removeTimetable(ctx, id),
  }),
  ...implement(versionApi, {
    add: (ctx, asked) => addVersion(ctx, asked),
    remove: (ctx, { id }) => removeVersion(ctx, id),
    grid: (ctx, query) => readGrid(ctx, query),
    check: (ctx, { id }) => checkVersion(ctx, id),
    steps: (ctx, { id }) => listSteps(ctx, id),
    command: (ctx, asked) => runCommands(ctx, asked),
    undo: (ctx, asked) => undoStep(ctx, asked),
    redo: (ctx, asked) => redoStep(ctx, asked),
    candidates: (ctx, asked) => readCandidates(ctx, asked),
    sync: (ctx, asked) => syncVersion(ctx, asked),
    diff: (ctx, query) => diffVersions(ctx, query),
    publish: (ctx, asked) => publishVersion(ctx, asked),
    withdraw: (ctx, { id }) => withdrawVersion(ctx, id),
  }),
  ...implement(tableFileApi, {
    sheet: { outside: (pre, asked) => versionSheet(pre, asked) },
    importFile: { before: (pre, asked) => startImport(pre, asked) },
    imported: (ctx, { id }) => latestImport(ctx, id),
    undoImport: (ctx, { id }) => undoImport(ctx, id),
  }),
  ...implement(solveApi, {
    precheck: (ctx, { id }) => precheckVersion(ctx, id),
    start: (ctx, asked) => startSolve(ctx, asked),
    latest: (ctx, { id }) => latestRun(ctx, id),
    stop: (ctx, { id }) => stopSolve(ctx, id),
    moves: (ctx, { id }) => readMoves(ctx, id),
    take: (ctx, asked) => takeRun(ctx, asked),
  }),
  ...implement(lessonApi, {
    targets: (ctx, query) => listTargets(ctx, query),
    list: (ctx, query) => listDayLessons(ctx, query),
    week: (ctx, query) => readWeek(ctx, query),
    plan: (ctx, query) => readPlan(ctx, query),
    now: (ctx, query) => readNow(ctx, query),
    mine: (ctx, query) => readMine(ctx, query),
    sheet: { outside: (pre, asked) => timetableSheet(pre, asked) },
    feed: (ctx, asked) => makeFeed(ctx, asked),
    ics: { outside: (pre, { token }) => readFeed(pre, token) },
  }),
]
