import { dataOf } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { arrangeApi, recomputeApi, ruleApi, RuleBody } from '@campus/attendance/contract'
import type { RuleBody as Body } from '@campus/attendance/contract'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import type { Db } from '../db.ts'
import { semester_id } from './lesson-school.ts'

type School = { app: TestApp; me: TestUser; school_id: number }
type Stored = { user_id: string; section: number; state: number; flags: number; dept_id: string; expect_kind: number; role: number | null }

/** A rule for everybody of a kind from a day on. @returns its id */
export async function ruleForAll({ app, me }: School, person_kind: 1 | 2, from: string, body: Partial<Body> = {}): Promise<string> {
  const as = { token: me.token }
  const draft = {
    rule_name: person_kind === 1 ? '学生每节' : '教师到课',
    person_kind,
    kind: 'course' as const,
    note: '',
    effective_from: from,
    reason: '',
  }
  const { row } = dataOf(ruleApi.add, await app.call(ruleApi.add, { ...draft, body: RuleBody.parse({ chain_mode: 1, ...body }) }, as))
  dataOf(
    arrangeApi.add,
    await app.call(
      arrangeApi.add,
      {
        arrange_name: draft.rule_name,
        rule_id: row.rule_id,
        semester_id,
        scope_kind: 1,
        scope_id: '0',
        section_from: null,
        section_to: null,
        valid_from: from,
        valid_to: '2027-01-29',
        slots: [],
        reason: '',
      },
      as,
    ),
  )
  return row.rule_id
}

/** Judges days again and waits for the end. */
export async function recompute({ app, me }: School, from: string, to: string, mode: 'normal' | 'force' | 'verify' = 'normal') {
  const as = { token: me.token }
  const { run } = dataOf(recomputeApi.start, await app.call(recomputeApi.start, { date_from: from, date_to: to, mode }, as))
  const read = async () => dataOf(recomputeApi.read, await app.call(recomputeApi.read, { id: run.run_id }, as))
  await vi.waitFor(async () => expect((await read()).run.state).toBe('done'), { timeout: 50_000, interval: 50 })
  return (await read()).run
}

/** Results of a day as they are stored. */
export function storedRows({ app, school_id }: School, date: string, person_kind = 1): Promise<Stored[]> {
  return app.running.database.tenant(
    school_id,
    async (db: Db) =>
      (
        await sql<Stored>`
    select user_id::text as user_id, section::int as section, state::int as state, flags::int as flags, dept_id::text as dept_id,
      expect_kind::int as expect_kind, role::int as role
    from attend_result where school_id = ${school_id} and lesson_date = ${date}::date and person_kind = ${person_kind}
    order by user_id, section, expect_kind`.execute(db)
      ).rows,
  )
}

/** States of one person on a day, in the order of sections. */
export async function statesOf(school: School, date: string, user_id: string | undefined): Promise<number[]> {
  return (await storedRows(school, date)).filter(row => row.user_id === user_id).map(row => row.state)
}
