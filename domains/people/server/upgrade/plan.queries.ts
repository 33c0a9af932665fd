import { upgrade_actions, upgrade_exceptions } from '@campus/people/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import { chunks, insertRows } from '../bulk.ts'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import type { Choice, PersonChoice } from './decide.ts'
import { gradeAfter } from './grade.ts'

const Action = z.enum(upgrade_actions).nullable()
const Exception = z.enum(upgrade_exceptions)

const columns = ['id', 'school_year', 'effective_on', 'state', 'row_version', 'base_hash', 'plan_hash', 'counts', 'command_id', 'created_by', 'signed_by', 'signed_at', 'ran_at', 'rollback_until'] as const

/** The newest plan of the school; what it wrote and its comparison are left out. */
export function latestPlan(db: Db, school_id: number) {
  return db.selectFrom('upgrade_plan').select(columns).where('school_id', '=', school_id).orderBy('id', 'desc').limit(1).executeTakeFirst()
}
export type PlanRow = NonNullable<Awaited<ReturnType<typeof latestPlan>>>

export function planById(db: Db, school_id: number, id: string): Promise<PlanRow | undefined> {
  return db.selectFrom('upgrade_plan').select(columns).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
}

/** The plan, locked until the transaction ends. */
export function lockPlan(db: Db, school_id: number, id: string): Promise<PlanRow | undefined> {
  return db.selectFrom('upgrade_plan').select(columns).where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The plan whose run a command is, locked. */
export function lockPlanOfCommand(db: Db, school_id: number, command_id: string): Promise<PlanRow | undefined> {
  return db.selectFrom('upgrade_plan').select(columns).where('school_id', '=', school_id).where('command_id', '=', command_id).forUpdate().executeTakeFirst()
}

/** What the simulation found, and what the run left behind; null before them. */
export async function planJson(db: Db, school_id: number, id: string): Promise<{ diff: unknown; image: unknown }> {
  const row = await db.selectFrom('upgrade_plan').select(['diff', 'image']).where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  return row ?? { diff: null, image: null }
}

type PlanChange = Partial<Pick<PlanRow, 'effective_on' | 'state' | 'row_version' | 'base_hash' | 'plan_hash' | 'command_id' | 'created_by' | 'signed_by' | 'signed_at' | 'ran_at' | 'rollback_until'>>

export async function changePlan(db: Db, school_id: number, id: string, change: PlanChange, json: { counts?: unknown; diff?: unknown; image?: unknown } = {}): Promise<void> {
  const stored = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, JSON.stringify(value)]))
  await db.updateTable('upgrade_plan').set({ ...change, ...stored }).where('school_id', '=', school_id).where('id', '=', id).execute()
}

/** Writes an empty draft. @returns its id */
export async function insertPlan(db: Db, plan: { school_id: number; school_year: string; effective_on: string; created_by: string; created_at: Date }): Promise<string> {
  const { id } = await db.insertInto('upgrade_plan').values({ ...plan, state: 'draft' }).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function planChoices(db: Db, school_id: number, plan_id: string): Promise<Choice[]> {
  const rows = await db.selectFrom('upgrade_item').select(['dept_id', 'action', 'new_name', 'is_pool']).where('school_id', '=', school_id).where('plan_id', '=', plan_id).orderBy('dept_id').execute()
  return rows.map(({ action, ...row }) => ({ ...row, action: Action.parse(action) }))
}

export async function planPeople(db: Db, school_id: number, plan_id: string): Promise<PersonChoice[]> {
  const rows = await db.selectFrom('upgrade_person').select(['user_id', 'action', 'target_dept_id', 'reason']).where('school_id', '=', school_id).where('plan_id', '=', plan_id).orderBy('user_id').execute()
  return rows.map(({ action, ...row }) => ({ ...row, action: Exception.parse(action) }))
}

/** Writes what was chosen for these grades and classes; others keep what they have. */
export async function saveChoices(db: Db, school_id: number, plan_id: string, choices: readonly Choice[], grades: ReadonlyMap<string, string | null>): Promise<void> {
  const rows = choices.map(choice => {
    const from_grade = grades.get(choice.dept_id) ?? null
    return { school_id, plan_id, ...choice, from_grade, to_grade: gradeAfter(choice.action, from_grade) }
  })
  for (const part of chunks(rows)) {
    const said = { action: sql<string | null>`excluded.action`, new_name: sql<string | null>`excluded.new_name`, is_pool: sql<boolean>`excluded.is_pool`, from_grade: sql<string | null>`excluded.from_grade`, to_grade: sql<string | null>`excluded.to_grade` }
    await db.insertInto('upgrade_item').values(part).onConflict(to => to.columns(['school_id', 'plan_id', 'dept_id']).doUpdateSet(said)).execute()
  }
}

/** Replaces the pupils who do otherwise than their class. */
export async function savePeople(db: Db, school_id: number, plan_id: string, people: readonly PersonChoice[]): Promise<void> {
  await db.deleteFrom('upgrade_person').where('school_id', '=', school_id).where('plan_id', '=', plan_id).execute()
  await insertRows(db, 'upgrade_person', people.map(person => ({ school_id, plan_id, ...person })))
}

/** Has the school been promoted in this year, or is it under way? */
export async function isPromoted(db: Db, school_id: number, school_year: string): Promise<boolean> {
  const found = await db.selectFrom('upgrade_plan').select('id').where('school_id', '=', school_id).where('school_year', '=', school_year).where('state', 'in', ['running', 'done']).executeTakeFirst()
  return found !== undefined
}

/** Numbers of these pupils of the school by id; strangers are absent. */
export async function pupilNumbers(db: Db, school_id: number, user_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (user_ids.length === 0) return new Map()
  const rows = await db.selectFrom('student').select(['user_id', 'student_no']).where('school_id', '=', school_id).where(oneOf('user_id', user_ids)).execute()
  return new Map(rows.map(row => [row.user_id, row.student_no]))
}
