import { insertRows } from '../bulk.ts'
import type { Db } from '../db.ts'
import type { IdKeys } from '../id-number.ts'
import { sealSaid } from './values.ts'
import type { SaidValues } from './values.ts'

/** A task as a school is made with it: of every 100 pupils `answered` have answered, the answers of the first of them wait with these values. */
export type NewCollect = { title: string; field_codes: string[]; dept_ids: string[]; open_at: Date; close_at: Date; created_by: string; answered: number; waiting: readonly SaidValues[] }

const whole = 100
/** Every so many of those who have answered had something to change, which the school took. */
const taken_each = 9
const minute_ms = 60_000

/** Makes an open task that asks all pupils in class, without a word in the journal: for schools that are made whole. */
export async function createCollect(db: Db, keys: IdKeys, school_id: number, { dept_ids, answered, waiting, ...task }: NewCollect): Promise<void> {
  const { id: task_id } = await db
    .insertInto('collect_task')
    .values({ ...task, school_id, field_scene: 1, audience: JSON.stringify({ dept_ids, user_ids: [] }), review_mode: 'review', state: 'open', created_at: task.open_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const pupils = await db.selectFrom('live_student').select(['user_id', 'dept_id']).where('school_id', '=', school_id).orderBy('user_id').execute()
  const guardians = await db.selectFrom('guardian_link').select(['student_user_id', 'parent_user_id']).where('school_id', '=', school_id).where('valid_to', 'is', null).where('is_first', '=', true).execute()
  const first = new Map(guardians.map(link => [link.student_user_id, link.parent_user_id]))
  await insertRows(db, 'collect_answer', pupils.map(({ user_id, dept_id }, at) => {
    // Spread over the classes: neighbours in the list are rarely both late. 37 and 100 have no common divisor, so 100 in a row come out even.
    const is_answered = (at * 37) % whole < answered
    const said = is_answered ? waiting[at] : undefined
    const state = !is_answered ? (at % 2 === 0 ? 'unseen' : 'seen') : said ? 'answered' : at % taken_each === 0 ? 'accepted' : 'confirmed_same'
    return {
      school_id, task_id, user_id, dept_id, state, respondent_user_id: is_answered ? (first.get(user_id) ?? null) : null,
      values_enc: said ? sealSaid(keys, school_id, said) : null, at: new Date(task.open_at.getTime() + (at + 1) * minute_ms),
    }
  }))
}
