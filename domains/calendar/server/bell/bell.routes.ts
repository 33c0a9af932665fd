import { bellApi } from '@campus/calendar/contract'
import { implement } from '../db.ts'
import { listUses, switchBell } from './bell-use.service.ts'
import { addBell, copyBell, listBells, readBell, removeBell, updateBell } from './bell.service.ts'

export const bellRoutes = implement(bellApi, {
  list: ctx => listBells(ctx),
  detail: (ctx, { id }) => readBell(ctx, id),
  add: (ctx, draft) => addBell(ctx, draft),
  copy: (ctx, asked) => copyBell(ctx, asked),
  update: (ctx, patch) => updateBell(ctx, patch),
  remove: (ctx, { id }) => removeBell(ctx, id),
  uses: (ctx, asked) => listUses(ctx, asked),
  switch: (ctx, asked) => switchBell(ctx, asked),
})
