import { sql } from 'kysely'
import type { Updateable } from 'kysely'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import { inScope } from '../scope.ts'
import type { PeopleTables } from '../tables.gen.ts'
import type { TaskKey } from './task.queries.ts'

type Which = { school_id: number; task_id: string; user_id: string }

/** Whoever a task of pupils asks is in class, of staff at work. */
const isHere = (school_id: number) => sql<boolean>`case t.field_scene
  when 1 then exists (select from live_student s where s.school_id = ${school_id} and s.user_id = a.user_id)
  else exists (select from live_staff s where s.school_id = ${school_id} and s.user_id = a.user_id) end`

/** What is asked of these people now, the first to end first. */
export function openFor(db: Db, school_id: number, user_ids: readonly string[], now: Date) {
  return db
    .selectFrom('collect_answer as a')
    .innerJoin('collect_task as t', join => join.onRef('t.school_id', '=', 'a.school_id').onRef('t.id', '=', 'a.task_id'))
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'a.school_id').onRef('p.user_id', '=', 'a.user_id'))
    .select(['a.task_id', 'a.user_id', 'a.state', 'a.reason', 't.title', 't.close_at', 'p.user_name'])
    .where('a.school_id', '=', school_id)
    .where('t.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where(isHere(school_id))
    .where(oneOf('a.user_id', user_ids))
    .where('t.state', '=', 'open')
    .where('t.close_at', '>', now)
    .orderBy('t.close_at')
    .orderBy('a.task_id')
    .orderBy('a.user_id')
    .execute()
}

/** One person's answer with its task, locked. */
export function lockAnswer(db: Db, { school_id, task_id, user_id }: Which) {
  return db
    .selectFrom('collect_answer as a')
    .innerJoin('collect_task as t', join => join.onRef('t.school_id', '=', 'a.school_id').onRef('t.id', '=', 'a.task_id'))
    .select(['a.task_id', 'a.user_id', 'a.state as answer_state', 'a.reason', 't.title', 't.close_at', 't.state', 't.field_codes', 't.field_scene', 't.review_mode'])
    .where('a.school_id', '=', school_id)
    .where('t.school_id', '=', school_id)
    .where('a.task_id', '=', task_id)
    .where('a.user_id', '=', user_id)
    .forUpdate('a')
    .executeTakeFirst()
}
export type AnswerRecord = NonNullable<Awaited<ReturnType<typeof lockAnswer>>>

/** Changes one answer. */
export async function writeAnswer(db: Db, { school_id, task_id, user_id }: Which, change: Updateable<PeopleTables['collect_answer']>): Promise<void> {
  await db.updateTable('collect_answer').set(change).where('school_id', '=', school_id).where('task_id', '=', task_id).where('user_id', '=', user_id).execute()
}

/** Answers that wait for a decision, the oldest first. */
export async function pageWaiting(db: Db, { school_id, scope }: TaskKey, { page_index, page_size }: { page_index: number; page_size: number }) {
  const from = db
    .selectFrom('collect_answer as a')
    .innerJoin('collect_task as t', join => join.onRef('t.school_id', '=', 'a.school_id').onRef('t.id', '=', 'a.task_id'))
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 'a.school_id').onRef('p.user_id', '=', 'a.user_id'))
    .where('a.school_id', '=', school_id)
    .where('t.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('a.state', '=', 'answered')
    .where(inScope('a.dept_id', scope))
  const { total } = await from.select(eb => eb.fn.countAll<string>().as('total')).executeTakeFirstOrThrow()
  const list = await from
    .select(['a.task_id', 'a.user_id', 'a.dept_id', 'a.respondent_user_id', 'a.values_enc', 'a.at', 't.title', 't.field_scene', 'p.user_name'])
    .orderBy('a.at')
    .orderBy('a.task_id')
    .orderBy('a.user_id')
    .limit(page_size)
    .offset((page_index - 1) * page_size)
    .execute()
  return { list, total: Number(total) }
}

/** Answers of a task by these people within the scope, locked in one order, whatever their state. */
export function lockAnswers(db: Db, { school_id, scope }: TaskKey, task_id: string, user_ids: readonly string[]) {
  return db
    .selectFrom('collect_answer as a')
    .select(['a.user_id', 'a.state', 'a.values_enc'])
    .where('a.school_id', '=', school_id)
    .where('a.task_id', '=', task_id)
    .where(oneOf('a.user_id', user_ids))
    .where(inScope('a.dept_id', scope))
    .orderBy('a.user_id')
    .forUpdate()
    .execute()
}
