import { pickerApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { pickStaff } from './picker.service.ts'

export const pickerRoutes = implement(pickerApi, {
  teacher: (ctx, query) => pickStaff(ctx, query),
})
