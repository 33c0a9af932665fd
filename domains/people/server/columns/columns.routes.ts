import { exportColumnApi, rollColumnApi } from '@campus/people/contract'
import { implement } from '../db.ts'
import { exportColumns, readRollColumns, rememberColumns, saveRollColumns } from './columns.service.ts'

export const columnRoutes = [
  ...implement(rollColumnApi, { read: readRollColumns, save: saveRollColumns }),
  ...implement(exportColumnApi, {
    student: ctx => exportColumns(ctx, 'student'),
    staff: ctx => exportColumns(ctx, 'staff'),
    parent: ctx => exportColumns(ctx, 'parent'),
    remember: rememberColumns,
  }),
]
