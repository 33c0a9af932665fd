import { publishingErrors } from '@campus/publishing/contract'
import { fail } from '@kit/contract'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Work } from '../db.ts'
import type { Reader } from './audience.ts'
import type { Post } from './post.queries.ts'

const [grade_one, grade_two] = ['11', '12'] as const
const [primary_minutes, junior_minutes] = [60, 90] as const
const [primary, junior] = ['1', '2'] as const

/** Minutes of written homework a day that the rules allow; null: no limit, 0: none at all (双减, chapter 60 rule 20). */
export function minutesAllowed(stage: string | null, grade: string | null): number | null {
  if (grade === grade_one || grade === grade_two) return 0
  if (stage === primary) return primary_minutes
  return stage === junior ? junior_minutes : null
}

/**
 * Reserves the time of a homework in every class it goes to, on the day it is due; two teachers at once cannot both slip below the limit.
 * @param override_reason lets it pass the limit, where the author may
 * @throws Refusal writtenForbidden, homeworkOverload
 */
export async function reserveMinutes({ db, school_id }: Pick<Work, 'db' | 'school_id'>, post: Post, readers: readonly Reader[], override_reason: string | null, now: Date): Promise<void> {
  const minutes = post.est_minutes ?? 0
  const day = schoolDay(post.due_at ?? post.publish_at ?? now)
  const dept_ids = [...new Set(readers.flatMap(one => (one.role === 3 || one.dept_id === null ? [] : [one.dept_id])))].toSorted()
  const classes = dept_ids.length === 0 ? [] : await db.selectFrom('dept_now').select(['id', 'dept_name', 'grade', 'stage']).where('school_id', '=', school_id).where('id', 'in', dept_ids).orderBy('id').execute()
  for (const one of classes) {
    const limit = minutesAllowed(one.stage, one.grade)
    if (limit === 0) throw fail(publishingErrors.writtenForbidden)
    await db.insertInto('publishing_homework_day').values({ school_id, dept_id: one.id, day, minutes: 0 }).onConflict(clash => clash.columns(['school_id', 'dept_id', 'day']).doNothing()).execute()
    const free = limit === null || override_reason !== null ? sql<boolean>`true` : sql<boolean>`minutes + ${minutes}::int <= ${limit}::int`
    const taken = await db.updateTable('publishing_homework_day').set({ minutes: sql<number>`minutes + ${minutes}::int` }).where('school_id', '=', school_id).where('dept_id', '=', one.id).where('day', '=', day).where(free).returning('minutes').executeTakeFirst()
    if (!taken) throw await overload({ db, school_id }, one, day, minutes, limit ?? 0)
    const over_by = limit === null ? 0 : Math.max(0, taken.minutes - limit)
    await db.insertInto('publishing_homework_hold').values({ school_id, post_id: post.post_id, dept_id: one.id, day, minutes, over_by }).onConflict(clash => clash.columns(['school_id', 'post_id', 'dept_id']).doNothing()).execute()
  }
}

async function overload({ db, school_id }: Pick<Work, 'db' | 'school_id'>, { id, dept_name }: { id: string; dept_name: string }, day: string, minutes: number, limit: number) {
  const present = await db.selectFrom('publishing_homework_day').select('minutes').where('school_id', '=', school_id).where('dept_id', '=', id).where('day', '=', day).executeTakeFirst()
  return fail(publishingErrors.homeworkOverload, { params: { class: dept_name, n: (present?.minutes ?? 0) + minutes, limit } })
}

/** Gives the reserved time back when a homework is cancelled or recalled. */
export async function releaseMinutes({ db, school_id }: Pick<Work, 'db' | 'school_id'>, post_id: string): Promise<void> {
  const held = await db.deleteFrom('publishing_homework_hold').where('school_id', '=', school_id).where('post_id', '=', post_id).returning(['dept_id', 'day', 'minutes']).execute()
  for (const { dept_id, day, minutes } of held) {
    await db.updateTable('publishing_homework_day').set({ minutes: sql<number>`greatest(0, minutes - ${minutes}::int)` }).where('school_id', '=', school_id).where('dept_id', '=', dept_id).where('day', '=', day).execute()
  }
}
