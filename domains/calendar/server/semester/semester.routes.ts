import { currentApi, semesterApi } from '@campus/calendar/contract'
import { implement } from '../db.ts'
import { readCurrent } from './current.service.ts'
import { addSemester, closeSemester, listSemesters, removeSemester, reopenSemester, updateSemester } from './semester.service.ts'

export const semesterRoutes = [
  ...implement(semesterApi, {
    list: (ctx, asked) => listSemesters(ctx, asked),
    add: (ctx, draft) => addSemester(ctx, draft),
    update: (ctx, patch) => updateSemester(ctx, patch),
    remove: (ctx, asked) => removeSemester(ctx, asked),
    close: (ctx, asked) => closeSemester(ctx, asked),
    reopen: (ctx, asked) => reopenSemester(ctx, asked),
  }),
  ...implement(currentApi, { read: ctx => readCurrent(ctx) }),
]
