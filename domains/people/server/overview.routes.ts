import { overviewApi } from '@campus/people/contract'
import type { PupilOverview, StaffOverview } from '@campus/people/contract'
import { implement } from './db.ts'
import type { PeopleCtx } from './db.ts'
import { pupilsByStage, staffByKind } from './overview.queries.ts'
import { deptScope } from './scope.ts'

export const overviewRoutes = implement(overviewApi, {
  pupils: ctx => pupilOverview(ctx),
  staff: ctx => staffOverview(ctx),
})

/** Pupils in school, each number as the pupil list counts it under the same filter. */
async function pupilOverview(ctx: PeopleCtx): Promise<PupilOverview> {
  const rows = await pupilsByStage(ctx.db, ctx.school_id, await deptScope(ctx, 'student'))
  const sum = (name: 'total' | 'boys' | 'girls' | 'boarders') => rows.reduce((all, row) => all + row[name], 0)
  return { total: sum('total'), boys: sum('boys'), girls: sum('girls'), boarders: sum('boarders'), stages: rows.map(({ stage, total }) => ({ stage, total })) }
}

async function staffOverview(ctx: PeopleCtx): Promise<StaffOverview> {
  const kinds = await staffByKind(ctx.db, ctx.school_id, await deptScope(ctx, 'staff'))
  return { total: kinds.reduce((all, { total }) => all + total, 0), kinds }
}
