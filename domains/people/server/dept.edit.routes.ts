import { deptEditApi, deptStaffApi } from '@campus/people/contract'
import { implement } from './db.ts'
import { addDept } from './dept.add.ts'
import { addDepts, updateDepts } from './dept.batch.ts'
import { readBoard, readDays } from './dept.board.ts'
import { readDept } from './dept.detail.ts'
import { keepDeptOpen } from './dept.keep-open.ts'
import { removeDept } from './dept.remove.ts'
import { reorderDept } from './dept.reorder.ts'
import { readStaffBoard } from './dept.staff.ts'
import { updateDept } from './dept.update.ts'

export const deptStaffRoutes = implement(deptStaffApi, { staffBoard: (ctx, query) => readStaffBoard(ctx, query) })

export const deptEditRoutes = implement(deptEditApi, {
  treeByGrade: (ctx, query) => readBoard(ctx, query),
  days: (ctx, query) => readDays(ctx, query),
  detail: (ctx, params) => readDept(ctx, params),
  add: (ctx, draft) => addDept(ctx, draft),
  update: (ctx, patch) => updateDept(ctx, patch),
  remove: (ctx, asked) => removeDept(ctx, asked),
  keepOpen: (ctx, asked) => keepDeptOpen(ctx, asked),
  batchAdd: (ctx, drafts) => addDepts(ctx, drafts),
  batchUpdate: (ctx, patches) => updateDepts(ctx, patches),
  reorder: (ctx, asked) => reorderDept(ctx, asked),
})
