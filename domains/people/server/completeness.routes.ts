import { completenessApi, most_lacking, student_missing } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { validOn } from './dated.ts'
import { schoolDay } from './day.ts'
import { implement } from './db.ts'
import type { Db, PeopleCtx } from './db.ts'
import { labelsOn } from './dept.service.ts'
import { deptScope } from './scope.ts'
import { completeness, lacks } from './student.complete.ts'
import { pupilFilter } from './student.service.ts'
import { countPupils, orderedPupils, pupils } from './student.queries.ts'
import type { PupilFilter } from './student.queries.ts'

const Counts = z.array(z.number().int())

export const completenessRoutes = implement(completenessApi, {
  classes: (ctx, query) => classesByGaps(ctx, query),
  lacking: (ctx, query) => whoLacks(ctx, query),
})

/** Classes of the scope with what is missing in the files of their pupils, the emptiest first. */
async function classesByGaps(ctx: PeopleCtx, { dept_id }: Input<typeof completenessApi.classes>): Promise<Reply<typeof completenessApi.classes>> {
  const filter = await asked(ctx, dept_id)
  if (!filter) return { list: [] }
  const rows = await gapsByClass(ctx.db, filter)
  const labels = await labelsOn(ctx, rows.map(row => row.dept_id), filter.on)
  const list = rows.map(({ gaps, ...row }) => {
    const counts = Counts.parse(gaps)
    const missing = student_missing.map((field, at) => ({ field, count: counts[at] ?? 0 })).filter(({ count }) => count > 0)
    return { ...row, dept_name: labels.get(row.dept_id) ?? '', missing: missing.toSorted((a, b) => b.count - a.count) }
  })
  return { list: list.toSorted((a, b) => a.percent - b.percent) }
}

/** Who of a department and everything below it lacks one of these, for a collection that asks exactly them. */
async function whoLacks(ctx: PeopleCtx, { dept_id, missing }: Input<typeof completenessApi.lacking>): Promise<Reply<typeof completenessApi.lacking>> {
  const filter = await asked(ctx, dept_id)
  if (!filter || missing.length === 0) return { user_ids: [], total: 0 }
  const lacking = { ...filter, missing }
  return { user_ids: await orderedPupils(ctx.db, lacking, 'student_no', { limit: most_lacking, offset: 0 }), total: await countPupils(ctx.db, lacking) }
}

async function asked(ctx: PeopleCtx, dept_id: string | undefined): Promise<PupilFilter | null> {
  const on = schoolDay(ctx.now)
  return pupilFilter(ctx, await deptScope(ctx, 'student', on), { dept_id, include_sub: true }, on)
}

function gapsByClass(db: Db, filter: PupilFilter) {
  const counted = student_missing.map(field => sql`count(*) filter (where ${lacks(filter, [field])})`)
  return pupils(db, filter)
    .innerJoin('dept_member as m', join => join.onRef('m.school_id', '=', 's.school_id').onRef('m.user_id', '=', 's.user_id').on('m.member_kind', '=', 'student').on(validOn('m', filter.on)))
    .select(['m.dept_id', sql<number>`count(*)::int`.as('students'), sql<number>`round(avg(${completeness(filter)}))::int`.as('percent')])
    .select(sql<unknown>`array[${sql.join(counted)}]::int[]`.as('gaps'))
    .where('m.school_id', '=', filter.school_id)
    .groupBy('m.dept_id')
    .execute()
}
