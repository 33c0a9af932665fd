import type { Db } from '../db.ts'
import { explain, judgeDay } from '../judge/judge.ts'
import type { Evidence, Gate, Leave, Verdict } from '../judge/types.ts'
import { assemble } from './assemble.ts'
import type { Expected } from './expect.ts'
import { shardsOf } from './people.ts'

/** What one row rests on: its verdict with the whole ladder, and the facts of that person on that day. */
export type RowEvidence = {
  expected: Expected
  verdict: Verdict
  evidence: readonly Evidence[]
  gates: readonly Gate[]
  leaves: readonly Leave[]
}
type Asked = { lesson_date: string; expect_kind: number; occurrence_id: string; user_id: string }

/** Judges one row anew from its facts, without writing; null: this person is not expected there any more. */
export async function rowEvidence(
  db: Db,
  school_id: number,
  { lesson_date, expect_kind, occurrence_id, user_id }: Asked,
  now: Date,
): Promise<RowEvidence | null> {
  for (const shard of await shardsOf(db, school_id, lesson_date, [user_id])) {
    const [own] = await assemble(db, school_id, { date: lesson_date, shard, user_id }, now.getTime())
    const expected = own?.expected.find(one => one.expect_kind === expect_kind && one.occurrence_id === occurrence_id)
    if (own && expected)
      return {
        expected,
        verdict: explain(own.day, { expect_kind, occurrence_id }),
        evidence: own.day.evidence,
        gates: own.day.gates,
        leaves: own.day.leaves,
      }
  }
  return null
}

/** Judges the whole day of one person anew, without writing. @returns by expectation: `1/88` = kind and occurrence */
export async function dayEvidence(
  db: Db,
  school_id: number,
  { date, user_id }: { date: string; user_id: string },
  now: Date,
): Promise<ReadonlyMap<string, { expected: Expected; verdict: Verdict; ways: readonly number[] }>> {
  const found = new Map<string, { expected: Expected; verdict: Verdict; ways: readonly number[] }>()
  for (const shard of await shardsOf(db, school_id, date, [user_id])) {
    const [own] = await assemble(db, school_id, { date, shard, user_id }, now.getTime())
    for (const verdict of own ? judgeDay(own.day) : []) {
      const key = `${verdict.expect_kind}/${verdict.occurrence_id}`
      const isIt = (one: { expect_kind: number; occurrence_id: string }) => `${one.expect_kind}/${one.occurrence_id}` === key
      const expected = own?.expected.find(isIt)
      const ways = own?.day.expectations.find(isIt)?.rule?.body.identify_types ?? []
      if (expected) found.set(key, { expected, verdict, ways })
    }
  }
  return found
}
