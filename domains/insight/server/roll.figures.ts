import { metrics } from '@campus/insight/contract'
import type { Figure, GradeSize, MetricCode } from '@campus/insight/contract'
import { countChanges } from './change.queries.ts'
import { classFigures, gradeSizes, gradesOf } from './class.figures.ts'
import type { InsightCtx } from './db.ts'
import { listLink } from './list-link.ts'
import { keptCounts, missingCounts, rollCount } from './roll.queries.ts'
import type { Asked } from './roll.queries.ts'
import { change_codes, change_metrics, windowOf } from './windows.ts'

const suspended = '02'
const stopped = '04'
const reserved = '12'

/** Figures about pupils and classes, and their drawing: each for whoever may see its rows. */
export async function rollPart(ctx: InsightCtx, asked: Asked): Promise<{ figures: Figure[]; grades: GradeSize[] }> {
  const sees_pupils = ctx.me.codes.has(metrics.student_total.need)
  const sees_classes = ctx.me.codes.has(metrics.class_total.need)
  const grades = sees_classes ? await gradesOf(ctx) : []
  return {
    figures: [...(sees_pupils ? await pupilFigures(ctx, asked) : []), ...(sees_classes ? classFigures(ctx, grades) : [])],
    grades: sees_pupils ? gradeSizes(ctx, grades) : [],
  }
}

async function pupilFigures(ctx: InsightCtx, asked: Asked): Promise<Figure[]> {
  const { total, boys, girls, boarders } = await rollCount(ctx.db, asked)
  const kept = await keptCounts(ctx.db, asked)
  const missing = await missingCounts(ctx.db, asked)
  const inState = (state: string) => kept.find(one => one.state === state)?.total ?? 0
  const of = (metric: MetricCode, count: number, search?: Record<string, string>): Figure => ({ metric, count, link: listLink(ctx, '/ParentsRecord', search) })
  return [
    of('student_total', total),
    of('student_boys', boys, { sex: '1' }),
    of('student_girls', girls, { sex: '2' }),
    of('student_boarders', boarders, { study_method: '2' }),
    of('student_suspended', inState(suspended), { state: suspended }),
    of('student_stopped', inState(stopped), { state: stopped }),
    of('student_reserved', inState(reserved), { state: reserved }),
    of('missing_guardian', missing.guardian, { missing: 'guardian' }),
    of('missing_id_no', missing.id_no, { missing: 'id_no' }),
    of('missing_photo', missing.photo, { missing: 'photo' }),
    ...(await changeFigures(ctx, asked)),
  ]
}

async function changeFigures(ctx: InsightCtx, asked: Asked): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const metric of change_codes) {
    const count = await countChanges(ctx.db, change_metrics[metric].kind, asked, windowOf(metric, asked.on))
    figures.push({ metric, count, link: null })
  }
  return figures
}
