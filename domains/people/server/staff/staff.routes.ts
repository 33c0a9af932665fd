import { staffApi, staffFileApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { bring } from '../field/field-files.ts'
import { createStaff, readStaffFile, updateStaff } from './staff-file.service.ts'
import { allStaff, listStaff } from './staff.service.ts'

export const staffRoutes = [
  ...implement(staffApi, {
    list: (ctx, query) => listStaff(ctx, query),
    all: ctx => allStaff(ctx),
  }),
  ...implement(staffFileApi, {
    create: {
      before: async (pre, draft) => {
        const brought = await bring(pre, 'staff', draft)
        return ctx => createStaff(ctx, draft, brought)
      },
    },
    detail: (ctx, query) => readStaffFile(ctx, query),
    update: {
      before: async (pre, patch) => {
        const brought = await bring(pre, 'staff', patch)
        return ctx => updateStaff(ctx, patch, brought)
      },
    },
  }),
]
