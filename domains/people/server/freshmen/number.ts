import type { FreshmenSeason, freshmenSeasonApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import type { PeopleCtx } from '../db.ts'

type Rule = FreshmenSeason['number_rule']
const sample_count = 3
/** Numbers looked at together: more than ever stand taken in a row by chance. */
const looked_at = 200

/** The first numbers a rule would give now. */
export async function sampleNumbers(ctx: PeopleCtx, rule: Input<typeof freshmenSeasonApi.numbers>): Promise<Reply<typeof freshmenSeasonApi.numbers>> {
  const free = await freeNumbers(ctx, rule, rule.start)
  return { list: free.slice(0, sample_count).map(({ text }) => text) }
}

/** Numbers of a rule from `n` on that no pupil and no member of staff has or had; the caller holds the season. */
export async function freeNumbers({ db, school_id }: Pick<PeopleCtx, 'db' | 'school_id'>, { prefix, digits }: Pick<Rule, 'prefix' | 'digits'>, n: number): Promise<{ n: number; text: string }[]> {
  const wanted = Array.from({ length: looked_at }, (_, at) => ({ n: n + at, text: `${prefix}${String(n + at).padStart(digits, '0')}` }))
  const texts = wanted.map(({ text }) => text)
  const { rows } = await sql<{ no: string }>`
    select student_no_lower as no from student where school_id = ${school_id} and student_no_lower = any(${texts.map(numberKey)}::text[])
    union all select teacher_no_lower from staff where school_id = ${school_id} and teacher_no_lower = any(${texts.map(numberKey)}::text[])`.execute(db)
  const taken = new Set(rows.map(row => row.no))
  const free = wanted.filter(({ text }) => !taken.has(numberKey(text)))
  return free.length > 0 ? free : freeNumbers({ db, school_id }, { prefix, digits }, n + looked_at)
}
