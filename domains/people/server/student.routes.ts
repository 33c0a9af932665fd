import { studentApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { listStudents } from './student.service.ts'

export const studentRoutes = implement(studentApi, {
  list: (ctx, query) => listStudents(ctx, query),
})
