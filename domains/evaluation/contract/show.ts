import { DeptId, UserId } from '@campus/people/contract'
import { api, Day, Done, filter, get, id, Instant, post, put } from '@kit/contract'
import { z } from 'zod'
import { period_names } from './dictionary.ts'

const PeriodId = id('evaluation.period')
const count = z.number().int()
const Kind = z.enum(['1', '2', '3'], { error: '请选择周期' })
export const period_kinds: Readonly<Record<string, string>> = period_names

/** A place of a ranking, with the name as it may be shown. */
const Place = z.object({ rank: count, shown_name: z.string(), dept_name: z.string(), milli: count })
export type RankPlace = z.output<typeof Place>
const Period = z.object({
  period_id: PeriodId,
  kind: count,
  begin_date: Day,
  end_date: Day,
  edition: count,
  state: count,
  settled_at: Instant,
  hash: z.string(),
})
export type StarPeriod = z.output<typeof Period>

/** What a hall shows of the school or of one class: the best of this week, the latest stars, classes by head. */
export const Wall = z.object({
  title: z.string(),
  from: Day,
  to: Day,
  name_mode: count,
  podium: z.array(Place),
  river: z.array(
    z.object({
      record_id: z.string(),
      happened_at: Instant,
      shown_name: z.string(),
      dept_name: z.string(),
      star_name: z.string(),
      icon: z.string(),
      colour: z.string(),
      milli: count,
    }),
  ),
  classes: z.array(z.object({ dept_id: DeptId, dept_name: z.string(), heads: count, mean_milli: count })),
  given: count,
})
export type Wall = z.output<typeof Wall>

const OptedOut = z.object({ user_id: UserId, user_name: z.string(), dept_name: z.string(), reason: z.string(), valid_from: Day })
export const Display = z.object({ top_n: count, name_mode: count, row_version: count, opted_out: z.array(OptedOut) })
export type Display = z.output<typeof Display>

const Scope = z.object({ dept_id: filter(DeptId) })
const view = { need: 'evaluation.star.view', within: 'dept' } as const
const manage = { need: 'evaluation.star.manage', within: 'dept' } as const

/** Rankings, the wall and how names stand on it (chapter 55 §4). Lists end with the public part: there is no list from below. */
export const starShowApi = api('web', 'evaluation.ranking', {
  ranking: get('star/ranking', {
    query: Scope.extend({ period_id: filter(PeriodId), kind: Kind.default('1'), subject_kind: z.enum(['1', '2']).default('1') }),
    reply: z.object({ period: Period.nullable(), list: z.array(Place) }),
    ...view,
  }),
  history: get('star/ranking/history', {
    query: z.object({ kind: Kind.default('1') }),
    reply: z.object({ list: z.array(Period) }),
    ...view,
  }),
  settle: post('star/period/settle', {
    body: z.strictObject({ kind: Kind, day: Day }),
    reply: z.object({ period_id: PeriodId, edition: count, hash: z.string(), changed: z.boolean() }),
    op: 4,
    ...manage,
  }),
  wall: get('star/show/wall', { query: Scope, reply: Wall, ...view }),
  display: get('star/display/:dept_id', { params: z.object({ dept_id: DeptId }), reply: Display, ...manage }),
  setDisplay: put('star/display/:dept_id', {
    params: z.object({ dept_id: DeptId }),
    body: z.strictObject({
      top_n: z.number().int().min(1, { error: '展示人数为1到20' }).max(20, { error: '展示人数为1到20' }),
      name_mode: z.number().int().min(1).max(3),
      row_version: count,
    }),
    reply: Done,
    ...manage,
  }),
  optOut: post('star/opt_out', {
    body: z.strictObject({ user_id: UserId, shown: z.boolean(), reason: z.string().trim().max(100, { error: '超过100个字' }).default('') }),
    reply: Done,
    op: 4,
    ...manage,
  }),
})
