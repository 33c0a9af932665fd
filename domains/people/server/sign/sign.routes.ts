import { signApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { exportSigns } from './sign.export.ts'
import { countGroups, listSigns, remindUnsigned, terminateSigns } from './sign.service.ts'

export const signRoutes = implement(signApi, {
  students: (ctx, query) => listSigns(ctx, 'student', query),
  teachers: (ctx, query) => listSigns(ctx, 'staff', query),
  studentStat: ctx => countGroups(ctx, 'student'),
  teacherStat: ctx => countGroups(ctx, 'staff'),
  exportStudents: { before: async (pre, input) => exportSigns(pre, 'student', input) },
  exportTeachers: { before: async (pre, input) => exportSigns(pre, 'staff', input) },
  terminate: (ctx, asked) => terminateSigns(ctx, asked),
  remind: (ctx, asked) => remindUnsigned(ctx, asked),
})
