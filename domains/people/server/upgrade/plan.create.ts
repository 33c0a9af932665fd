import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { cohortsOf, ownChoices } from './decide.ts'
import { insertPlan, saveChoices, savePeople } from './plan.queries.ts'
import { readSnapshot } from './snapshot.ts'
import type { Snapshot } from './snapshot.ts'

type NewPlan = { school_year: string; effective_on: string; created_by: string; created_at: Date }

/** Grades of the cohorts of a snapshot. */
export function gradesOf(snapshot: Snapshot): ReadonlyMap<string, string | null> {
  return new Map(cohortsOf(snapshot).map(dept => [dept.dept_id, dept.grade]))
}

/**
 * Draws up a plan in which everything goes where it goes by itself, but the pupils who are said to leave. @returns its id
 * @throws a violation of upgrade_plan_one_open while another one is not carried out
 */
export async function draftPlan(handle: QueryExecutorProvider, school_id: number, plan: NewPlan, leaving: readonly { user_id: string; reason: string }[] = []): Promise<string> {
  const db = asTables<PeopleDb>(handle)
  const plan_id = await insertPlan(db, { school_id, ...plan })
  const snapshot = await readSnapshot(db, school_id, plan.effective_on)
  await saveChoices(db, school_id, plan_id, ownChoices(snapshot, plan.school_year), gradesOf(snapshot))
  if (leaving.length > 0) await savePeople(db, school_id, plan_id, leaving.map(one => ({ ...one, action: 'OUT', target_dept_id: null })))
  return plan_id
}
