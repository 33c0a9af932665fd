import { pickerApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { pickStaff, pickStudents } from './picker.service.ts'

export const pickerRoutes = implement(pickerApi, {
  student: (ctx, query) => pickStudents(ctx, query),
  teacher: (ctx, query) => pickStaff(ctx, query),
})
