import { weekCount } from '@campus/calendar/contract'
import type { Semester, TERM } from '@campus/calendar/contract'
import type { Selectable } from 'kysely'
import type { CalendarDb, Db } from '../db.ts'

export type SemesterRecord = Selectable<CalendarDb['semester']>
type Asked = { school_id: number; school_year?: string | undefined }

/** Terms, the newest first. */
export function readSemesters(db: Db, { school_id, school_year }: Asked, most?: { limit: number; offset: number }): Promise<SemesterRecord[]> {
  return db
    .selectFrom('semester')
    .selectAll()
    .where('school_id', '=', school_id)
    .$if(school_year !== undefined, query => query.where('school_year', '=', school_year ?? ''))
    .orderBy('begin_date', 'desc')
    .$if(most !== undefined, query => query.limit(most?.limit ?? 0).offset(most?.offset ?? 0))
    .execute()
}

export async function countSemesters(db: Db, { school_id, school_year }: Asked): Promise<number> {
  const { count } = await db
    .selectFrom('semester')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .where('school_id', '=', school_id)
    .$if(school_year !== undefined, query => query.where('school_year', '=', school_year ?? ''))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function findSemester(db: Db, school_id: number, id: number): Promise<SemesterRecord | undefined> {
  return db.selectFrom('semester').selectAll().where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
}

const terms = ['1', '2', '3'] as const satisfies readonly (keyof typeof TERM.names)[]

/** A term as it is answered; its state follows from today. */
export function semesterOf({ id, school_year, term, name, begin_date, end_date, register_date, exam_weeks, odd_first, closed_at, row_version }: SemesterRecord, today: string): Semester {
  const by_date = today < begin_date ? 'coming' : today > end_date ? 'over' : 'running'
  return {
    id, school_year, name, begin_date, end_date, register_date, exam_weeks, odd_first, row_version,
    term: terms.find(code => code === term) ?? '1',
    weeks: weekCount({ begin_date, end_date }),
    state: closed_at === null ? by_date : 'closed',
  }
}
