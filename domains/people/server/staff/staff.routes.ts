import { staffApi, staffFileApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { createStaff, readStaffFile, updateStaff } from './staff-file.service.ts'
import { allStaff, listStaff } from './staff.service.ts'

export const staffRoutes = [
  ...implement(staffApi, {
    list: (ctx, query) => listStaff(ctx, query),
    all: ctx => allStaff(ctx),
  }),
  ...implement(staffFileApi, {
    create: (ctx, draft) => createStaff(ctx, draft),
    detail: (ctx, query) => readStaffFile(ctx, query),
    update: (ctx, patch) => updateStaff(ctx, patch),
  }),
]
