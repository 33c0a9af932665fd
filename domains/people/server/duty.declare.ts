import { declareScope } from '@campus/identity/server'
import { oneOf } from './dated.ts'
import type { Db } from './db.ts'

export type Duty = 'head' | 'vice_head' | 'grade_head' | 'dept_leader' | 'safety'

/** Duties that make somebody a class teacher; a head of grade sees the grade by the department his role is held under. */
const class_duties: readonly Duty[] = ['head', 'vice_head']
const source = 'people.duty'

/**
 * Tells identity whose class teacher these people are, were and will be, for role scopes that follow the duty. Reads the whole history,
 * because a declaration replaces the earlier one: whoever writes duties of a person locks him first.
 */
export async function declareDuties(db: Db, school_id: number, user_ids: readonly string[]): Promise<void> {
  const people = [...new Set(user_ids)]
  if (people.length === 0) return
  const rows = await db
    .selectFrom('dept_duty')
    .select(['user_id', 'dept_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', people))
    .where('duty', 'in', [...class_duties])
    .orderBy('valid_from')
    .execute()
  const by_user = Map.groupBy(rows, row => row.user_id)
  const declared = people.map(user_id => ({
    user_id,
    dimension: 'dept' as const,
    kind: 'class_teacher' as const,
    facts: (by_user.get(user_id) ?? []).map(({ dept_id, valid_from, valid_to }) => ({
      id: dept_id,
      valid_from: startOf(valid_from),
      valid_to: valid_to === null ? null : startOf(valid_to),
    })),
  }))
  await declareScope(db, school_id, source, declared)
}

/** Midnight of a day in the schools' time zone. */
function startOf(day: string): Date {
  return new Date(`${day}T00:00:00+08:00`)
}
