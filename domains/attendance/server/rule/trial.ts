import { most_trial_days, ruleErrors } from '@campus/attendance/contract'
import type { ruleApi, Trial } from '@campus/attendance/contract'
import { countDays } from '@campus/calendar/contract'
import { fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { AttendanceCtx } from '../db.ts'
import { assemble } from '../recompute/assemble.ts'
import { dayAfter } from '../recompute/group.ts'
import { allShards } from '../recompute/people.ts'
import { judgeAll, rowKey } from '../recompute/rows.ts'
import type { Judged } from '../recompute/rows.ts'
import { requireRule } from './rule.service.ts'

const most_sampled = 200
const states = 10

type Changed = { lesson_date: string; user_id: string; dept_id: string; title: string; from_state: number; to_state: number }

/**
 * Judges days again with another body of a rule and counts what would change; nothing is written (chapter 55 §3.17). @throws Refusal 404,
 * 422 dryRunRange
 */
export async function tryRule(ctx: AttendanceCtx, { rule_id, body, date_from, date_to }: Input<typeof ruleApi.dryRun>): Promise<Trial> {
  const { db, school_id, now } = ctx
  const { person_kind } = await requireRule(ctx, rule_id)
  const n = countDays(date_from, date_to)
  if (n < 1 || n > most_trial_days) throw fail(ruleErrors.dryRunRange, { params: { n: most_trial_days } })
  const [before, after] = [Array.from({ length: states }, () => 0), Array.from({ length: states }, () => 0)]
  const changed: Changed[] = []
  let units = 0
  for (let date = date_from; date <= date_to; date = dayAfter(date)) {
    for (const shard of (await allShards(db, school_id, date)).filter(one => (one === '0') === (person_kind === 2))) {
      const now_ms = now.getTime()
      const old = judgeAll(await assemble(db, school_id, { date, shard }, now_ms)).filter(one => one.row.rule_version?.startsWith(`${rule_id}/`) === true)
      if (old.length === 0) continue
      units += 1
      const tried = new Map(judgeAll(await assemble(
        db, school_id, { date, shard }, now_ms, { rule_id, body }
      )).map(one => [rowKey(one.row), one]))
      for (const one of old) count(one, tried.get(rowKey(one.row)) ?? one, { before, after, changed, date })
    }
  }
  return { units, before, after, changed: changed.length, sample: await named(ctx, changed.slice(0, most_sampled)) }
}

function count(
  old: Judged, fresh: Judged, { before, after, changed, date }: { before: number[]; after: number[]; changed: Changed[]; date: string }
): void {
  before[old.row.state - 1] = (before[old.row.state - 1] ?? 0) + 1
  after[fresh.row.state - 1] = (after[fresh.row.state - 1] ?? 0) + 1
  const { user_id, dept_id, state, late_min } = old.row
  if (state !== fresh.row.state || late_min !== fresh.row.late_min) changed.push({
    lesson_date: date, user_id, dept_id, title: old.of.title, from_state: state, to_state: fresh.row.state,
  })
}

async function named({ db, school_id }: AttendanceCtx, changed: readonly Changed[]): Promise<Trial['sample']> {
  const people = await db.selectFrom('person_label').select(['user_id', 'display_name', 'last_dept_name'])
    .where('school_id', '=', school_id).where('user_id', 'in', ['0', ...changed.map(one => one.user_id)]).execute()
  const names = new Map(people.map(one => [one.user_id, one]))
  return changed.map(({ dept_id: _dept, ...one }) => ({
    ...one, user_name: names.get(one.user_id)?.display_name ?? '', dept_name: names.get(one.user_id)?.last_dept_name ?? null
  }))
}
