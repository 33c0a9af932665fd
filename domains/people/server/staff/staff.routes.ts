import { staffApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { allStaff, listStaff } from './staff.service.ts'

export const staffRoutes = [
  ...implement(staffApi, {
    list: (ctx, query) => listStaff(ctx, query),
    all: ctx => allStaff(ctx),
  }),
]
