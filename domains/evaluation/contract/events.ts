import { event, id } from '@kit/contract'
import { z } from 'zod'

const Records = z.object({ record_ids: z.array(id('evaluation.record')), dept_ids: z.array(z.string()) })
const Appeal = z.object({ appeal_id: id('evaluation.appeal'), record_id: id('evaluation.record') })
const Ranking = z.object({ period_id: id('evaluation.period'), kind: z.number().int(), begin_date: z.string(), edition: z.number().int() })

/** What evaluation publishes (chapter 55 §7, 90 §3): numbers only, no words of a record. */
export const evaluationEvents = {
  given: event('evaluation.star.given', Records),
  revoked: event('evaluation.star.revoked', Records),
  appealOpened: event('evaluation.appeal.opened', Appeal),
  appealClosed: event('evaluation.appeal.closed', Appeal),
  settled: event('evaluation.ranking.settled', Ranking),
  reissued: event('evaluation.ranking.reissued', Ranking),
  committeeChanged: event('evaluation.committee.changed', z.object({ dept_id: z.string() })),
}
