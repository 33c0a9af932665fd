import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'

type Place = Pick<TeachingCtx, 'db' | 'school_id' | 'now'>

/** A pupil comes into a teaching class today, or when its roster begins. @returns that day */
export async function joinRoster({ db, school_id, now }: Place, class_id: string, student_id: string,
  source: 'choice' | 'import' = 'choice'): Promise<string> {
  const began = await db.selectFrom('teaching_class_student').select(eb => eb.fn.min('valid_from').as('from'))
    .where('school_id', '=', school_id).where('class_id', '=', class_id).executeTakeFirst()
  const today = schoolDay(now)
  const valid_from = began?.from !== undefined && began.from !== null && began.from > today ? began.from : today
  const row = { school_id, class_id, student_id, valid_from, source }
  await db.insertInto('teaching_class_student').values(row)
    .onConflict(on => on.columns(['school_id', 'class_id', 'student_id', 'valid_from']).doUpdateSet({ valid_to: null })).execute()
  return valid_from
}

/** A pupil leaves a teaching class from today on; who had not begun yet goes without a trace. */
export async function leaveRoster({ db, school_id, now }: Place, class_id: string, student_id: string): Promise<void> {
  const today = schoolDay(now)
  const own = (open: boolean) => sql`school_id = ${school_id} and class_id = ${class_id} and student_id = ${student_id} and valid_to is null and ${open ? sql`valid_from < ${today}::date` : sql`valid_from >= ${today}::date`}`
  await sql`delete from teaching_class_student where ${own(false)}`.execute(db)
  await sql`update teaching_class_student set valid_to = ${today}::date where ${own(true)}`.execute(db)
}
